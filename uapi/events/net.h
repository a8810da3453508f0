/* SPDX-License-Identifier: GPL-2.0 WITH Linux-syscall-note */
/* Copyright (C) 2026 The etw authors */
/* Events of TCP and UDP; included by etw_hooks.h. */
#ifndef _UAPI_ETW_EVENTS_NET_H
#define _UAPI_ETW_EVENTS_NET_H

#include <linux/types.h>
#include "etw_format.h"

#define WMI_LOG_TYPE_TCPIP_SEND			0x060A
#define WMI_LOG_TYPE_TCPIP_RECEIVE		0x060B
#define WMI_LOG_TYPE_TCPIP_CONNECT		0x060C
#define WMI_LOG_TYPE_TCPIP_DISCONNECT		0x060D
#define WMI_LOG_TYPE_TCPIP_RETRANSMIT		0x060E
#define WMI_LOG_TYPE_TCPIP_ACCEPT		0x060F
#define WMI_LOG_TYPE_TCPIP_RECONNECT		0x0610
#define WMI_LOG_TYPE_TCPIP_FAIL			0x0611
#define WMI_LOG_TYPE_UDPIP_SEND			0x080A
#define WMI_LOG_TYPE_UDPIP_RECEIVE		0x080B
/* An event of groups 06 and 08 with IPv6 addresses; there is none for FAIL */
#define WMI_LOG_TYPE_IPV6(hook_id)		((hook_id) + 0x10)

#define PERF_NETWORK			0x00010000U

#define EVENT_TRACE_FLAG_NETWORK_TCPIP	0x00010000U

/**
 * struct wmi_ip4_ends - first part of the payloads of groups 06 and 08, IPv4
 * @process_id: tgid; 4 when unknown
 * @size: bytes of payload
 * @daddr: network order, as all members below; for TCP the peer
 * @saddr: for TCP the local end
 * @dport: for TCP the peer's port
 * @sport: for TCP the local port
 *
 * For TCP the ends do not depend on the direction; for UDP they are those of the
 * datagram. (kernel-events.rst 5.13)
 */
struct wmi_ip4_ends {
	__u32 process_id;
	__u32 size;
	__be32 daddr;
	__be32 saddr;
	__be16 dport;
	__be16 sport;
};

ETW_ASSERT_SIZE(struct wmi_ip4_ends, 0x14);

/**
 * struct wmi_ip6_ends - first part of the payloads of groups 06 and 08, IPv6
 * @process_id: see struct wmi_ip4_ends
 * @size: bytes of payload
 * @daddr: see struct wmi_ip4_ends
 * @saddr: see struct wmi_ip4_ends
 * @dport: see struct wmi_ip4_ends
 * @sport: see struct wmi_ip4_ends
 */
struct wmi_ip6_ends {
	__u32 process_id;
	__u32 size;
	__u8 daddr[16];
	__u8 saddr[16];
	__be16 dport;
	__be16 sport;
};

ETW_ASSERT_SIZE(struct wmi_ip6_ends, 0x2C);

/**
 * struct wmi_ip_transfer - part behind the ends: all events but those below
 * @sequence: sequence number of TCP data; else 0
 * @connection: 0
 */
struct wmi_ip_transfer {
	__u32 sequence;
	__u64 connection;
} ETW_PACKED;

ETW_ASSERT_SIZE(struct wmi_ip_transfer, 0x0C);

/**
 * struct wmi_tcp_send - part behind the ends: TCP send
 * @start_time: jiffies since boot when the call began
 * @end_time: jiffies since boot when the call handed the data to TCP
 * @transfer: first sequence number
 */
struct wmi_tcp_send {
	__u32 start_time;
	__u32 end_time;
	struct wmi_ip_transfer transfer;
} ETW_PACKED;

ETW_ASSERT_SIZE(struct wmi_tcp_send, 0x14);

/**
 * struct wmi_tcp_connect - part behind the ends: TCP connect, accept
 * @mss: bytes that a segment to the peer carries
 * @sack: 1: both ends do selective acknowledgments
 * @timestamps: 1: both ends send time stamps
 * @scaling: 1: both ends scale windows
 * @receive_window: bytes
 * @receive_scale: shift of our window
 * @send_scale: shift of the peer's
 * @transfer: 0
 */
struct wmi_tcp_connect {
	__u16 mss;
	__u16 sack;
	__u16 timestamps;
	__u16 scaling;
	__u32 receive_window;
	__s16 receive_scale;
	__s16 send_scale;
	struct wmi_ip_transfer transfer;
} ETW_PACKED;

ETW_ASSERT_SIZE(struct wmi_tcp_connect, 0x1C);

/**
 * struct wmi_tcp_fail - payload of 0x0611
 * @protocol: 2 IPv4, 23 IPv6
 * @code: ETW_TCP_FAIL_*
 */
struct wmi_tcp_fail {
	__u16 protocol;
	__u16 code;
};

ETW_ASSERT_SIZE(struct wmi_tcp_fail, 0x04);
#define WMI_IP_VERSION			2
#define ETW_TCP_FAIL_IPV4		2
#define ETW_TCP_FAIL_IPV6		23
#define ETW_TCP_FAIL_RESOURCES		1
#define ETW_TCP_FAIL_ADDRESS_EXISTS	3
#define ETW_TCP_FAIL_INVALID_ADDRESS	4
#define ETW_TCP_FAIL_OTHER		5

#endif /* _UAPI_ETW_EVENTS_NET_H */
