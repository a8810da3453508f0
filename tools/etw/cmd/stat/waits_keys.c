// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* Leads from the records of the trace to waits (declared in waits.h). */
#include <stdlib.h>
#include "libetl/array.h"
#include "waits.h"

/* So many keys are tried one by one before all others are searched */
#define STEPS	8

int wait_keys_add(struct wait_keys *keys, uint64_t time, uint32_t tid, uint32_t wait)
{
	if (!array_grow((void **)&keys->key, &keys->room, keys->count + 1, sizeof(*keys->key)))
		return -1;
	keys->key[keys->count++] = (struct wait_key){ .time = time, .tid = tid, .wait = wait };
	return 0;
}

static int compare(const void *left, const void *right)
{
	const struct wait_key *a = left, *b = right;

	if (a->time != b->time)
		return a->time < b->time ? -1 : 1;
	if (a->tid != b->tid)
		return a->tid < b->tid ? -1 : 1;
	return a->wait < b->wait ? -1 : a->wait > b->wait;
}

/* Those of switches are in order already, unless the file is damaged */
void wait_keys_seal(struct wait_keys *keys)
{
	size_t i;

	for (i = 1; i < keys->count; i++) {
		if (compare(&keys->key[i - 1], &keys->key[i]) <= 0)
			continue;
		qsort(keys->key, keys->count, sizeof(*keys->key), compare);
		break;
	}
	keys->at = 0;
}

uint32_t wait_keys_find(struct wait_keys *keys, uint64_t time, uint32_t tid)
{
	const struct wait_key last = { .time = time, .tid = tid, .wait = UINT32_MAX };
	size_t low = keys->at, high = keys->count, middle;
	const struct wait_key *found;
	unsigned int i;

	/* the first key behind those that are wanted */
	if (low && compare(&keys->key[low - 1], &last) > 0) {
		high = low - 1;
		low = 0;
	}
	for (i = 0; i < STEPS && low < high && low >= keys->at; i++) {
		if (compare(&keys->key[low], &last) <= 0)
			low++;
		else
			high = low;
	}
	while (low < high) {
		middle = low + (high - low) / 2;
		if (compare(&keys->key[middle], &last) <= 0)
			low = middle + 1;
		else
			high = middle;
	}
	keys->at = low;
	if (!low)
		return WAIT_NONE;
	found = &keys->key[low - 1];
	return found->time == time && found->tid == tid ? found->wait : WAIT_NONE;
}

void wait_keys_free(struct wait_keys *keys)
{
	free(keys->key);
	*keys = (struct wait_keys){ };
}
