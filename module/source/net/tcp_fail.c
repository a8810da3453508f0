// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* Failed TCP connection attempts: 0611, with the reason. */
#include <linux/errno.h>
#include <net/sock.h>
#include "net.h"
#include "socket_table.h"
#include "source/source.h"
#include "tcp_fail.h"

/*
 * A failure on the way is in sk_err when the state changes. But a failure within
 * tcp_v4_connect() or tcp_v6_connect() (no route, no port, no memory) is only in the return
 * value, and some such failures change no state. So while one of them runs for a socket, its
 * return handler records the failure.
 */

static u16 fail_code(int err)
{
	switch (err) {
	case ENOMEM:
	case ENOBUFS:
		return ETW_TCP_FAIL_RESOURCES;
	case EADDRINUSE:
		return ETW_TCP_FAIL_ADDRESS_EXISTS;
	case EADDRNOTAVAIL:
	case ENETUNREACH:
	case EHOSTUNREACH:
		return ETW_TCP_FAIL_INVALID_ADDRESS;
	default:
		return ETW_TCP_FAIL_OTHER;
	}
}

static void write_event(const struct sock *sk, const struct etw_socket *socket, int err)
{
	u32 process_id = etw_net_process(sk, socket ? READ_ONCE(socket->process_id) : 0);
	struct etw_net_ends ends;

	etw_net_ends_of_socket(&ends, sk);
	etw_net_write_fail(&etw_source_tcp, process_id, ends.ipv6, fail_code(err));
}

/**
 * etw_tcp_enter_connect() - tcp_v4_connect(sk, ...), tcp_v6_connect(sk, ...) begin
 * @call: its data is the socket
 * @regs: arguments
 *
 * Context: under the socket's lock. Return: 1 if the return need not be seen.
 */
int etw_tcp_enter_connect(struct kretprobe_instance *call, struct pt_regs *regs)
{
	const struct sock *sk = (const struct sock *)regs_get_kernel_argument(regs, 0);
	struct etw_socket *socket;

	if (!etw_listeners_of(&etw_source_tcp))
		return 1;
	socket = etw_socket_get(etw_socket_key(sk));
	if (!socket)
		return 1;
	WRITE_ONCE(socket->connects, true);
	*(const struct sock **)call->data = sk;
	return 0;
}

/**
 * etw_tcp_return_connect() - tcp_v4_connect(sk, ...), tcp_v6_connect(sk, ...) end
 * @call: as etw_tcp_enter_connect() left it
 * @regs: result
 *
 * For ::ffff:a.b.c.d, tcp_v6_connect() calls tcp_v4_connect(): the first return records.
 *
 * Context: as etw_tcp_enter_connect(). Return: 0.
 */
int etw_tcp_return_connect(struct kretprobe_instance *call, struct pt_regs *regs)
{
	const struct sock *sk = *(const struct sock **)call->data;
	struct etw_socket *socket = etw_socket_find(etw_socket_key(sk));
	int err = (int)regs_return_value(regs);

	if (!socket || !READ_ONCE(socket->connects))
		return 0;
	WRITE_ONCE(socket->connects, false);
	if (err && etw_listeners_of(&etw_source_tcp))
		write_event(sk, socket, -err);
	return 0;
}

/**
 * etw_tcp_failed() - a socket goes from SYN_SENT to CLOSE
 * @sk: the socket
 *
 * Context: under the socket's lock.
 */
void etw_tcp_failed(const struct sock *sk)
{
	const struct etw_socket *socket = etw_socket_find(etw_socket_key(sk));

	if (!socket || !READ_ONCE(socket->connects))
		write_event(sk, socket, sk->sk_err);
}
