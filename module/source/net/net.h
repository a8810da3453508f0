/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The etw authors */
/* TCP and UDP records: groups 06 and 08. */
#ifndef ETW_NET_H
#define ETW_NET_H

#include <linux/types.h>
#include "etw_hooks.h"

struct etw_source;
struct sk_buff;
struct sock;

extern struct etw_source etw_source_tcp;

/**
 * struct etw_net_ends - the first part of a payload
 * @ipv6: @v6 is valid, not @v4
 * @v4: IPv4, including IPv4-mapped IPv6 addresses
 * @v6: IPv6
 */
struct etw_net_ends {
	bool ipv6;
	union {
		struct wmi_ip4_ends v4;
		struct wmi_ip6_ends v6;
	};
};

void etw_net_ends_of_socket(struct etw_net_ends *ends, const struct sock *sk);
void etw_net_ends_of_datagram(struct etw_net_ends *ends, const struct sk_buff *skb, bool ipv6);
u32 etw_net_caller(void);
bool etw_net_in_call(const struct sock *sk);
u32 etw_net_process(const struct sock *sk, u32 remembered);
void etw_net_write(const struct etw_source *source, u16 hook_id, u32 process_id, u32 size,
		   struct etw_net_ends *ends, const void *tail, u32 tail_size);
void etw_net_write_fail(const struct etw_source *source, u32 process_id, bool ipv6, u16 code);

#endif /* ETW_NET_H */
