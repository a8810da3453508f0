/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The etw authors */
/* A call that will be made, and what all of them have in common. */
#ifndef ETW_FUZZ_PROVIDER_CALL_H
#define ETW_FUZZ_PROVIDER_CALL_H

#include "fuzz_provider.h"

/**
 * struct call - one that will be made
 * @kind: EVENT, WRITE, MESSAGE or MODERN
 * @file: through which file
 * @argument: address of the request, or of what is written
 * @size: of what is written
 * @event: address of the event; 0: there is none
 * @mark: where its mark stands
 * @edited: the handle must be in the event's header afterwards, whatever comes of it
 * @must: errors, one of which it must give; 0: it may succeed
 * @slot: the session; SLOTS: none
 * @total: bytes of the record, where nothing speaks against it
 * @exact: its payload is the pattern
 */
struct call {
	enum kind kind;
	int file;
	__u64 argument;
	__u64 size;
	__u64 event;
	__u64 mark;
	int edited;
	errors must;
	enum slot slot;
	__u64 total;
	int exact;
};

/* A request that may be cut off; what is not there reads as zero */
static inline int look(struct worker *w, __u64 address, void *to, __u32 size)
{
	const __u8 *p = peek(w, address, size);

	memset(to, 0, size);
	if (p)
		memcpy(to, p, size);
	return !!p;
}

static inline void model_handle(struct call *c, __u64 handle)
{
	__u16 id = ETW_HANDLE_LOGGER_ID(handle);
	int i;

	c->slot = SLOTS;
	if (!id || id == 0xFFFF || handle & ETW_HANDLE_PRIVATE) {
		c->must |= E(EBADF);
		return;
	}
	for (i = 0; i < SLOTS; i++)
		if (shared->logger[i] == id)
			c->slot = i;
	if (c->slot == SLOTS)
		c->must |= E(EBADF);
}

/* May the caller write there, and such a thing? */
static inline void model_rights(struct worker *w, struct call *c, __u32 needs)
{
	const struct wanted *wanted;

	if (c->slot == SLOTS)
		return;
	wanted = &plans[c->slot].wanted;
	if (wanted->mode & EVENT_TRACE_SYSTEM_LOGGER_MODE)
		needs |= ETW_PROVIDER_KERNEL_SESSION;
	if (needs & ~wanted->provider.flags || (!w->control && wanted->uid != NOBODY))
		c->must |= E(EACCES);
}

static inline __u32 capacity(enum slot slot)
{
	return plans[slot].wanted.buffer_kb * 1024 - sizeof(struct wmi_buffer_header);
}

/* What follows a header in one piece, or is scattered; its bytes go to scratch */
static inline void model_data(struct worker *w, struct call *c, __u64 at, __u32 size)
{
	const __u8 *p = peek(w, at, size);

	if (size && !p)
		c->must |= E(EFAULT);
	if (c->total + size <= ETW_MAX_RECORD && p)
		memcpy(w->scratch + c->total, p, size);
	c->total += size;
}

#endif /* ETW_FUZZ_PROVIDER_CALL_H */
