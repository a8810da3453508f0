// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* TCP and UDP records: the two ends of a connection, and the process of an event. */
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
 * etw_net_ends_of_socket() - get peer and local end of a connection
 * @ends: out, all but process and size
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
 * etw_net_ends_of_datagram() - get destination and source of a datagram
 * @ends: out, all but process and size
 * @skb: with its IP and UDP headers
 * @ipv6: whether the IP header is IPv6
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
 * etw_net_caller() - process that calls a function which arriving packets do not reach
 *
 * Context: any. Return: the current process; in an interrupt, the System process.
 */
u32 etw_net_caller(void)
{
	return etw_probed_in_task() ? etw_process_id(current) : ETW_SYSTEM_PROCESS_ID;
}

/**
 * etw_net_in_call() - whether the current thread is using a socket
 * @sk: TCP socket; locked by the caller, or by the code that the caller interrupts
 *
 * Packets also arrive in tasks with softirqs off: by writes to tun, threaded NAPI or busy
 * polling. While lock_sock() holds a socket, packets are queued for its owner, which takes
 * them before releasing it. So an owner can only be the current thread.
 *
 * Context: any.
 */
bool etw_net_in_call(const struct sock *sk)
{
	return etw_probed_in_task() && READ_ONCE(sk->sk_lock.owned);
}

/**
 * etw_net_process() - process that an event is attributed to
 * @sk: as in etw_net_in_call()
 * @remembered: process noted for the socket, or 0
 *
 * Context: any. Return: the caller's process, else @remembered, else the System process.
 */
u32 etw_net_process(const struct sock *sk, u32 remembered)
{
	if (etw_net_in_call(sk))
		return etw_process_id(current);
	return remembered ?: ETW_SYSTEM_PROCESS_ID;
}

static void write_event(const struct etw_source *source, u16 hook_id, u32 process_id,
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
 * etw_net_write() - write a record to all listeners that want it
 * @source: source with the listeners
 * @hook_id: hook id for IPv4
 * @process_id: process that the event is attributed to
 * @size: bytes of data
 * @ends: filled in, all but process and size
 * @tail: payload after @ends
 * @tail_size: bytes of @tail
 *
 * Context: any but NMI.
 */
void etw_net_write(const struct etw_source *source, u16 hook_id, u32 process_id, u32 size,
		   struct etw_net_ends *ends, const void *tail, u32 tail_size)
{
	const struct etw_payload payload = {
		.data = &ends->v4,
		.size = ends->ipv6 ? sizeof(ends->v6) : sizeof(ends->v4),
		.more = tail,
		.more_size = tail_size,
	};

	/* v4 and v6 begin with the same two fields */
	ends->v4.process_id = process_id;
	ends->v4.size = size;
	write_event(source, ends->ipv6 ? WMI_LOG_TYPE_IPV6(hook_id) : hook_id, process_id,
		    &payload);
}

/**
 * etw_net_write_fail() - write a record of a failed connection attempt
 * @source: source with the listeners
 * @process_id: process that tried to connect
 * @ipv6: IPv6, not IPv4
 * @code: ETW_TCP_FAIL_*
 *
 * Context: any but NMI.
 */
void etw_net_write_fail(const struct etw_source *source, u32 process_id, bool ipv6, u16 code)
{
	const struct wmi_tcp_fail fail = {
		.protocol = ipv6 ? ETW_TCP_FAIL_IPV6 : ETW_TCP_FAIL_IPV4,
		.code = code,
	};
	const struct etw_payload payload = { .data = &fail, .size = sizeof(fail) };

	write_event(source, WMI_LOG_TYPE_TCPIP_FAIL, process_id, &payload);
}
