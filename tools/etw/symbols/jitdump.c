// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/*
 * What a just-in-time compiler wrote to jit-PID.dump for perf: functions with the time from which
 * each is at its address. Linux: tools/perf/Documentation/jitdump-specification.txt.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include "libetl/text.h"
#include "etw.h"
#include "jit.h"

#define MAGIC		0x4A695444u
#define SWAPPED_MAGIC	0x4454694Au
#define VERSION		1
/* The stamps are those of the processor's counter */
#define ARCH_TIMESTAMP	0x1u
/* Bytes of a name at most; the rest is left out */
#define NAME_BYTES	0x1000

enum { CODE_LOAD, CODE_MOVE, CODE_DEBUG_INFO, CODE_CLOSE };

/**
 * struct dump_header - the begin of the file
 * @total_size: bytes up to the first record
 */
struct dump_header {
	uint32_t magic;
	uint32_t version;
	uint32_t total_size;
	uint32_t elf_machine;
	uint32_t reserved;
	uint32_t pid;
	uint64_t time;
	uint64_t flags;
};

/**
 * struct record_header - before each record
 * @total_size: bytes up to the next record
 */
struct record_header {
	uint32_t id;
	uint32_t total_size;
	uint64_t time;
};

/* Then the name with a zero behind it, and the code */
struct code_load {
	uint32_t pid;
	uint32_t tid;
	uint64_t virtual_address;
	uint64_t address;
	uint64_t size;
	uint64_t index;
};

struct code_move {
	uint32_t pid;
	uint32_t tid;
	uint64_t virtual_address;
	uint64_t from;
	uint64_t to;
	uint64_t size;
	uint64_t index;
};

/**
 * struct jitdump - a file that is read
 * @code: out
 * @size: bytes of the file
 * @at: offset of the next record
 * @now: time of the last record, in the session's clock
 * @counter: whether the stamps are those of the processor's counter
 */
struct jitdump {
	struct images *code;
	const struct jit_request *request;
	FILE *file;
	uint64_t size;
	uint64_t at;
	uint64_t now;
	bool counter;
};

/* Return: NULL, or in words what is wrong */
static const char *read_header(struct jitdump *dump)
{
	struct dump_header header;

	if (fread(&header, sizeof(header), 1, dump->file) != 1)
		return "it is shorter than a header";
	if (header.magic == SWAPPED_MAGIC)
		return "it has the byte order of another machine";
	if (header.magic != MAGIC)
		return "it is no jitdump file";
	if (header.version != VERSION)
		return "its version is not 1";
	if (header.total_size < sizeof(header) || header.total_size > dump->size)
		return "the size of its header is wrong";
	dump->at = header.total_size;
	dump->counter = header.flags & ARCH_TIMESTAMP;
	return NULL;
}

/*
 * Threads take their stamps before they write in turn, so a stamp may be older than the one before
 * it. The order in the file is that of the changes.
 */
static uint64_t time_of(struct jitdump *dump, uint64_t stamp)
{
	uint64_t time = jit_clock_convert(dump->request->clock, stamp, dump->counter);

	if (time > dump->now)
		dump->now = time;
	return dump->now;
}

static const char *take_load(struct jitdump *dump, const struct record_header *header)
{
	char raw[NAME_BYTES], name[2 * NAME_BYTES];
	size_t room, length;
	struct code_load load;

	if (header->total_size <= sizeof(*header) + sizeof(load) ||
	    fread(&load, sizeof(load), 1, dump->file) != 1)
		return "it is shorter than a function";
	room = header->total_size - sizeof(*header) - sizeof(load);
	if (room > sizeof(raw))
		room = sizeof(raw);
	if (fread(raw, 1, room, dump->file) != room)
		return "its name is cut";
	length = strnlen(raw, room);
	if (length == room && room < sizeof(raw))
		return "its name has no end";
	if (load.size > UINT64_MAX - load.address)
		return "its code is larger than the address space";
	if (length == room)
		length--;
	if (!load.size || !length)
		return NULL;
	text_from_bytes((const uint8_t *)raw, length, name, sizeof(name));
	images_place(dump->code, dump->request->pid, load.address, load.size,
		     time_of(dump, header->time), name);
	return NULL;
}

static const char *take_move(struct jitdump *dump, const struct record_header *header)
{
	struct code_move move;

	if (header->total_size < sizeof(*header) + sizeof(move) ||
	    fread(&move, sizeof(move), 1, dump->file) != 1)
		return "it is shorter than a move";
	if (move.size > UINT64_MAX - move.to)
		return "its code is larger than the address space";
	images_move(dump->code, dump->request->pid, move.from, move.to, move.size,
		    time_of(dump, header->time));
	return NULL;
}

/* Return: NULL, or in words what is wrong; *@end: no record follows */
static const char *take_record(struct jitdump *dump, bool *end)
{
	struct record_header header;

	if (dump->size - dump->at < sizeof(header) ||
	    fseeko(dump->file, dump->at, SEEK_SET) ||
	    fread(&header, sizeof(header), 1, dump->file) != 1)
		return "it is cut";
	if (header.total_size < sizeof(header))
		return "its size is less than that of its header";
	if (header.total_size > dump->size - dump->at)
		return "it is cut";
	dump->at += header.total_size;
	*end = header.id == CODE_CLOSE || dump->at == dump->size;
	if (header.id == CODE_LOAD)
		return take_load(dump, &header);
	if (header.id == CODE_MOVE)
		return take_move(dump, &header);
	return NULL;
}

static void read_records(struct jitdump *dump, const char *path)
{
	bool end = dump->at == dump->size;
	const char *wrong = NULL;
	uint64_t at = 0;

	while (!end && !wrong) {
		at = dump->at;
		wrong = take_record(dump, &end);
	}
	if (wrong)
		warn("%s: record at offset %" PRIu64 ": %s (names from there on are missing)",
		     path, at, wrong);
}

bool jitdump_read(struct images *code, const char *path, const struct jit_request *request)
{
	struct jitdump dump = { .code = code, .request = request };
	const char *wrong;
	struct stat stat;

	dump.file = jit_open(path);
	if (!dump.file)
		return false;
	if (!fstat(fileno(dump.file), &stat))
		dump.size = stat.st_size;
	wrong = read_header(&dump);
	if (wrong)
		warn("%s: %s (its names are missing)", path, wrong);
	else
		read_records(&dump, path);
	fclose(dump.file);
	return true;
}
