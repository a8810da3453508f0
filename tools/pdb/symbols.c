// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/*
 * Publics (names that the linker knows), references to the module's functions, and the hash
 * tables that find both by name. Formats: microsoft-pdb, PDB/dbi/gsi.h and include/cvinfo.h.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include "streams.h"

#define S_PUB32		0x110Eu
#define S_PROCREF	0x1125u
#define PUBLIC_FUNCTION	2u

#define HASH_SIGNATURE	0xFFFFFFFFu
#define HASH_VERSION	(0xEFFE0000u + 19990810u)
#define BUCKETS		4096u
/* A bit for each bucket and one more, in words */
#define BUCKET_WORDS	(BUCKETS / 32 + 1)
/* Readers of 32 bits keep an entry in 12 bytes: offsets of entries count these. */
#define ENTRY_IN_MEMORY	12u

/**
 * struct entry - of a hash table
 * @bucket: hash of the name
 * @name: the name
 * @record: offset of the symbol's record
 */
struct entry {
	uint32_t bucket;
	const char *name;
	uint32_t record;
};

static uint8_t small(uint8_t letter)
{
	return letter >= 'A' && letter <= 'Z' ? letter | 0x20 : letter;
}

static bool is_ascii(const char *text)
{
	for (; *text; text++)
		if (*text & 0x80)
			return false;
	return true;
}

/* Shorter names first; upper and lower case are the same, if both names are ASCII. */
static int compare_names(const char *a, const char *b)
{
	size_t length = strlen(a), other = strlen(b);

	if (length != other)
		return length < other ? -1 : 1;
	if (!is_ascii(a) || !is_ascii(b))
		return memcmp(a, b, length);
	for (; *a && small(*a) == small(*b); a++)
		b++;
	return small(*a) - small(*b);
}

static int by_bucket(const void *left, const void *right)
{
	const struct entry *a = left, *b = right;
	int order;

	if (a->bucket != b->bucket)
		return a->bucket < b->bucket ? -1 : 1;
	order = compare_names(a->name, b->name);
	if (order)
		return order;
	return a->record < b->record ? -1 : a->record > b->record;
}

/* Header, entries by bucket, a bit for each bucket in use, the offset of its first entry */
static void add_table(struct bytes *to, struct entry *entries, size_t count)
{
	uint32_t bits[BUCKET_WORDS] = { }, i;
	size_t start, at;

	qsort(entries, count, sizeof(*entries), by_bucket);
	bytes_u32(to, HASH_SIGNATURE);
	bytes_u32(to, HASH_VERSION);
	bytes_u32(to, count * 8);
	bytes_u32(to, 0);
	start = to->size - 4;
	for (at = 0; at < count; at++) {
		/* 0 means none; how many refer to it */
		bytes_u32(to, entries[at].record + 1);
		bytes_u32(to, 1);
		bits[entries[at].bucket / 32] |= 1u << entries[at].bucket % 32;
	}
	for (i = 0; i < BUCKET_WORDS; i++)
		bytes_u32(to, bits[i]);
	for (at = 0; at < count; at++)
		if (!at || entries[at].bucket != entries[at - 1].bucket)
			bytes_u32(to, at * ENTRY_IN_MEMORY);
	bytes_put_u32(to, start, to->size - start - 4 - count * 8);
}

/* The size of a record is that of what is behind the size. */
static void end_record(struct bytes *symbols, size_t start)
{
	bytes_align(symbols);
	bytes_put_u16(symbols, start, symbols->size - start - 2);
}

static uint32_t add_public(struct bytes *symbols, const struct pdb *pdb,
			   const struct pdb_function *function)
{
	const uint32_t rva = pdb->sections[function->section - 1].rva;
	size_t start = symbols->size;

	bytes_u16(symbols, 0);
	bytes_u16(symbols, S_PUB32);
	bytes_u32(symbols, PUBLIC_FUNCTION);
	bytes_u32(symbols, function->rva - rva);
	bytes_u16(symbols, function->section);
	bytes_text(symbols, pdb_text(pdb, function->symbol));
	end_record(symbols, start);
	return start;
}

static uint32_t add_reference(struct bytes *symbols, const struct pdb *pdb,
			      const struct pdb_function *function)
{
	size_t start = symbols->size;

	bytes_u16(symbols, 0);
	bytes_u16(symbols, S_PROCREF);
	bytes_u32(symbols, 0);
	bytes_u32(symbols, function->record);
	/* number of the module, from 1 */
	bytes_u16(symbols, 1);
	bytes_text(symbols, pdb_text(pdb, function->name));
	end_record(symbols, start);
	return start;
}

static void build_publics(const struct pdb *pdb, struct bytes *symbols, struct bytes *publics,
			  struct entry *entries)
{
	uint32_t *by_address = malloc((pdb->nr_functions + 1) * sizeof(*by_address));
	size_t i, start;
	const char *name;

	for (i = 0; by_address && i < pdb->nr_functions; i++) {
		name = pdb_text(pdb, pdb->functions[i].symbol);
		by_address[i] = add_public(symbols, pdb, &pdb->functions[i]);
		entries[i] = (struct entry){ pdb_hash(name) % BUCKETS, name, by_address[i] };
	}
	if (!by_address) {
		publics->no_memory = true;
		return;
	}
	/* bytes of the table by name, and of that by address */
	bytes_u32(publics, 0);
	bytes_u32(publics, pdb->nr_functions * 4);
	/* thunks: number, size, section (padded), offset; number of sections */
	bytes_add(publics, NULL, 20);
	start = publics->size;
	add_table(publics, entries, pdb->nr_functions);
	bytes_put_u32(publics, 0, publics->size - start);
	for (i = 0; i < pdb->nr_functions; i++)
		bytes_u32(publics, by_address[i]);
	free(by_address);
}

const char *pdb_build_symbols(const struct pdb *pdb, struct bytes *symbols,
			      struct bytes *globals, struct bytes *publics)
{
	struct entry *entries = malloc((pdb->nr_functions + 1) * sizeof(*entries));
	const char *name;
	size_t i;

	if (!entries)
		return strerror(ENOMEM);
	build_publics(pdb, symbols, publics, entries);
	for (i = 0; i < pdb->nr_functions; i++) {
		name = pdb_text(pdb, pdb->functions[i].name);
		entries[i] = (struct entry){ pdb_hash(name) % BUCKETS, name,
					     add_reference(symbols, pdb, &pdb->functions[i]) };
	}
	add_table(globals, entries, pdb->nr_functions);
	free(entries);
	return symbols->size > UINT32_MAX ? "its symbols would be larger than 4 GB" : NULL;
}
