// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* UDP: datagrams sent 080A and received 080B, and for IPv6. */
#include <linux/if_ether.h>
#include <linux/in.h>
#include <linux/skbuff.h>
#include <linux/udp.h>
#include <net/sock.h>
#include "source/function_probe.h"
#include "net.h"
#include "source/source.h"

ETW_SOURCE_DECLARE(udp);

/*
 * Every datagram passes these functions, whichever call it belongs to: when it is sent
 * (a corked one once it is whole), and when a program has taken it.
 */

static const struct wmi_ip_transfer no_sequence;

static u32 size_of(const struct sk_buff *skb)
{
	return skb->len - skb_transport_offset(skb) - sizeof(struct udphdr);
}

/* The headers are in place. Raw and ping sockets come here too, and are skipped. */
static void write_send(const struct sk_buff *skb, bool ipv6)
{
	const struct sock *sk = skb->sk;
	struct etw_net_ends ends __uninitialized;

	if (!etw_listeners_of(&etw_source_udp) || !sk || sk->sk_type != SOCK_DGRAM ||
	    sk->sk_protocol != IPPROTO_UDP)
		return;
	etw_net_ends_of_datagram(&ends, skb, ipv6);
	etw_net_write(&etw_source_udp, WMI_LOG_TYPE_UDPIP_SEND, etw_net_caller(), size_of(skb),
		      &ends, &no_sequence, sizeof(no_sequence));
}

/* ip_send_skb(net, skb) */
static int enter_ip_send_skb(struct kprobe *kprobe, struct pt_regs *regs)
{
	write_send((const struct sk_buff *)regs_get_kernel_argument(regs, 1), false);
	return 0;
}

/* ip6_send_skb(skb) */
static int enter_ip6_send_skb(struct kprobe *kprobe, struct pt_regs *regs)
{
	write_send((const struct sk_buff *)regs_get_kernel_argument(regs, 0), true);
	return 0;
}

/*
 * Whether the datagram stays in the queue after MSG_PEEK: its length is negative then. An
 * empty datagram shows no sign, but one that was taken off the queue is in no list. If
 * another thread takes it while this one peeks, both are recorded.
 */
static bool stays(const struct sk_buff *skb, int len)
{
	return len < 0 || (!len && READ_ONCE(skb->next));
}

/* skb_consume_udp(sk, skb, len): skb->len no longer includes the UDP header. */
static int enter_skb_consume_udp(struct kprobe *kprobe, struct pt_regs *regs)
{
	const struct sk_buff *skb = (const struct sk_buff *)regs_get_kernel_argument(regs, 1);
	const struct sock *sk = (const struct sock *)regs_get_kernel_argument(regs, 0);
	struct etw_net_ends ends __uninitialized;

	if (!etw_listeners_of(&etw_source_udp) || sk->sk_protocol != IPPROTO_UDP ||
	    stays(skb, regs_get_kernel_argument(regs, 2)))
		return 0;
	etw_net_ends_of_datagram(&ends, skb, skb->protocol == htons(ETH_P_IPV6));
	etw_net_write(&etw_source_udp, WMI_LOG_TYPE_UDPIP_RECEIVE, etw_net_caller(), skb->len,
		      &ends, &no_sequence, sizeof(no_sequence));
	return 0;
}

static struct etw_function_probe functions[] = {
	{ .symbol = "ip_send_skb", .entry = enter_ip_send_skb },
	{ .symbol = "ip6_send_skb", .entry = enter_ip6_send_skb, .optional = true },
	{ .symbol = "skb_consume_udp", .entry = enter_skb_consume_udp },
};

ETW_SOURCE(ETW_ORDER_ANY, udp) = {
	.name = "UDP",
	.groups = ETW_GROUPS(PERF_NETWORK),
	.hooks = ETW_HOOKS(WMI_LOG_TYPE_UDPIP_SEND, WMI_LOG_TYPE_IPV6(WMI_LOG_TYPE_UDPIP_SEND),
			   WMI_LOG_TYPE_UDPIP_RECEIVE,
			   WMI_LOG_TYPE_IPV6(WMI_LOG_TYPE_UDPIP_RECEIVE)),
	.functions = functions,
	.nr_functions = ARRAY_SIZE(functions),
};
