// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* perf.data: the features, which a file has behind its records and a piped one in records. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include "libetl/messages.h"
#include "libetl/reader.h"
#include "perf_file.h"

#define FEATURE_BITS	256
/* A record of a build-id: perf_event_header, pid, 24 bytes of the id, name */
#define ID_AT		12
#define ID_SIZE_AT	32
#define NAME_AT		36
/* In misc of the header: the size of the id is behind the id */
#define MISC_ID_SIZE	(1 << 15)

static struct perf_build_id *add_build_id(struct perf_file *file, const char *name)
{
	size_t i = map_add(&file->files, map_mix(MAP_MIX, name, strlen(name)));

	if (i == MAP_NONE)
		return NULL;
	if (i == file->build_ids_known) {
		if (!map_make_room((void **)&file->build_ids, i, sizeof(*file->build_ids)))
			return NULL;
		file->build_ids_known++;
	}
	return &file->build_ids[i];
}

int perf_file_set_id(struct perf_file *file, const char *name, const uint8_t *id, uint8_t size)
{
	struct perf_build_id *known = add_build_id(file, name);

	if (!known)
		return no_memory();
	*known = (struct perf_build_id){ .size = size };
	memcpy(known->id, id, size);
	return 0;
}

int perf_file_build_id(struct perf_file *file, const uint8_t *record, uint32_t size)
{
	const char *name = (const char *)record + NAME_AT;
	uint8_t bytes = PERF_BUILD_ID;

	if (size <= NAME_AT || !memchr(name, 0, size - NAME_AT))
		return 0;
	if (get16(record + 4) & MISC_ID_SIZE && record[ID_SIZE_AT] <= PERF_BUILD_ID)
		bytes = record[ID_SIZE_AT];
	return perf_file_set_id(file, name, record + ID_AT, bytes);
}

static int read_build_ids(struct perf_file *file, struct piece *piece)
{
	const uint8_t *record;
	uint16_t size;

	while (piece->left >= 8) {
		size = get16(piece->at + 6);
		record = size ? piece_take(piece, size) : NULL;
		if (!record)
			break;
		if (perf_file_build_id(file, record, size))
			return -1;
	}
	return 0;
}

const struct perf_build_id *perf_file_id_of(const struct perf_file *file, const char *name)
{
	size_t i = map_find(&file->files, map_mix(MAP_MIX, name, strlen(name)));

	return i < file->build_ids_known ? &file->build_ids[i] : NULL;
}

static void read_names(struct perf_file *file, struct piece *piece)
{
	uint32_t count = piece_u32(piece), size = piece_u32(piece), ids, length, i;
	const uint8_t *name;

	for (i = 0; i < count && i < file->count && !piece->bad; i++) {
		piece_take(piece, size);
		ids = piece_u32(piece);
		length = piece_u32(piece);
		name = piece_take(piece, length);
		piece_take(piece, 8ull * ids);
		if (name && !piece->bad)
			snprintf(file->kinds[i].name, sizeof(file->kinds[i].name), "%.*s",
				 (int)(length < 127 ? length : 127), (const char *)name);
	}
}

/* Options that leave out events of a processor: perf permits the begin of a long name */
static bool leaves_out(const char *word)
{
	static const char *const names[] = {
		"--cgroup", "--control", "--delay", "--exclude-perf", "--filter", "--uid",
	};
	size_t length = strcspn(word, "="), i;

	if (word[0] != '-')
		return false;
	if (word[1] != '-')
		return strpbrk(word, "DGu");
	for (i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		if (length > 2 && !strncmp(word, names[i], length))
			return true;
	return false;
}

/* The words of perf's command, up to the -- before those of the program that perf starts */
static void read_options(struct perf_file *file, struct piece *piece)
{
	uint32_t count = piece_u32(piece), size, i;
	char word[32];
	const char *text;

	for (i = 0; i < count && !piece->bad; i++) {
		size = piece_u32(piece);
		text = (const char *)piece_take(piece, size);
		if (!text)
			break;
		snprintf(word, sizeof(word), "%.*s",
			 (int)(size < sizeof(word) ? size : sizeof(word)), text);
		if (!strcmp(word, "--"))
			break;
		file->filtered |= leaves_out(word);
	}
}

static void read_clock(struct perf_file *file, struct piece *piece)
{
	uint32_t version = piece_u32(piece);

	file->clock = piece_u32(piece);
	file->wall = piece_u64(piece);
	file->clock_time = piece_u64(piece);
	file->has_clock = version == 1 && !piece->bad;
}

/* A string is cut at the room for it */
static void read_text(struct piece *piece, char to[PERF_TEXT])
{
	uint32_t size = piece_u32(piece);
	const uint8_t *text = piece_take(piece, size);

	if (text)
		snprintf(to, PERF_TEXT, "%.*s", (int)(size < PERF_TEXT ? size : PERF_TEXT),
			 (const char *)text);
}

int perf_file_feature(struct perf_file *file, unsigned int feature, struct piece *piece,
		      uint64_t at)
{
	const uint8_t *begin = piece->at;
	const char *why;

	switch (feature) {
	case PERF_FEATURE_TRACING_DATA:
		why = trace_formats_read(&file->formats, piece);
		if (why)
			warn("import: %s: at 0x%" PRIx64 ": %s: tracepoints without a format have "
			     "no fields", file->name, at + (piece->at - begin), why);
		break;
	case PERF_FEATURE_BUILD_ID:
		return read_build_ids(file, piece);
	case PERF_FEATURE_HOSTNAME:
		read_text(piece, file->host);
		break;
	case PERF_FEATURE_ARCH:
		read_text(piece, file->machine);
		break;
	case PERF_FEATURE_NRCPUS:
		file->processors = piece_u32(piece);
		file->online = piece_u32(piece);
		break;
	case PERF_FEATURE_TOTAL_MEM:
		file->memory_kb = piece_u64(piece);
		break;
	case PERF_FEATURE_CMDLINE:
		read_options(file, piece);
		break;
	case PERF_FEATURE_EVENT_DESC:
		read_names(file, piece);
		break;
	case PERF_FEATURE_CLOCK_DATA:
		read_clock(file, piece);
		break;
	case PERF_FEATURE_DIR_FORMAT:
		file->several = true;
	}
	return 0;
}

int perf_file_features(struct perf_file *file, const uint8_t *bits)
{
	uint64_t at = file->data_end, begin, size;
	struct piece piece;
	unsigned int bit;

	for (bit = 0; bit < FEATURE_BITS; bit++) {
		if (!(bits[bit / 8] & 1 << bit % 8))
			continue;
		if (file->size - at < 16) {
			warn("import: %s: at 0x%" PRIx64 ": the file is cut: features are missing",
			     file->name, at);
			return 0;
		}
		begin = get64(file->bytes + at);
		size = get64(file->bytes + at + 8);
		at += 16;
		if (begin > file->size || size > file->size - begin) {
			warn("import: %s: at 0x%" PRIx64 ": feature %u is outside of the file",
			     file->name, at - 16, bit);
			continue;
		}
		piece = (struct piece){ .at = file->bytes + begin, .left = size };
		if (perf_file_feature(file, bit, &piece, begin))
			return -1;
	}
	return 0;
}
