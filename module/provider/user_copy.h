/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The etw authors */
/* Copies of a few bytes of user memory, without a call. */
#ifndef ETW_USER_COPY_H
#define ETW_USER_COPY_H

#include <linux/build_bug.h>
#include <linux/types.h>
#include <linux/uaccess.h>
#include "compat.h"

/* Longer copies cost less by copy_from_user() than by words. */
#define ETW_FEW_USER_BYTES	96U

/* Reads one value; needs a label "fault". @to may be at any address. */
#define etw_user_read(type, to, from)							\
do {											\
	type taken;									\
											\
	unsafe_get_user(taken, (const type __user *)(from), fault);			\
	((struct { type value; } __packed *)(to))->value = taken;			\
} while (0)

/* Reads word @n of an object, if it has one; with constant sizes no check is left of it */
#define etw_user_read_word(n, to, from, size)						\
do {											\
	const size_t at = (n) * sizeof(u64);						\
											\
	if ((size) > at)								\
		etw_user_read(u64, (to) + at, (from) + at);				\
} while (0)

/**
 * etw_user_copy_object() - etw_user_copy() of an object, without a loop
 * @to: the object
 * @from: the program's
 * @size: its size: constant, a multiple of 8, at most ETW_FEW_USER_BYTES
 *
 * Context: process; sleeps. Return: 0 or -EFAULT.
 */
static __always_inline int etw_user_copy_object(u8 *to, const u8 __user *from, const size_t size)
{
	BUILD_BUG_ON(size % sizeof(u64) || size > ETW_FEW_USER_BYTES);
	if (!ETW_OPENS_USER_MEMORY)
		return copy_from_user(to, from, size) ? -EFAULT : 0;
	might_fault();
	if (unlikely(!user_read_access_begin(from, size)))
		return -EFAULT;
	etw_user_read_word(0, to, from, size);
	etw_user_read_word(1, to, from, size);
	etw_user_read_word(2, to, from, size);
	etw_user_read_word(3, to, from, size);
	etw_user_read_word(4, to, from, size);
	etw_user_read_word(5, to, from, size);
	etw_user_read_word(6, to, from, size);
	etw_user_read_word(7, to, from, size);
	etw_user_read_word(8, to, from, size);
	etw_user_read_word(9, to, from, size);
	etw_user_read_word(10, to, from, size);
	etw_user_read_word(11, to, from, size);
	user_read_access_end();
	return 0;
fault:
	user_read_access_end();
	return -EFAULT;
}

/* Only between user_read_access_begin() and user_read_access_end(); calls nothing. */
static __always_inline bool etw_user_copy_words(u8 *to, const u8 __user *from, u32 size)
{
	const size_t words = size & ~7UL;
	size_t at = 0;

	for (; at + 32 <= words; at += 32) {
		etw_user_read(u64, to + at, from + at);
		etw_user_read(u64, to + at + 8, from + at + 8);
		etw_user_read(u64, to + at + 16, from + at + 16);
		etw_user_read(u64, to + at + 24, from + at + 24);
	}
	for (; at < words; at += 8)
		etw_user_read(u64, to + at, from + at);
	if (at == size)
		return true;
	if (size & 4) {
		etw_user_read(u32, to + at, from + at);
		at += 4;
	}
	if (size & 2) {
		etw_user_read(u16, to + at, from + at);
		at += 2;
	}
	if (size & 1)
		etw_user_read(u8, to + at, from + at);
	return true;
fault:
	return false;
}

/**
 * etw_user_copy() - copy_from_user() for copies that are mostly short
 * @to: at least @size bytes; the caller has checked that, because this function does not
 * @from: the program's
 * @size: bytes
 *
 * A copy of 16 bytes by copy_from_user() costs a hundred instructions, of which two copy.
 *
 * Context: process; sleeps. Return: 0 or -EFAULT.
 */
static __always_inline int etw_user_copy(void *to, const void __user *from, u32 size)
{
	bool done;

	if (!ETW_OPENS_USER_MEMORY || unlikely(size > ETW_FEW_USER_BYTES))
		return copy_from_user(to, from, size) ? -EFAULT : 0;
	/* as copy_from_user(), which succeeds for 0 bytes at any address */
	if (!size)
		return 0;
	might_fault();
	if (unlikely(!user_read_access_begin(from, size)))
		return -EFAULT;
	done = etw_user_copy_words(to, from, size);
	user_read_access_end();
	return likely(done) ? 0 : -EFAULT;
}

#endif /* ETW_USER_COPY_H */
