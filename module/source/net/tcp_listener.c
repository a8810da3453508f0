// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* Processes that listen on TCP ports: incoming connections are attributed to them. */
#include <linux/in.h>
#include <linux/kprobes.h>
#include <linux/ptrace.h>
#include <linux/random.h>
#include <linux/siphash.h>
#include <linux/string.h>
#include <net/inet_sock.h>
#include <net/ipv6.h>
#include <net/sock.h>
#include <net/tcp_states.h>
#include "net.h"
#include "socket_table.h"
#include "source/source.h"
#include "tcp_listener.h"

/*
 * Several sockets may listen on a port at once, each at its own address. A listener bound to
 * a local address gets the connections to that address. Other connections go to a listener
 * on all addresses: of IPv4, of IPv6, or of both with one IPv6 socket. So a key is made of
 * all of these. Its 63 bits are practically unique, and no program can guess them.
 *
 * A slot is released when its listener stops. So each slot needs a listener that really
 * began, and must have the same key at both times: a socket that listens without bind()
 * gets its port after its state has changed, before it is hashed.
 */

static siphash_key_t secret;

/* @both: all IPv4 and IPv6 addresses; else only @at, IPv4 in IPv4-mapped form */
static u64 key_at(const struct sock *sk, const struct in6_addr *at, bool both)
{
	u64 rest = (u64)both << 16 | (__force u16)inet_sk(sk)->inet_sport, half[2];

	memcpy(half, at, sizeof(half));
	return siphash_4u64((unsigned long)sock_net(sk), half[0], half[1], rest, &secret) | 1;
}

/* A socket's local address. Return: whether it is IPv6. */
static bool local_address(const struct sock *sk, struct in6_addr *at)
{
#if IS_ENABLED(CONFIG_IPV6)
	*at = sk->sk_v6_rcv_saddr;
	if (sk->sk_family == AF_INET6 && !ipv6_addr_v4mapped(at))
		return true;
#endif
	ipv6_addr_set_v4mapped(inet_sk(sk)->inet_rcv_saddr, at);
	return false;
}

static u64 key_of(const struct sock *sk)
{
	struct in6_addr at;
	bool ipv6 = local_address(sk, &at);

	return key_at(sk, &at, ipv6 && ipv6_addr_any(&at) && !ipv6_only_sock(sk));
}

static u32 process_at(u64 key)
{
	const struct etw_socket *socket = etw_socket_find(key);

	return socket ? READ_ONCE(socket->process_id) : 0;
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
 * etw_tcp_listeners_prepare() - make the keys' secret, before the first probe
 *
 * Context: process.
 */
void etw_tcp_listeners_prepare(void)
{
	get_random_bytes(&secret, sizeof(secret));
}

/**
 * etw_tcp_listener_process() - process that listens at the local end of a connection
 * @child: the connection
 *
 * The most specific listener is used, in the kernel's own order of lookup.
 *
 * Context: any. Return: the process last seen to listen or wait there; 0: none.
 */
u32 etw_tcp_listener_process(const struct sock *child)
{
	struct in6_addr at, all = IN6ADDR_ANY_INIT;
	bool ipv6 = local_address(child, &at);
	u64 both = key_at(child, &all, true);

	if (!ipv6)
		ipv6_addr_set_v4mapped(htonl(INADDR_ANY), &all);
	return process_at(key_at(child, &at, false)) ?:
	       process_at(key_at(child, &all, false)) ?: process_at(both);
}

/**
 * etw_tcp_enter_hash() - inet_hash(sk), inet6_hash(sk): a listener has its port
 * @kprobe: the probe
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
 * etw_tcp_enter_accept() - inet_csk_accept(sk, ...): the accepting process counts as listener
 * @kprobe: the probe
 * @regs: arguments
 *
 * Context: not under the socket's lock yet, so it may stop listening. Return: 0.
 */
int etw_tcp_enter_accept(struct kprobe *kprobe, struct pt_regs *regs)
{
	const struct sock *sk = (const struct sock *)regs_get_kernel_argument(regs, 0);

	if (!etw_listeners_of(&etw_source_tcp) || !listens(sk))
		return 0;
	note_caller(sk);
	/* cmpxchg() claimed a new slot; it pairs with smp_mb() in etw_tcp_enter_listen_stop() */
	if (!listens(sk))
		etw_socket_drop(key_of(sk));
	return 0;
}

/**
 * etw_tcp_enter_listen_stop() - inet_csk_listen_stop(sk): its state is CLOSE by now
 * @kprobe: the probe
 * @regs: arguments
 *
 * Context: under the socket's lock. Return: 0.
 */
int etw_tcp_enter_listen_stop(struct kprobe *kprobe, struct pt_regs *regs)
{
	const struct sock *sk = (const struct sock *)regs_get_kernel_argument(regs, 0);

	/* state before table: a CPU that adds a slot which is not seen here sees the state */
	smp_mb();
	if (sk->sk_protocol == IPPROTO_TCP)
		etw_socket_drop(key_of(sk));
	return 0;
}
