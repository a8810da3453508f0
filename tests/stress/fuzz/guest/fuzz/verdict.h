/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The etw authors */
/* A request, what may come of it, an extension in it: what all parts of the model share. */
#ifndef ETW_TEST_FUZZ_VERDICT_H
#define ETW_TEST_FUZZ_VERDICT_H

#include "fuzz.h"

#define AT(member)	offsetof(struct wmi_logger_information, member)
#define MAX_REFUSALS	128

/**
 * struct request - an ioctl about to be made
 * @kind: which
 * @cmd: its number
 * @fd: where
 * @fd_error: what that file says to any of ours; 0: it is the control node
 * @arg: address given to the kernel
 * @known: bytes of the structure
 * @least: of its first version
 * @length: bytes put at @arg
 * @block: where a block was put, @block_size bytes of it
 * @real: meant to change which sessions there are
 */
struct request {
	enum kind kind;
	unsigned long cmd;
	int fd;
	int fd_error;
	__u64 arg;
	__u32 known;
	__u32 least;
	__u32 length;
	__u64 block;
	__u32 block_size;
	int real;
};

/* A field that can be refused, and how */
struct refusal {
	int err;
	__u32 offset;
	__u32 reason;
	__u32 item;
};

/**
 * struct verdict - what may come of a request
 * @allowed: errors, or success
 * @refusals: of a block; each broken rule is one
 * @count: how many
 * @must: rules that are certainly broken
 * @id: logger id that was asked for
 * @information: address of the block
 * @information_size: its size
 * @flags: of struct etw_control
 * @nobody: the caller has no rights but those of the control file
 * @asked: QUERY was, of the session that UPDATE is for
 * @when: the StartTime that it returned; 0: it was not there
 * @number: of each type of item the one in the extension; 0: it has none
 * @masks: that are asked for, of an extension or not; with @mode
 * @mode: LogFileMode
 */
struct verdict {
	errors allowed;
	struct refusal refusals[MAX_REFUSALS];
	int count;
	int must;
	__u32 id;
	__u64 information;
	__u32 information_size;
	__u32 flags;
	int nobody;
	int asked;
	__u64 when;
	__u16 number[TYPES];
	__u32 masks[ETW_MASKS];
	__u32 mode;
};

/* STOP, QUERY, FLUSH of a logger id that is or isn't there */
static inline errors exists(struct worker *w, __u32 id, errors if_so)
{
	if (!id || id > ETW_MAX_LOGGERS)
		return E(ENOENT);
	if (!w->alone)
		return if_so | E(ENOENT);
	return w->mask & 1ULL << (id - 1) ? if_so : E(ENOENT);
}

static inline void may_refuse_item(struct verdict *v, int err, __u32 offset, __u32 reason,
				   __u32 item)
{
	if (v->count < MAX_REFUSALS)
		v->refusals[v->count++] = (struct refusal){ err, offset, reason, item };
	v->allowed |= E(err);
}

static inline void may_refuse(struct verdict *v, int err, __u32 offset, __u32 reason)
{
	may_refuse_item(v, err, offset, reason, 0);
}

static inline void refuse_if(struct verdict *v, int broken, int err, __u32 offset, __u32 reason)
{
	if (!broken)
		return;
	may_refuse(v, err, offset, reason);
	v->must++;
}

/**
 * struct extension - an extension being looked at
 * @v: verdict
 * @block: where it is in
 * @at: of each item: its first byte in the block; 0: it is not there. Of the
 *	old form's masks: four bytes before them
 * @number: of each item
 * @dwords: of its data
 * @bad: a rule is broken: what follows is not looked at
 */
struct extension {
	struct verdict *v;
	const __u8 *block;
	__u32 at[TYPES];
	__u32 number[TYPES];
	__u32 dwords[TYPES];
	int bad;
};

static inline __u32 dword_at(const __u8 *block, __u32 at)
{
	__u32 value;

	memcpy(&value, block + at, sizeof(value));
	return value;
}

/* Dword @i of an item; its header is 0 */
static inline __u32 item_dword(const struct extension *x, int type, __u32 i)
{
	return dword_at(x->block, x->at[type] + 4 * i);
}

static inline int wrong(struct extension *x, int err, __u32 at, __u32 reason, __u32 number)
{
	if (!x->bad) {
		may_refuse_item(x->v, err, at, reason, number);
		x->v->must++;
	}
	x->bad = 1;
	return 1;
}

static inline int wrong_in(struct extension *x, int type, __u32 i, int err, __u32 reason)
{
	return wrong(x, err, x->at[type] + 4 * i, reason, x->number[type]);
}

/* What was known to be right is wrong all the same, for certain. */
static inline void refuse_in(struct extension *x, int type, __u32 i, int err, __u32 reason)
{
	may_refuse_item(x->v, err, x->at[type] + 4 * i, reason, x->number[type]);
	x->v->must++;
}

/* Perhaps it is: that hangs on the machine. */
static inline void may_refuse_in(struct extension *x, int type, __u32 i, int err, __u32 reason)
{
	may_refuse_item(x->v, err, x->at[type] + 4 * i, reason, x->number[type]);
}

#endif /* ETW_TEST_FUZZ_VERDICT_H */
