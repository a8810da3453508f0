// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* A lock-free table of sockets with a fixed number of slots. */
#include <linux/hash.h>
#include <linux/mm.h>
#include "socket_table.h"

/*
 * A socket has any slot of the bucket that its key hashes to, from its first event with a
 * value to remember until it is destroyed. Two CPUs that add the same socket at once leave
 * two slots: lookups use the first, and both are removed together.
 *
 * A slot may get another socket while a CPU without the first socket's lock is about to
 * write to it. The value is a byte position or a process: no event is lost, but one may
 * have a wrong size.
 */

/* tests/lib/guest/network/listeners.c needs more slots than there are */
#define BUCKET_BITS	12
#define WAYS		8

static struct etw_socket (*buckets)[WAYS];

/**
 * etw_sockets_prepare() - make an empty table
 *
 * Context: process; sleeps. Return: 0; -ENOMEM.
 */
int etw_sockets_prepare(void)
{
	buckets = kvcalloc(1 << BUCKET_BITS, sizeof(*buckets), GFP_KERNEL);
	return buckets ? 0 : -ENOMEM;
}

/**
 * etw_sockets_unprepare() - free the table
 *
 * Context: process, after the last probe; sleeps.
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
 * etw_socket_find() - find the slot of a socket or listener
 * @key: its key
 *
 * Context: any, between etw_sockets_prepare() and etw_sockets_unprepare().
 * Return: the slot, or NULL.
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
 * etw_socket_get() - find the slot of a socket or listener, or claim one
 * @key: its key
 *
 * Context: as etw_socket_find(). Return: the slot; NULL if the bucket is full.
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
 * etw_socket_drop() - release the slots of a socket or listener
 * @key: its key
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
