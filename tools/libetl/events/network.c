// SPDX-License-Identifier: GPL-2.0
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

static const struct form transfer4[] = { ENDS4, NUMBERS, F_END };
static const struct form transfer6[] = { ENDS6, NUMBERS, F_END };
static const struct form send4[] = { ENDS4, TIMES, NUMBERS, F_END };
static const struct form send6[] = { ENDS6, TIMES, NUMBERS, F_END };
static const struct form connect4[] = { ENDS4, OPTIONS, NUMBERS, F_END };
static const struct form connect6[] = { ENDS6, OPTIONS, NUMBERS, F_END };
static const struct form fail[] = { F_U("Protocol", 2), F_U("FailureCode", 2), F_END };

/* A row for each family: the names differ in their ends */
#define BOTH(hook_id, name, forms) \
	{ EVENT(hook_id, name, { 2, 2, forms ## 4 }) }, \
	{ EVENT(WMI_LOG_TYPE_IPV6(hook_id), name "IPV6", { 2, 2, forms ## 6 }) }

const struct etl_event events_network[] = {
	BOTH(WMI_LOG_TYPE_TCPIP_SEND, "TcpIp/Send", send),
	BOTH(WMI_LOG_TYPE_TCPIP_RECEIVE, "TcpIp/Recv", transfer),
	BOTH(WMI_LOG_TYPE_TCPIP_CONNECT, "TcpIp/Connect", connect),
	BOTH(WMI_LOG_TYPE_TCPIP_DISCONNECT, "TcpIp/Disconnect", transfer),
	BOTH(WMI_LOG_TYPE_TCPIP_RETRANSMIT, "TcpIp/Retransmit", transfer),
	BOTH(WMI_LOG_TYPE_TCPIP_ACCEPT, "TcpIp/Accept", connect),
	BOTH(WMI_LOG_TYPE_TCPIP_RECONNECT, "TcpIp/Reconnect", transfer),
	BOTH(0x0612, "TcpIp/TCPCopy", transfer),
	{ EVENT(WMI_LOG_TYPE_TCPIP_FAIL, "TcpIp/Fail", { 2, 2, fail }) },
	BOTH(WMI_LOG_TYPE_UDPIP_SEND, "UdpIp/Send", transfer),
	BOTH(WMI_LOG_TYPE_UDPIP_RECEIVE, "UdpIp/Recv", transfer),
	{ EVENT(0x0811, "UdpIp/Fail", { 2, 2, fail }) },
	{ }
};
