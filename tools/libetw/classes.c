// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* Classes of events that RegisterTraceGuids() was given. */
#include <errno.h>
#include <string.h>
#include "libetw.h"

#define MAX_CLASSES	4096u

/**
 * struct event_class - a class
 * @guid: its GUID
 * @generation: odd while in use; with the index it makes the handle
 * @last: number of its last instance
 *
 * Events look classes up, in handlers of signals over anything and in children, so
 * there is no lock. Registration changes @guid only while @generation is even. A reader of
 * @guid compares @generation before and after.
 */
struct event_class {
	uint64_t guid[2];
	uint32_t generation;
	uint32_t last;
};

static struct event_class classes[MAX_CLASSES];

static uint32_t generation_of(const struct event_class *class)
{
	return __atomic_load_n(&class->generation, __ATOMIC_ACQUIRE);
}

/* No address: a wrong one can't be followed anywhere. */
static HANDLE handle_of(const struct event_class *class, uint32_t generation)
{
	return (HANDLE)(uintptr_t)((generation << 12 | (class - classes)) & 0x7FFFFFFF);
}

/* Whether @handle is that of the class, in that generation of it */
static bool is_of(HANDLE handle, const struct event_class *class, uint32_t generation)
{
	return (generation & 1) && handle == handle_of(class, generation);
}

static struct event_class *find(HANDLE handle)
{
	struct event_class *class = &classes[(uintptr_t)handle & (MAX_CLASSES - 1)];

	return is_of(handle, class, generation_of(class)) ? class : NULL;
}

/* Sequentially consistent, as the GUID's words are, so that all threads see one order */
static void next_generation(struct event_class *class)
{
	__atomic_add_fetch(&class->generation, 1, __ATOMIC_SEQ_CST);
}

HANDLE etw_class_add(const GUID *guid)
{
	struct event_class *class = classes;
	uint64_t words[2];

	while (class < classes + MAX_CLASSES && (generation_of(class) & 1))
		class++;
	if (class == classes + MAX_CLASSES)
		return NULL;
	memcpy(words, guid, sizeof(words));
	__atomic_store_n(&class->guid[0], words[0], __ATOMIC_SEQ_CST);
	__atomic_store_n(&class->guid[1], words[1], __ATOMIC_SEQ_CST);
	__atomic_store_n(&class->last, 0, __ATOMIC_SEQ_CST);
	next_generation(class);
	return handle_of(class, generation_of(class));
}

void etw_class_remove(HANDLE handle)
{
	struct event_class *class = find(handle);

	if (class)
		next_generation(class);
}

int etw_class_guid(HANDLE handle, struct etw_guid *guid)
{
	struct event_class *class = find(handle);
	uint64_t words[2];

	if (!class)
		return -EINVAL;
	words[0] = __atomic_load_n(&class->guid[0], __ATOMIC_SEQ_CST);
	words[1] = __atomic_load_n(&class->guid[1], __ATOMIC_SEQ_CST);
	/* it may be another class by now */
	if (!find(handle))
		return -EINVAL;
	memcpy(guid, words, sizeof(words));
	return 0;
}

uint32_t etw_class_next_instance(HANDLE handle)
{
	struct event_class *class = find(handle);

	return class ? __atomic_add_fetch(&class->last, 1, __ATOMIC_RELAXED) : 0;
}
