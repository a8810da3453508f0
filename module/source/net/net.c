// SPDX-License-Identifier: GPL-2.0
/* Records of TCP and UDP: who speaks with whom, and who wants to know. */
#include <linux/ip.h>
#include <linux/ipv6.h>
#include <linux/percpu.h>
#include <linux/preempt.h>
#include <linux/sched.h>
#include <linux/string.h>
#include <linux/udp.h>
#include <net/inet_sock.h>
#include <net/ipv6.h>
#include "source/function_probe.h"
#include "net.h"
#include "source/source.h"
#include "source/write.h"

/**
 * etw_net_ends_of_socket() - peer and local end of a connection
 * @ends: out, but for process and size
 * @sk: TCP socket
 */
void etw_net_ends_of_socket(struct etw_net_ends *ends, const struct sock *sk)
{
	const struct inet_sock *inet = inet_sk(sk);

#if IS_ENABLED(CONFIG_IPV6)
	if (sk->sk_family == AF_INET6 && !ipv6_addr_v4mapped(&sk->sk_v6_daddr)) {
		ends->ipv6 = true;
		memcpy(ends->v6.daddr, &sk->sk_v6_daddr, sizeof(ends->v6.daddr));
		memcpy(ends->v6.saddr, &sk->sk_v6_rcv_saddr, sizeof(ends->v6.saddr));
		ends->v6.dport = inet->inet_dport;
		ends->v6.sport = inet->inet_sport;
		return;
	}
#endif
	ends->ipv6 = false;
	ends->v4.daddr = inet->inet_daddr;
	ends->v4.saddr = inet->inet_rcv_saddr;
	ends->v4.dport = inet->inet_dport;
	ends->v4.sport = inet->inet_sport;
}

/**
 * etw_net_ends_of_datagram() - where a datagram comes from and goes to
 * @ends: out, but for process and size
 * @skb: with the headers of IP and UDP
 * @ipv6: whether that is IPv6
 */
void etw_net_ends_of_datagram(struct etw_net_ends *ends, const struct sk_buff *skb, bool ipv6)
{
	const struct udphdr *udp = udp_hdr(skb);

	ends->ipv6 = ipv6;
	if (ipv6) {
		memcpy(ends->v6.daddr, &ipv6_hdr(skb)->daddr, sizeof(ends->v6.daddr));
		memcpy(ends->v6.saddr, &ipv6_hdr(skb)->saddr, sizeof(ends->v6.saddr));
		ends->v6.dport = udp->dest;
		ends->v6.sport = udp->source;
		return;
	}
	ends->v4.daddr = ip_hdr(skb)->daddr;
	ends->v4.saddr = ip_hdr(skb)->saddr;
	ends->v4.dport = udp->dest;
	ends->v4.sport = udp->source;
}

/**
 * etw_net_caller() - who calls a function that packets don't come to
 *
 * Context: any. Return: the current process; that of the system where an interrupt came over it.
 */
u32 etw_net_caller(void)
{
	return etw_probed_in_task() ? etw_process_id(current) : ETW_SYSTEM_PROCESS_ID;
}

/**
 * etw_net_in_call() - whether it is the current thread that uses a socket
 * @sk: TCP socket; the caller, or who it interrupts, has it locked
 *
 * Packets come in tasks, too, with softirqs off: what is written to a tun, threaded NAPI,
 * who polls. While lock_sock() has made a socket somebody's they are left for its owner,
 * who takes them before giving it back. So the owner is who runs here, or nobody is.
 *
 * Context: any.
 */
bool etw_net_in_call(const struct sock *sk)
{
	return etw_probed_in_task() && READ_ONCE(sk->sk_lock.owned);
}

/**
 * etw_net_process() - whose event it is
 * @sk: as in etw_net_in_call()
 * @remembered: of the socket, or 0
 *
 * Context: any. Return: the caller's process, else @remembered, else that of the system.
 */
u32 etw_net_process(const struct sock *sk, u32 remembered)
{
	if (etw_net_in_call(sk))
		return etw_process_id(current);
	return remembered ?: ETW_SYSTEM_PROCESS_ID;
}

static void tell(const struct etw_source *source, u16 hook_id, u32 process_id,
		 const struct etw_payload *payload)
{
	struct etw_event event = {
		.hook_id = hook_id,
		.version = WMI_IP_VERSION,
		.wanted = ETW_WANTED_ANY,
		.process_id = process_id,
		.payload = *payload,
	};

	preempt_disable_notrace();
	etw_write_all(etw_listeners_of(source), &event);
	preempt_enable_notrace();
}

/**
 * etw_net_tell() - write a record for all who want it
 * @source: whose listeners
 * @hook_id: hook id as IPv4 has it
 * @process_id: whose event it is
 * @size: bytes of payload
 * @ends: filled in but for these two
 * @tail: what follows them
 * @tail_size: bytes of it
 *
 * Context: any but NMI.
 */
void etw_net_tell(const struct etw_source *source, u16 hook_id, u32 process_id, u32 size,
		  struct etw_net_ends *ends, const void *tail, u32 tail_size)
{
	const struct etw_payload payload = {
		.data = &ends->v4,
		.size = ends->ipv6 ? sizeof(ends->v6) : sizeof(ends->v4),
		.more = tail,
		.more_size = tail_size,
	};

	/* both begin alike */
	ends->v4.process_id = process_id;
	ends->v4.size = size;
	tell(source, ends->ipv6 ? WMI_LOG_TYPE_IPV6(hook_id) : hook_id, process_id, &payload);
}

/**
 * etw_net_tell_fail() - write a record of a connection that did not come about
 * @source: whose listeners
 * @process_id: who wanted it
 * @ipv6: over what
 * @code: ETW_TCP_FAIL_*
 *
 * Context: any but NMI.
 */
void etw_net_tell_fail(const struct etw_source *source, u32 process_id, bool ipv6, u16 code)
{
	const struct wmi_tcp_fail fail = {
		.protocol = ipv6 ? ETW_TCP_FAIL_IPV6 : ETW_TCP_FAIL_IPV4,
		.code = code,
	};
	const struct etw_payload payload = { .data = &fail, .size = sizeof(fail) };

	tell(source, WMI_LOG_TYPE_TCPIP_FAIL, process_id, &payload);
}
