// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/*
 * The PDB stream with GUID and age, and the streams of types. Formats: LLVM, docs/PDB/PdbStream,
 * HashTable and TpiStream.
 */
#include <string.h>
#include "streams.h"

#define VERSION_VC70		20000404u
/* A stream of ids exists */
#define FEATURE_VC140		20140508u
#define TYPES_VERSION_V80	20040203u
#define FIRST_TYPE		0x1000u
#define TYPE_HASH_BUCKETS	0x3FFFFu

/*
 * One name in a hash table of two slots: Windows' readers refuse a table with more than two thirds
 * of its slots in use.
 */
static void add_named_streams(struct bytes *info)
{
	static const char name[] = "/names";

	bytes_u32(info, sizeof(name));
	bytes_text(info, name);
	/* entries, slots */
	bytes_u32(info, 1);
	bytes_u32(info, 2);
	/* one word of bits: which slots are in use; the hash of this table has 16 bits */
	bytes_u32(info, 1);
	bytes_u32(info, 1u << (pdb_hash(name) & 0xFFFF) % 2);
	/* no word of bits: which slots were in use */
	bytes_u32(info, 0);
	/* offset of the name, stream */
	bytes_u32(info, 0);
	bytes_u32(info, STREAM_NAMES);
	/* the next number of a name: not used by readers */
	bytes_u32(info, 0);
}

void pdb_build_info(const struct pdb *pdb, struct bytes *info)
{
	const uint8_t *guid = pdb->info.guid;

	bytes_u32(info, VERSION_VC70);
	/* a time on Windows; here the same for the same image */
	bytes_u32(info, guid[0] | guid[1] << 8 | guid[2] << 16 | (uint32_t)guid[3] << 24);
	bytes_u32(info, pdb->info.age);
	bytes_add(info, guid, PDB_GUID_BYTES);
	add_named_streams(info);
	bytes_u32(info, FEATURE_VC140);
}

void pdb_build_types(struct bytes *types, uint16_t hash_stream)
{
	int i;

	bytes_u32(types, TYPES_VERSION_V80);
	/* size of this header, first type, behind the last one, bytes of types */
	bytes_u32(types, 56);
	bytes_u32(types, FIRST_TYPE);
	bytes_u32(types, FIRST_TYPE);
	bytes_u32(types, 0);
	bytes_u16(types, hash_stream);
	bytes_u16(types, NO_STREAM);
	/* bytes of a hash */
	bytes_u32(types, 4);
	bytes_u32(types, TYPE_HASH_BUCKETS);
	/* offset and size of three empty tables in the hash stream */
	for (i = 0; i < 6; i++)
		bytes_u32(types, 0);
}
