// SPDX-License-Identifier: GPL-2.0
/* A table of sockets with a fixed number of places, and no locks. */
#include <linux/hash.h>
#include <linux/mm.h>
#include "socket_table.h"

/*
 * A socket has its place in the bucket that its key hashes to, wherever that has
 * one free. It comes with the first event that has something to remember, and goes
 * with the socket. Two CPUs that make a place for the same socket
 * at once leave two: everybody takes the first, and both go together.
 *
 * A place may be given to another socket while somebody who looked at this one
 * without its lock is about to write to it. What he writes is a number to count
 * from, or a process: no event is lost, one may have a wrong size.
 */

/* tests/guest/network/listeners.c wants more places than these are */
#define BUCKET_BITS	12
#define WAYS		8

static struct etw_socket (*buckets)[WAYS];

/**
 * etw_sockets_prepare() - an empty table
 *
 * Context: process; sleeps. Return: 0; -ENOMEM.
 */
int etw_sockets_prepare(void)
{
	buckets = kvcalloc(1 << BUCKET_BITS, sizeof(*buckets), GFP_KERNEL);
	return buckets ? 0 : -ENOMEM;
}

/**
 * etw_sockets_unprepare() - free it
 *
 * Nobody uses it any more. Context: process; sleeps.
 */
void etw_sockets_unprepare(void)
{
	kvfree(buckets);
	buckets = NULL;
}

static struct etw_socket *bucket_of(u64 key)
{
	return buckets[hash_64(key, BUCKET_BITS)];
}

/**
 * etw_socket_find() - what is remembered
 * @key: of what
 *
 * Context: any, between etw_sockets_prepare() and etw_sockets_unprepare().
 * Return: it, or NULL.
 */
struct etw_socket *etw_socket_find(u64 key)
{
	struct etw_socket *bucket = bucket_of(key);
	u32 i;

	for (i = 0; i < WAYS; i++)
		if (atomic64_read(&bucket[i].key) == key)
			return &bucket[i];
	return NULL;
}

/**
 * etw_socket_get() - what is remembered, or a place for it
 * @key: of what
 *
 * Context: as etw_socket_find(). Return: it; NULL when there is no place.
 */
struct etw_socket *etw_socket_get(u64 key)
{
	struct etw_socket *socket = etw_socket_find(key), *bucket = bucket_of(key);
	u32 i;

	for (i = 0; i < WAYS && !socket; i++)
		if (!atomic64_read(&bucket[i].key) &&
		    !atomic64_cmpxchg(&bucket[i].key, 0, key))
			socket = &bucket[i];
	return socket;
}

/**
 * etw_socket_drop() - forget
 * @key: whom
 *
 * Context: as etw_socket_find().
 */
void etw_socket_drop(u64 key)
{
	struct etw_socket *bucket = bucket_of(key);
	u32 i;

	for (i = 0; i < WAYS; i++) {
		if (atomic64_read(&bucket[i].key) != key)
			continue;
		WRITE_ONCE(bucket[i].process_id, 0);
		WRITE_ONCE(bucket[i].knows_sent, false);
		WRITE_ONCE(bucket[i].knows_received, false);
		WRITE_ONCE(bucket[i].connects, false);
		atomic64_set_release(&bucket[i].key, 0);
	}
}
