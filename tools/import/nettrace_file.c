// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* .nettrace: head, Trace object, blocks. */
#include <inttypes.h>
#include <time.h>
#include "libetl/messages.h"
#include "libetl/reader.h"
#include "libetl/text.h"
#include "nettrace.h"

#define MAGIC		"Nettrace"
#define MAGIC_SIZE	8
#define SERIALIZATION	"!FastSerialization.1"
/* Tags of versions 4 and 5 */
#define TAG_NULL	1
#define TAG_BEGIN	5
#define TAG_OBJECT_END	6
#define SECOND		1000000000ull

bool nettrace_is_one(const uint8_t *bytes, uint64_t size)
{
	return size >= MAGIC_SIZE && !memcmp(bytes, MAGIC, MAGIC_SIZE);
}

uint16_t nettrace_u16(struct piece *piece)
{
	const uint8_t *at = piece_take(piece, 2);

	return at ? get16(at) : 0;
}

uint64_t nettrace_var(struct piece *piece)
{
	uint64_t value = 0;
	unsigned int shift;
	uint8_t byte;

	for (shift = 0; shift < 70; shift += 7) {
		byte = piece_u8(piece);
		if (shift < 64)
			value |= (uint64_t)(byte & 0x7F) << shift;
		if (!(byte & 0x80))
			return value;
	}
	piece->bad = true;
	return 0;
}

void nettrace_text(struct piece *piece, char *to)
{
	uint64_t size = nettrace_var(piece);
	const uint8_t *at = piece_take(piece, size);

	if (to)
		text_from_bytes(at ? at : (const uint8_t *)"", at ? size : 0, to, NETTRACE_NAME);
}

void nettrace_text16(struct piece *piece, char *to)
{
	const uint8_t *begin = piece->at;
	uint64_t size = 0;

	while (nettrace_u16(piece))
		size += 2;
	text_from_utf16(begin, piece->bad ? 0 : size, to, NETTRACE_NAME);
}

uint64_t nettrace_time(const struct nettrace_file *file, uint64_t ticks)
{
	return (unsigned __int128)ticks * SECOND / file->frequency;
}

static struct piece rest_of(const struct nettrace_file *file)
{
	return (struct piece){ .at = file->bytes + file->at, .left = file->size - file->at };
}

static int refuse(const struct nettrace_file *file, const char *why)
{
	failed("import: %s: at 0x%" PRIx64 ": %s", file->name, file->at, why);
	return -1;
}

/* SYSTEMTIME in UTC, as ns since 1970 */
static uint64_t read_wall(struct piece *piece)
{
	uint16_t field[8];
	struct tm tm = { };
	time_t seconds;
	size_t i;

	for (i = 0; i < 8; i++)
		field[i] = nettrace_u16(piece);
	tm.tm_year = field[0] - 1900;
	tm.tm_mon = field[1] - 1;
	tm.tm_mday = field[3];
	tm.tm_hour = field[4];
	tm.tm_min = field[5];
	tm.tm_sec = field[6];
	seconds = timegm(&tm);
	return seconds < 0 ? 0 : seconds * SECOND + field[7] % 1000 * (SECOND / 1000);
}

static uint32_t number_of(const char *text)
{
	uint64_t value = 0;

	for (; *text >= '0' && *text <= '9' && value <= UINT32_MAX; text++)
		value = 10 * value + *text - '0';
	return *text || value > UINT32_MAX ? 0 : value;
}

/* Version 6 has a list of keys instead of fixed fields */
static void read_keys(struct nettrace_file *file, struct piece *piece)
{
	char key[NETTRACE_NAME], value[NETTRACE_NAME];
	uint32_t count = piece_u32(piece);

	for (; count && !piece->bad; count--) {
		nettrace_text(piece, key);
		nettrace_text(piece, value);
		if (!strcmp(key, "HardwareThreadCount"))
			file->processors = number_of(value);
		else if (!strcmp(key, "ProcessId"))
			file->pid = number_of(value);
	}
}

static int read_trace(struct nettrace_file *file, struct piece *piece)
{
	file->wall = read_wall(piece);
	file->sync = piece_u64(piece);
	file->frequency = piece_u64(piece);
	file->pointer = piece_u32(piece);
	if (file->version < 6) {
		file->pid = piece_u32(piece);
		file->processors = piece_u32(piece);
		piece_u32(piece);
	} else {
		read_keys(file, piece);
	}
	if (piece->bad)
		return refuse(file, "the Trace object is cut");
	if (!file->frequency || (file->pointer != 4 && file->pointer != 8))
		return refuse(file, "the Trace object has no clock, or no size of pointers");
	return 0;
}

/* Begin tags, version, name of the type. Return: false: these are not here */
static bool read_type(struct piece *piece, uint32_t *version, char *name)
{
	uint32_t size;
	const uint8_t *at;

	if (piece_u8(piece) != TAG_BEGIN || piece_u8(piece) != TAG_BEGIN ||
	    piece_u8(piece) != TAG_NULL)
		return false;
	*version = piece_u32(piece);
	/* the oldest reader that understands it */
	piece_u32(piece);
	size = piece_u32(piece);
	at = piece_take(piece, size);
	if (!at || size >= NETTRACE_NAME || piece_u8(piece) != TAG_OBJECT_END)
		return false;
	memcpy(name, at, size);
	name[size] = 0;
	return !piece->bad;
}

static int unknown_version(const struct nettrace_file *file, uint32_t version)
{
	failed("import: %s: at 0x%" PRIx64 ": version %u of the format is unknown (versions 4 to 6 "
	       "are known)", file->name, file->at, version);
	return -1;
}

static int open_objects(struct nettrace_file *file)
{
	struct piece piece = rest_of(file);
	char name[NETTRACE_NAME];
	const uint8_t *text;

	piece_u32(&piece);
	text = piece_take(&piece, strlen(SERIALIZATION));
	if (!text || memcmp(text, SERIALIZATION, strlen(SERIALIZATION)))
		return refuse(file, "this is no " SERIALIZATION);
	file->at = piece.at - file->bytes;
	if (!read_type(&piece, &file->version, name) || strcmp(name, "Trace"))
		return refuse(file, "there is no Trace object");
	if (file->version < 4 || file->version > 5)
		return unknown_version(file, file->version);
	file->at = piece.at - file->bytes;
	if (read_trace(file, &piece))
		return -1;
	if (piece_u8(&piece) != TAG_OBJECT_END || piece.bad)
		return refuse(file, "the Trace object has no end");
	file->at = piece.at - file->bytes;
	return 0;
}

static int open_blocks(struct nettrace_file *file)
{
	struct piece piece = rest_of(file), block;

	piece_u32(&piece);
	file->version = piece_u32(&piece);
	piece_u32(&piece);
	if (piece.bad)
		return refuse(file, "the head is cut");
	if (file->version != 6)
		return unknown_version(file, file->version);
	file->at = piece.at - file->bytes;
	if (nettrace_next(file, &block) != NETTRACE_TRACE) {
		file->at = file->block;
		return refuse(file, "there is no Trace block");
	}
	return read_trace(file, &block);
}

int nettrace_file_open(struct nettrace_file *file)
{
	struct piece piece;

	file->at = MAGIC_SIZE;
	piece = rest_of(file);
	if (piece_u32(&piece) || piece.bad)
		return piece.bad ? refuse(file, "the head is cut") : open_objects(file);
	return open_blocks(file);
}

static enum nettrace_block_kind damaged(struct nettrace_file *file, const char *why)
{
	warn("import: %s: at 0x%" PRIx64 ": %s: the rest of the file is not read", file->name,
	     file->block, why);
	file->at = file->size;
	return NETTRACE_END;
}

static enum nettrace_block_kind kind_of(const char *name)
{
	static const char *const names[] = {
		[NETTRACE_EVENTS] = "EventBlock", [NETTRACE_METADATA] = "MetadataBlock",
		[NETTRACE_SEQUENCE_POINT] = "SPBlock", [NETTRACE_STACKS] = "StackBlock",
	};
	size_t i;

	for (i = NETTRACE_EVENTS; i < sizeof(names) / sizeof(names[0]); i++)
		if (!strcmp(name, names[i]))
			return i;
	return NETTRACE_UNKNOWN;
}

static enum nettrace_block_kind next_object(struct nettrace_file *file, struct piece *block)
{
	struct piece piece = rest_of(file);
	char name[NETTRACE_NAME];
	uint32_t version, size;
	const uint8_t *at;

	if (piece.left && *piece.at == TAG_NULL)
		return NETTRACE_END;
	if (!read_type(&piece, &version, name))
		return damaged(file, piece.bad ? "the file ends before its end mark" :
						 "this is no object");
	size = piece_u32(&piece);
	piece_take(&piece, -(piece.at - file->bytes) & 3);
	at = piece_take(&piece, size);
	if (!at || piece_u8(&piece) != TAG_OBJECT_END)
		return damaged(file, piece.bad ? "the file ends in a block" : "a block has no end");
	*block = (struct piece){ .at = at, .left = size };
	file->at = piece.at - file->bytes;
	return kind_of(name);
}

enum nettrace_block_kind nettrace_next(struct nettrace_file *file, struct piece *block)
{
	struct piece piece = rest_of(file);
	uint32_t head, size;
	const uint8_t *at;

	file->block = file->at;
	if (file->version < 6)
		return next_object(file, block);
	head = piece_u32(&piece);
	if (piece.bad)
		return damaged(file, "the file ends before its end mark");
	size = head & 0xFFFFFF;
	if (head >> 24 == NETTRACE_END)
		return NETTRACE_END;
	at = piece_take(&piece, size);
	if (!at)
		return damaged(file, "the file ends in a block");
	*block = (struct piece){ .at = at, .left = size };
	file->at = piece.at - file->bytes;
	return head >> 24 < NETTRACE_UNKNOWN ? head >> 24 : NETTRACE_UNKNOWN;
}
