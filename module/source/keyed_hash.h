/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The etw authors */
/* SipHash of few words that come again soon, such as the ids of files in use. */
#ifndef ETW_KEYED_HASH_H
#define ETW_KEYED_HASH_H

#include <linux/siphash.h>

void etw_keyed_hash_init(void);
void etw_keyed_hash_exit(void);
u64 etw_keyed_hash_1(const siphash_key_t *key, u64 first);
u64 etw_keyed_hash_3(const siphash_key_t *key, u64 first, u64 second, u64 third);

#endif /* ETW_KEYED_HASH_H */
