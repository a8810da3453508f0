// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* Events of TCP and UDP. */
#include "events.h"
#include "etw_hooks.h"

/* What follows the addresses is the same for both families. */
#define ENDS4 \
	F_U("ProcessId", 4), F_U("Size", 4), F_IP4("DestinationAddress"), \
	F_IP4("SourceAddress"), F_PORT("DestinationPort"), F_PORT("SourcePort")
#define ENDS6 \
	F_U("ProcessId", 4), F_U("Size", 4), F_IP6("DestinationAddress"), \
	F_IP6("SourceAddress"), F_PORT("DestinationPort"), F_PORT("SourcePort")
#define NUMBERS	F_U("SequenceNumber", 4), F_P("ConnectionId")
#define TIMES	F_U("StartTime", 4), F_U("EndTime", 4)
#define OPTIONS \
	F_U("MaximumSegmentSize", 2), F_U("SackOption", 2), F_U("TimestampOption", 2), \
	F_U("WindowScaleOption", 2), F_U("ReceiveWindow", 4), F_S("ReceiveWindowScale", 2), \
	F_S("SendWindowScale", 2)

/* Before Windows Vista: the ends alone, in version 0 in another order, and IPv4 only */
static const struct form tcp_v0[] = {
	F_IP4("DestinationAddress"), F_IP4("SourceAddress"), F_PORT("DestinationPort"),
	F_PORT("SourcePort"), F_U("Size", 4), F_U("ProcessId", 4), F_END
};

static const struct form udp_v0[] = {
	F_P("Context"), F_IP4("SourceAddress"), F_PORT("SourcePort"), F_U("Size", 2),
	F_IP4("DestinationAddress"), F_PORT("DestinationPort"), F_U("DestinationSize", 2), F_END
};

static const struct form ends[] = { ENDS4, F_END };

static const struct form transfer4[] = { ENDS4, NUMBERS, F_END };
static const struct form transfer6[] = { ENDS6, NUMBERS, F_END };
static const struct form send4[] = { ENDS4, TIMES, NUMBERS, F_END };
static const struct form send6[] = { ENDS6, TIMES, NUMBERS, F_END };
static const struct form connect4[] = { ENDS4, OPTIONS, NUMBERS, F_END };
static const struct form connect6[] = { ENDS6, OPTIONS, NUMBERS, F_END };
static const struct form fail[] = { F_U("Protocol", 2), F_U("FailureCode", 2), F_END };

/* A row for each family: the names differ in their ends */
#define BOTH(hook_id, name, oldest, forms) \
	{ EVENT(hook_id, name, { 0, 0, oldest }, { 1, 1, ends }, { 2, 2, forms ## 4 }) }, \
	{ EVENT(WMI_LOG_TYPE_IPV6(hook_id), name "IPV6", { 2, 2, forms ## 6 }) }

const struct etl_event events_network[] = {
	BOTH(WMI_LOG_TYPE_TCPIP_SEND, "TcpIp/Send", tcp_v0, send),
	BOTH(WMI_LOG_TYPE_TCPIP_RECEIVE, "TcpIp/Recv", tcp_v0, transfer),
	BOTH(WMI_LOG_TYPE_TCPIP_CONNECT, "TcpIp/Connect", tcp_v0, connect),
	BOTH(WMI_LOG_TYPE_TCPIP_DISCONNECT, "TcpIp/Disconnect", tcp_v0, transfer),
	BOTH(WMI_LOG_TYPE_TCPIP_RETRANSMIT, "TcpIp/Retransmit", tcp_v0, transfer),
	BOTH(WMI_LOG_TYPE_TCPIP_ACCEPT, "TcpIp/Accept", tcp_v0, connect),
	BOTH(WMI_LOG_TYPE_TCPIP_RECONNECT, "TcpIp/Reconnect", tcp_v0, transfer),
	BOTH(0x0612, "TcpIp/TCPCopy", tcp_v0, transfer),
	{ EVENT(WMI_LOG_TYPE_TCPIP_FAIL, "TcpIp/Fail", { 2, 2, fail }) },
	BOTH(WMI_LOG_TYPE_UDPIP_SEND, "UdpIp/Send", udp_v0, transfer),
	BOTH(WMI_LOG_TYPE_UDPIP_RECEIVE, "UdpIp/Recv", udp_v0, transfer),
	{ EVENT(0x0811, "UdpIp/Fail", { 2, 2, fail }) },
	{ }
};
