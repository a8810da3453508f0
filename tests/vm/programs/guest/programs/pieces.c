// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* WRITE_EVENT: pieces of all types and lengths, byte by byte; a 32-bit program. */
#define _GNU_SOURCE
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>
#include "programs.h"
#include "tests/vm/programs/compat32.h"

#define HEADER		0x50
#define ITEM		8
#define PIECE		7
#define OF_A_TYPE(type)	((ETW_MAX_EVENT_DATA + 2 - (type)) / 3)

static const struct etw_guid guid = { 0x77, 1, 2, { 3, 4, 5, 6, 7, 8, 9, 10 } };

static int enable(__u32 id, const void *provider_guid)
{
	struct etw_enable e = {
		.size = sizeof(e), .logger_id = id, .enabled = 1, .match_any = ~0ULL,
	};

	memcpy(&e.guid, provider_guid, sizeof(e.guid));
	return try(control, ETW_IOC_ENABLE, &e);
}

/* Pieces 0, 3, 6... are data, 1, 4... the schema, 2, 5... the traits. */
static int write_pieces(__u8 bytes[][PIECE], __u32 index)
{
	static struct etw_event_data data[ETW_MAX_EVENT_DATA];
	struct etw_write_event event = {
		.size = sizeof(event), .flags = ETW_WRITE_TYPES, .index = index, .provider = guid,
		.nr_data = ETW_MAX_EVENT_DATA, .data = (unsigned long)data,
		.descriptor = { .level = 2, .keyword = 4 },
	};
	int i;

	for (i = 0; i < ETW_MAX_EVENT_DATA; i++) {
		memset(bytes[i], i, PIECE);
		data[i] = (struct etw_event_data){
			.data = (unsigned long)bytes[i], .size = PIECE, .type = i % 3,
		};
	}
	return try(provider, ETW_PROVIDER_WRITE_EVENT, &event);
}

static int has_pieces(const __u8 *at, __u8 bytes[][PIECE], int type)
{
	int i, bad = 0;

	for (i = type; i < ETW_MAX_EVENT_DATA; i += 3, at += PIECE)
		bad += !!memcmp(at, bytes[i], PIECE);
	return !bad;
}

static int is_item(const __u8 *at, __u16 type, __u16 linkage, __u16 size)
{
	return get16(at) == ITEM + ((size + 7) & ~7) && get16(at + 2) == type &&
	       get16(at + 4) == linkage && get16(at + 6) == size;
}

static void check_pieces(const struct record *record, __u8 bytes[][PIECE])
{
	const __u32 traits = OF_A_TYPE(2) * PIECE, schema = OF_A_TYPE(1) * PIECE;
	const __u32 schema_at = HEADER + ITEM + ((traits + 7) & ~7U);
	const __u32 data_at = schema_at + ITEM + ((schema + 7) & ~7U);
	const __u8 *at = record->bytes;

	if (!result(record->size == data_at + OF_A_TYPE(0) * PIECE && get16(at + 2) == 0xC013,
		    "WRITE_EVENT: a record of 128 pieces has their size # %u", record->size))
		return;
	result(is_item(at + HEADER, ETW_EXTENDED_TRAITS, 1, traits) &&
	       has_pieces(at + HEADER + ITEM, bytes, ETW_DATA_TRAITS),
	       "WRITE_EVENT: traits are put together from their pieces");
	result(is_item(at + schema_at, ETW_EXTENDED_SCHEMA, 0, schema) &&
	       has_pieces(at + schema_at + ITEM, bytes, ETW_DATA_SCHEMA),
	       "WRITE_EVENT: the schema is put together from its pieces");
	result(has_pieces(at + data_at, bytes, ETW_DATA_USER),
	       "WRITE_EVENT: data are put together from their pieces");
}

static void test_128_pieces(struct session *session)
{
	static __u8 bytes[ETW_MAX_EVENT_DATA][PIECE];
	struct etw_provider_register r = { .size = sizeof(r), .guid = guid };
	struct etw_provider_unregister u = { .size = sizeof(u) };
	struct record record;
	int err;

	err = try(provider, ETW_PROVIDER_REGISTER, &r) ?: enable(session->id, &guid);
	err = err ?: write_pieces(bytes, r.index);
	record = take_one(session);
	if (result(!err && record.bytes, "WRITE_EVENT: 128 pieces are written # %s",
		   error_name(err)))
		check_pieces(&record, bytes);
	u.index = r.index;
	try(provider, ETW_PROVIDER_UNREGISTER, &u);
}

/* The kernel copies short pieces and records in another way than long ones. */
#define LONGEST	600

/* Return: an address that has no byte behind it, and LONGEST before it; NULL: no memory */
static __u8 *end_of_memory(void)
{
	const size_t page = sysconf(_SC_PAGESIZE);
	__u8 *at = mmap(NULL, 2 * page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	size_t i;

	if (at == MAP_FAILED || mprotect(at + page, page, PROT_NONE))
		return NULL;
	for (i = 0; i < page; i++)
		at[i] = i * 31 + i / 256;
	return at + page;
}

static int write_piece(const __u8 *from, __u32 size, __u32 index)
{
	struct etw_event_data data = { .data = (unsigned long)from, .size = size };
	struct etw_write_event event = {
		.size = sizeof(event), .index = index, .provider = guid, .nr_data = 1,
		.data = (unsigned long)&data, .descriptor = { .level = 2, .keyword = 4 },
	};

	return try(provider, ETW_PROVIDER_WRITE_EVENT, &event);
}

/* Up to the next multiple of 8, too */
static int is_piece(const struct record *record, const __u8 *from, __u32 size)
{
	static const __u8 zeros[8];

	return record->bytes && record->size == HEADER + size &&
	       !memcmp(record->bytes + HEADER, from, size) &&
	       !memcmp(record->bytes + HEADER + size, zeros, -size % 8);
}

/* Every length around those where the kernel changes its way: 96, 176 and 384 bytes */
static __u32 after(__u32 size)
{
	return size < 190 || (size >= 374 && size < 394) ? size + 1 : size + 23;
}

static void test_lengths(struct session *session)
{
	struct etw_provider_register r = { .size = sizeof(r), .guid = guid };
	struct etw_provider_unregister u = { .size = sizeof(u) };
	int bad = 0, err;
	__u8 *end = end_of_memory();
	struct record record;
	__u32 size;

	err = try(provider, ETW_PROVIDER_REGISTER, &r) ?: enable(session->id, &guid);
	for (size = 0; end && !err && !bad && size <= LONGEST; size = after(size)) {
		bad += write_piece(end - size, size + 1, r.index) != EFAULT;
		bad += write_piece(end - size, size, r.index) != 0;
		record = take_one(session);
		bad += !is_piece(&record, end - size, size);
	}
	result(end && !err && !bad,
	       "WRITE_EVENT: pieces of any length are copied whole, and refused beyond a page # %u",
	       size);
	u.index = r.index;
	try(provider, ETW_PROVIDER_UNREGISTER, &u);
}

static void test_32_bits(struct session *session)
{
	static const __u8 compat_guid[16] = COMPAT_GUID;
	struct record record;
	__u32 pid;
	int err;

	if (access("/w/compat32", X_OK)) {
		skip("WRITE_EVENT of a 32-bit program # none for this machine");
		return;
	}
	err = enable(session->id, compat_guid);
	pid = run_compat32(session->id, "keywords");
	record = take_one(session);
	result(!err && pid && record.size == HEADER + COMPAT_DATA_SIZE &&
	       get16(record.bytes + 2) == 0xC012 && get32(record.bytes + 12) == pid &&
	       !memcmp(record.bytes + 0x18, compat_guid, 16) &&
	       !memcmp(record.bytes + HEADER, COMPAT_DATA, COMPAT_DATA_SIZE),
	       "WRITE_EVENT: a 32-bit program's record names its width # %u bytes, 0x%x",
	       record.size, record.bytes ? get16(record.bytes + 2) : 0);
}

void test_pieces(void)
{
	struct session session = start(&(struct wish){ .name = "pieces" });

	test_128_pieces(&session);
	test_lengths(&session);
	test_32_bits(&session);
	end(&session);
}
