// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* The hash of names. Format: microsoft-pdb, PDB/include/misc.h, "LHashPbCb". */
#include <string.h>
#include "streams.h"

/* Letters hash alike in upper and lower case: this is the bit between them. */
#define CASE_BITS	0x20202020u

uint32_t pdb_hash(const char *name)
{
	const uint8_t *at = (const uint8_t *)name;
	size_t left = strlen(name);
	uint32_t hash = 0;

	for (; left >= 4; left -= 4, at += 4)
		hash ^= at[0] | at[1] << 8 | at[2] << 16 | (uint32_t)at[3] << 24;
	if (left & 2) {
		hash ^= at[0] | at[1] << 8;
		at += 2;
	}
	if (left & 1)
		hash ^= at[0];
	hash |= CASE_BITS;
	hash ^= hash >> 11;
	return hash ^ hash >> 16;
}
