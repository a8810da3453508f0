/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The etw authors */
/* Keys in records that must be unique and must not show an address. */
#ifndef ETW_OPAQUE_KEY_H
#define ETW_OPAQUE_KEY_H

#include <linux/siphash.h>
#include "context/sink.h"
#include "source/keyed_hash.h"

/**
 * etw_opaque_key() - the key of a kernel object in a session's records
 * @sink: session sink
 * @object: the object's address, or any value that is unique during its lifetime
 *
 * A hash with the session's secret: it discloses neither the address nor whether two
 * sessions' keys are of the same object. (kernel-events.rst 4.3)
 *
 * Context: any. Return: the key; 0 only if @object is 0.
 */
static inline u64 etw_opaque_key(const struct etw_sink *sink, u64 object)
{
	const siphash_key_t key = { { sink->key[0], sink->key[1] } };

	return object ? siphash_1u64(object, &key) | 1 : 0;
}

/**
 * etw_opaque_key_cached() - etw_opaque_key() of an object that many events are about
 * @sink: session sink
 * @object: kernel object, or NULL
 *
 * Context: any. Return: the key; 0 only if @object is NULL.
 */
static inline u64 etw_opaque_key_cached(const struct etw_sink *sink, u64 object)
{
	const siphash_key_t key = { { sink->key[0], sink->key[1] } };

	return object ? etw_keyed_hash_1(&key, object) | 1 : 0;
}

#endif /* ETW_OPAQUE_KEY_H */
