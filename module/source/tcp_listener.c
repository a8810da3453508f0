// SPDX-License-Identifier: GPL-2.0
/* Who listens on which port of TCP: whose the connections are that come in. */
#include <linux/in.h>
#include <linux/kprobes.h>
#include <linux/ptrace.h>
#include <net/inet_sock.h>
#include <net/sock.h>
#include <net/tcp_states.h>
#include "net.h"
#include "socket_table.h"
#include "source.h"
#include "tcp_listener.h"

/*
 * A place in the table goes when its listener stops. So it must not come for one that
 * never began, nor by another key than that by which it goes: a socket that listens
 * without bind() gets its port after its state has changed, before it is hashed.
 */

static u64 key_of(const struct sock *sk)
{
	return etw_listener_key(sock_net(sk), ntohs(inet_sk(sk)->inet_sport));
}

static bool listens(const struct sock *sk)
{
	return sk->sk_protocol == IPPROTO_TCP && READ_ONCE(sk->sk_state) == TCP_LISTEN;
}

static void note_caller(const struct sock *sk)
{
	struct etw_socket *socket = etw_socket_get(key_of(sk));

	if (socket)
		WRITE_ONCE(socket->process_id, etw_net_caller());
}

/**
 * etw_tcp_listener_process() - who listens or waits where a connection came in
 * @child: the connection
 *
 * Context: any. Return: the process; 0: nobody that we saw.
 */
u32 etw_tcp_listener_process(const struct sock *child)
{
	const struct etw_socket *socket = etw_socket_find(key_of(child));

	return socket ? READ_ONCE(socket->process_id) : 0;
}

/**
 * etw_tcp_enter_hash() - inet_hash(sk), inet6_hash(sk): a listener has its port
 * @kprobe: there
 * @regs: arguments
 *
 * Context: under the socket's lock. Return: 0.
 */
int etw_tcp_enter_hash(struct kprobe *kprobe, struct pt_regs *regs)
{
	const struct sock *sk = (const struct sock *)regs_get_kernel_argument(regs, 0);

	if (etw_listeners_of(&etw_source_tcp) && listens(sk))
		note_caller(sk);
	return 0;
}

/**
 * etw_tcp_enter_accept() - inet_csk_accept(sk, ...): who waits for connections is who listens
 * @kprobe: there
 * @regs: arguments
 *
 * Context: without the socket's lock yet: it may stop to listen. Return: 0.
 */
int etw_tcp_enter_accept(struct kprobe *kprobe, struct pt_regs *regs)
{
	const struct sock *sk = (const struct sock *)regs_get_kernel_argument(regs, 0);

	if (!etw_listeners_of(&etw_source_tcp) || !listens(sk))
		return 0;
	note_caller(sk);
	/* a new place came by cmpxchg(), which pairs with the barrier where it stops */
	if (!listens(sk))
		etw_socket_drop(key_of(sk));
	return 0;
}

/**
 * etw_tcp_enter_listen_stop() - inet_csk_listen_stop(sk): its state is CLOSE by now
 * @kprobe: there
 * @regs: arguments
 *
 * Context: under the socket's lock. Return: 0.
 */
int etw_tcp_enter_listen_stop(struct kprobe *kprobe, struct pt_regs *regs)
{
	const struct sock *sk = (const struct sock *)regs_get_kernel_argument(regs, 0);

	/* its state before the table: whoever makes a place that isn't seen here sees that */
	smp_mb();
	if (sk->sk_protocol == IPPROTO_TCP)
		etw_socket_drop(key_of(sk));
	return 0;
}
