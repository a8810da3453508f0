/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The etw authors */
/* State of TCP sockets that is kept from one event to the next. */
#ifndef ETW_SOCKET_TABLE_H
#define ETW_SOCKET_TABLE_H

#include <linux/atomic.h>
#include <linux/types.h>
#include <net/sock.h>

/**
 * struct etw_socket - a socket, or an address and port with a listener
 * @key: etw_socket_key(), or an odd number for a listener (tcp_listener.c); 0: free
 * @process_id: last process seen to use it; 0: none
 * @sent: write_seq up to which data was recorded
 * @received: copied_seq up to which data was recorded
 * @since: jiffies when the sending call began
 * @knows_sent: @sent is valid
 * @knows_received: @received is valid
 * @connects: a connecting call is under way, and its return handler records the result
 *
 * @sent and @received change under the socket's lock only.
 */
struct etw_socket {
	atomic64_t key;
	u32 process_id;
	u32 sent;
	u32 received;
	u32 since;
	bool knows_sent;
	bool knows_received;
	bool connects;
};

/* Even, as the address of a socket is */
static inline u64 etw_socket_key(const struct sock *sk)
{
	return (unsigned long)sk;
}

int etw_sockets_prepare(void);
void etw_sockets_unprepare(void);
struct etw_socket *etw_socket_find(u64 key);
struct etw_socket *etw_socket_get(u64 key);
void etw_socket_drop(u64 key);

#endif /* ETW_SOCKET_TABLE_H */
