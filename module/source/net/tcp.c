// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* TCP: data sent and received, connect, disconnect, retransmit. */
#include <linux/jiffies.h>
#include <linux/tcp.h>
#include <net/inet_connection_sock.h>
#include <net/tcp.h>
#include <net/tcp_states.h>
#include <trace/events/sock.h>
#include <trace/events/tcp.h>
#include "compat.h"
#include "record/thread_ids.h"
#include "source/function_probe.h"
#include "net.h"
#include "source/probe.h"
#include "socket_table.h"
#include "source/source.h"
#include "tcp_fail.h"
#include "tcp_listener.h"

/*
 * Bytes are counted as TCP counts them: a sending call adds what it moves write_seq
 * forward, a receiving call takes what it moves copied_seq forward. All calls that move
 * them use the functions below, under the socket's lock: write, sendfile, splice,
 * io_uring and the kernel's own users. So no kretprobe has to follow calls that sleep.
 */

/* Connects that are followed at once: each lasts only until its SYN is sent */
#define MOST_CONNECTS	256

#define STATES_OF_DATA	(TCPF_ESTABLISHED | TCPF_SYN_SENT | TCPF_SYN_RECV | TCPF_FIN_WAIT1 | \
			 TCPF_FIN_WAIT2 | TCPF_CLOSE_WAIT)

/* Sends of unknown size, because the table had no slot for the socket */
static atomic64_t unknown_sends = ATOMIC64_INIT(0);

static bool has_data(const struct sock *sk)
{
	return 1 << READ_ONCE(sk->sk_state) & STATES_OF_DATA;
}

/* @in_call: the current thread uses the socket */
static struct etw_socket *used_now(const struct sock *sk, bool in_call)
{
	struct etw_socket *socket = etw_socket_get(etw_socket_key(sk));

	if (socket && in_call)
		WRITE_ONCE(socket->process_id, etw_process_id(current));
	return socket;
}

static u32 process_of(u64 key)
{
	const struct etw_socket *socket = etw_socket_find(key);

	return socket ? READ_ONCE(socket->process_id) : 0;
}

static void write_transfer(u16 hook_id, const struct sock *sk, u32 process_id, u32 size,
			   u32 sequence)
{
	const struct wmi_ip_transfer transfer = { .sequence = sequence };
	struct etw_net_ends ends __uninitialized;

	etw_net_ends_of_socket(&ends, sk);
	etw_net_write(&etw_source_tcp, hook_id, process_id, size, &ends, &transfer,
		      sizeof(transfer));
}

/* Record data that is in the stream and not recorded yet; our FIN is no data. */
static void write_sent(const struct sock *sk, struct etw_socket *socket)
{
	struct wmi_tcp_send send = {
		.start_time = READ_ONCE(socket->since),
		.end_time = jiffies - INITIAL_JIFFIES,
		.transfer.sequence = READ_ONCE(socket->sent),
	};
	u32 size = tcp_sk(sk)->write_seq - send.transfer.sequence;
	struct etw_net_ends ends __uninitialized;

	if (!READ_ONCE(socket->knows_sent) || !size || size > S32_MAX)
		return;
	WRITE_ONCE(socket->sent, tcp_sk(sk)->write_seq);
	etw_net_ends_of_socket(&ends, sk);
	etw_net_write(&etw_source_tcp, WMI_LOG_TYPE_TCPIP_SEND,
		      etw_net_process(sk, READ_ONCE(socket->process_id)), size, &ends, &send,
		      sizeof(send));
}

/* tcp_sendmsg_locked(sk, ...), do_tcp_sendpages(sk, ...): a send begins. */
static int enter_send(struct kprobe *kprobe, struct pt_regs *regs)
{
	const struct sock *sk = (const struct sock *)regs_get_kernel_argument(regs, 0);
	struct etw_socket *socket;

	if (!etw_listeners_of(&etw_source_tcp) || !has_data(sk))
		return 0;
	socket = used_now(sk, etw_net_in_call(sk));
	if (!socket) {
		atomic64_inc(&unknown_sends);
		return 0;
	}
	WRITE_ONCE(socket->since, (u32)(jiffies - INITIAL_JIFFIES));
	if (READ_ONCE(socket->knows_sent))
		return 0;
	WRITE_ONCE(socket->sent, tcp_sk(sk)->write_seq);
	WRITE_ONCE(socket->knows_sent, true);
	return 0;
}

/*
 * tcp_push(sk, ...): a call has put all its data, or all that fits, into the stream; for
 * sendfile, only the last page calls it. Data of a call that began before the session
 * listened is not recorded.
 */
static int enter_push(struct kprobe *kprobe, struct pt_regs *regs)
{
	const struct sock *sk = (const struct sock *)regs_get_kernel_argument(regs, 0);
	struct etw_socket *socket;

	if (!etw_listeners_of(&etw_source_tcp))
		return 0;
	socket = etw_socket_find(etw_socket_key(sk));
	if (socket)
		write_sent(sk, socket);
	return 0;
}

/*
 * tcp_recvmsg(sk, ...): not under the lock yet. Counting begins at the first call that is
 * seen; what other threads take meanwhile is added to it.
 */
static int enter_recvmsg(struct kprobe *kprobe, struct pt_regs *regs)
{
	const struct sock *sk = (const struct sock *)regs_get_kernel_argument(regs, 0);
	struct etw_socket *socket;

	if (!etw_listeners_of(&etw_source_tcp) || !has_data(sk))
		return 0;
	socket = used_now(sk, etw_probed_in_task());
	if (!socket || READ_ONCE(socket->knows_received))
		return 0;
	WRITE_ONCE(socket->received, READ_ONCE(tcp_sk(sk)->copied_seq));
	WRITE_ONCE(socket->knows_received, true);
	return 0;
}

/* How far copied_seq moved; its last step is the peer's FIN, which sets SOCK_DONE. */
static u32 data_since(const struct sock *sk, u32 from, u32 now)
{
	u32 size = now - from;

	if (size && sock_flag(sk, SOCK_DONE) && now == READ_ONCE(tcp_sk(sk)->rcv_nxt))
		size--;
	return size;
}

/*
 * tcp_cleanup_rbuf(sk, copied): a call has taken data. @copied is the call's total, is
 * passed several times by some calls, and includes data that was only peeked at (MSG_PEEK).
 * So copied_seq is used; @copied only if the table had no slot for the socket.
 */
static int enter_cleanup_rbuf(struct kprobe *kprobe, struct pt_regs *regs)
{
	const struct sock *sk = (const struct sock *)regs_get_kernel_argument(regs, 0);
	int copied = (int)regs_get_kernel_argument(regs, 1);
	u32 now, from, size = max(copied, 0), process_id = 0;
	struct etw_socket *socket;

	if (!etw_listeners_of(&etw_source_tcp))
		return 0;
	socket = has_data(sk) ? used_now(sk, etw_net_in_call(sk)) :
				etw_socket_find(etw_socket_key(sk));
	now = READ_ONCE(tcp_sk(sk)->copied_seq);
	from = now - size;
	if (socket) {
		process_id = READ_ONCE(socket->process_id);
		if (READ_ONCE(socket->knows_received)) {
			from = READ_ONCE(socket->received);
			size = min(size, data_since(sk, from, now));
		}
		WRITE_ONCE(socket->received, now);
		WRITE_ONCE(socket->knows_received, true);
	}
	if (size)
		write_transfer(WMI_LOG_TYPE_TCPIP_RECEIVE, sk, etw_net_process(sk, process_id),
			       size, from);
	return 0;
}

/* The handshake is complete: the connection and its byte counts begin. */
static void write_established(u16 hook_id, const struct sock *sk, u32 process_id)
{
	struct etw_socket *socket = etw_socket_get(etw_socket_key(sk));
	const struct tcp_sock *tp = tcp_sk(sk);
	const struct wmi_tcp_connect connect = {
		.mss = tp->mss_cache,
		.sack = !!tp->rx_opt.sack_ok,
		.timestamps = tp->rx_opt.tstamp_ok,
		.scaling = tp->rx_opt.wscale_ok,
		.receive_window = tp->rcv_wnd,
		.receive_scale = tp->rx_opt.rcv_wscale,
		.send_scale = tp->rx_opt.snd_wscale,
	};
	struct etw_net_ends ends __uninitialized;

	if (socket) {
		WRITE_ONCE(socket->process_id, process_id);
		WRITE_ONCE(socket->sent, tp->write_seq);
		WRITE_ONCE(socket->knows_sent, true);
		WRITE_ONCE(socket->received, tp->copied_seq);
		WRITE_ONCE(socket->knows_received, true);
	}
	etw_net_ends_of_socket(&ends, sk);
	etw_net_write(&etw_source_tcp, hook_id, process_id, 0, &ends, &connect, sizeof(connect));
}

/*
 * A connection ends for its user when the peer closes (CLOSE_WAIT), or when it is over.
 * Each connection has one Disconnect, for whichever comes first.
 */
static bool disconnects(int old, int new)
{
	if (new == TCP_CLOSE_WAIT)
		return true;
	return new == TCP_CLOSE && 1 << old & (TCPF_ESTABLISHED | TCPF_FIN_WAIT1 | TCPF_FIN_WAIT2 |
					       TCPF_CLOSING);
}

/*
 * A socket changes its state, under its lock. Listeners do not come here. An accepted
 * child begins as a copy of its listener: the change from LISTEN to SYN_RECV is the child's.
 */
static void state_changes(const struct sock *sk, int old, int new)
{
	u64 key = etw_socket_key(sk);

	/* for an accepted socket, the handshake's last packet arrived in an unrelated task */
	if (new == TCP_SYN_SENT)
		used_now(sk, etw_net_in_call(sk));
	else if (old == TCP_SYN_SENT && new == TCP_ESTABLISHED)
		write_established(WMI_LOG_TYPE_TCPIP_CONNECT, sk,
				  etw_net_process(sk, process_of(key)));
	else if (old == TCP_SYN_RECV && new == TCP_ESTABLISHED)
		write_established(WMI_LOG_TYPE_TCPIP_ACCEPT, sk,
				  etw_tcp_listener_process(sk) ?: ETW_SYSTEM_PROCESS_ID);
	else if (old == TCP_SYN_SENT && new == TCP_CLOSE)
		etw_tcp_failed(sk);
	else if (disconnects(old, new))
		write_transfer(WMI_LOG_TYPE_TCPIP_DISCONNECT, sk,
			       etw_net_process(sk, process_of(key)), 0, 0);
	/* before FIN takes a sequence number: a page that waited for more data */
	if ((new == TCP_FIN_WAIT1 || new == TCP_LAST_ACK) && etw_socket_find(key))
		write_sent(sk, etw_socket_find(key));
}

/*
 * tcp_v4_destroy_sock(sk), called for IPv6 too: the socket's end. Data that arrived before
 * CLOSE may have been read until now.
 */
static int enter_destroy(struct kprobe *kprobe, struct pt_regs *regs)
{
	const struct sock *sk = (const struct sock *)regs_get_kernel_argument(regs, 0);

	etw_socket_drop(etw_socket_key(sk));
	return 0;
}

ETW_PROBE(inet_sock_set_state,
	  TP_PROTO(const struct sock *sk, const int old, const int new),
	  TP_ARGS(sk, old, new))
{
	if (sk->sk_protocol != IPPROTO_TCP)
		return;
	if (etw_listeners_of(source))
		state_changes(sk, old, new);
}

/* A repeated SYN is another attempt to connect. */
ETW_PROBE(tcp_retransmit_skb, TP_PROTO(ETW_TCP_RETRANSMIT_ARGS), ETW_TCP_RETRANSMIT_NAMES)
{
	u16 hook_id = sk->sk_state == TCP_SYN_SENT ? WMI_LOG_TYPE_TCPIP_RECONNECT :
						     WMI_LOG_TYPE_TCPIP_RETRANSMIT;
	u64 key = etw_socket_key(sk);

	if (etw_tcp_retransmit_err)
		return;
	if (etw_listeners_of(source))
		write_transfer(hook_id, sk, etw_net_process(sk, process_of(key)), skb->len,
			       TCP_SKB_CB(skb)->seq);
}

#define CONNECTS(symbol_, optional_) { \
	.symbol = (symbol_), \
	.optional = (optional_), \
	.returns = true, \
	.kretprobe = { \
		.entry_handler = etw_tcp_enter_connect, \
		.handler = etw_tcp_return_connect, \
		.data_size = sizeof(const struct sock *), \
		.maxactive = MOST_CONNECTS, \
	}, \
}

/* Registered in this order: functions that use noted numbers before those that note them */
static struct etw_function_probe functions[] = {
	CONNECTS("tcp_v4_connect", false),
	CONNECTS("tcp_v6_connect", true),
	{ .symbol = "tcp_push", .entry = enter_push },
	{ .symbol = "tcp_sendmsg_locked", .entry = enter_send },
	{ .symbol = "do_tcp_sendpages", .entry = enter_send, .elsewhere = true },
	{ .symbol = "tcp_cleanup_rbuf", .entry = enter_cleanup_rbuf },
	{ .symbol = "tcp_recvmsg", .entry = enter_recvmsg },
	{ .symbol = "inet_hash", .entry = etw_tcp_enter_hash },
	{ .symbol = "inet6_hash", .entry = etw_tcp_enter_hash, .elsewhere = true },
	{ .symbol = "inet_csk_accept", .entry = etw_tcp_enter_accept },
	{ .symbol = "inet_csk_listen_stop", .entry = etw_tcp_enter_listen_stop },
	{ .symbol = "tcp_v4_destroy_sock", .entry = enter_destroy },
};

static int prepare(struct etw_source *source)
{
	etw_tcp_listeners_prepare();
	return etw_sockets_prepare();
}

static void unprepare(struct etw_source *source)
{
	etw_sockets_unprepare();
}

static u64 missed(const struct etw_source *source)
{
	return atomic64_read(&unknown_sends);
}

ETW_SOURCE(ETW_ORDER_ANY, tcp) = {
	.name = "TCP",
	.groups = ETW_GROUPS(PERF_NETWORK),
	.hooks = ETW_HOOKS(WMI_LOG_TYPE_TCPIP_SEND, WMI_LOG_TYPE_IPV6(WMI_LOG_TYPE_TCPIP_SEND),
			   WMI_LOG_TYPE_TCPIP_RECEIVE,
			   WMI_LOG_TYPE_IPV6(WMI_LOG_TYPE_TCPIP_RECEIVE),
			   WMI_LOG_TYPE_TCPIP_CONNECT,
			   WMI_LOG_TYPE_IPV6(WMI_LOG_TYPE_TCPIP_CONNECT),
			   WMI_LOG_TYPE_TCPIP_DISCONNECT,
			   WMI_LOG_TYPE_IPV6(WMI_LOG_TYPE_TCPIP_DISCONNECT),
			   WMI_LOG_TYPE_TCPIP_RETRANSMIT,
			   WMI_LOG_TYPE_IPV6(WMI_LOG_TYPE_TCPIP_RETRANSMIT),
			   WMI_LOG_TYPE_TCPIP_ACCEPT, WMI_LOG_TYPE_IPV6(WMI_LOG_TYPE_TCPIP_ACCEPT),
			   WMI_LOG_TYPE_TCPIP_RECONNECT,
			   WMI_LOG_TYPE_IPV6(WMI_LOG_TYPE_TCPIP_RECONNECT),
			   WMI_LOG_TYPE_TCPIP_FAIL),
	.functions = functions,
	.nr_functions = ARRAY_SIZE(functions),
	.points = ETW_POINTS({ .probe = &probe_inet_sock_set_state },
			     { .probe = &probe_tcp_retransmit_skb }),
	.prepare = prepare,
	.unprepare = unprepare,
	.missed = missed,
};
