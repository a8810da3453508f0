// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* perf.data: header and attributes. */
#include <inttypes.h>
#include <stdlib.h>
#include "libetl/messages.h"
#include "libetl/reader.h"
#include "perf_file.h"

/* Offsets in the header */
#define HEADER_SIZE	8
#define ATTR_SIZE	16
#define ATTRS		24
#define DATA		40
#define FEATURES	72
#define HEADER_BYTES	104
#define PIPE_BYTES	16
/* An attribute in the file: perf_event_attr, then offset and size of its ids */
#define IDS_SECTION	16
/* perf_event_attr of Linux 2.6.32 */
#define ATTR_LEAST	64
#define MOST_KINDS	4096

static int bad(const struct perf_file *file, uint64_t at, const char *why)
{
	failed("import: %s: at 0x%" PRIx64 ": %s", file->name, at, why);
	return -1;
}

static struct piece piece_at(const struct perf_file *file, uint64_t at, uint64_t size)
{
	if (at > file->size || size > file->size - at)
		return (struct piece){ .bad = true };
	return (struct piece){ .at = file->bytes + at, .left = size };
}

static int add_ids(struct perf_file *file, struct piece ids, uint32_t kind)
{
	uint64_t id;
	size_t i;

	while (ids.left >= 8) {
		id = piece_u64(&ids);
		i = map_add(&file->ids, id);
		if (i == MAP_NONE)
			return no_memory();
		if (i == file->ids_known) {
			if (!map_make_room((void **)&file->kind_of, i, sizeof(*file->kind_of)))
				return no_memory();
			file->ids_known++;
		}
		file->kind_of[i] = kind;
	}
	return 0;
}

int perf_file_add_kind(struct perf_file *file, const uint8_t *attr, uint32_t size,
		       struct piece ids, uint64_t at)
{
	struct perf_kind kind = { };

	if (ids.bad)
		return bad(file, at, "the ids of an event are outside of the file");
	if (size < ATTR_LEAST)
		return bad(file, at, "an attribute of an event is too short");
	if (file->count == MOST_KINDS)
		return bad(file, at, "more than 4096 events");
	memcpy(&kind.attr, attr, size < sizeof(kind.attr) ? size : sizeof(kind.attr));
	if (!map_make_room((void **)&file->kinds, file->count, sizeof(kind)))
		return no_memory();
	file->kinds[file->count++] = kind;
	return add_ids(file, ids, file->count - 1);
}

static int read_attrs(struct perf_file *file)
{
	uint64_t size = get64(file->bytes + ATTR_SIZE), at = get64(file->bytes + ATTRS);
	struct piece attrs = piece_at(file, at, get64(file->bytes + ATTRS + 8)), ids;
	const uint8_t *attr;

	if (attrs.bad)
		return bad(file, ATTRS, "the attributes of the events are outside of the file");
	if (size < ATTR_LEAST + IDS_SECTION || size > 4096)
		return bad(file, ATTR_SIZE, "unknown size of attributes of events");
	for (; attrs.left >= size; at += size) {
		attr = piece_take(&attrs, size);
		ids = piece_at(file, get64(attr + size - 16), get64(attr + size - 8));
		if (perf_file_add_kind(file, attr, size - IDS_SECTION, ids, at))
			return -1;
	}
	return file->count ? 0 : bad(file, ATTRS, "no event");
}

/* A file without an end, which perf leaves if it is killed, has records up to its end. */
static int find_records(struct perf_file *file)
{
	uint64_t size = get64(file->bytes + DATA + 8);

	file->data = get64(file->bytes + DATA);
	if (file->data > file->size || file->data < HEADER_BYTES)
		return bad(file, DATA, "the records are outside of the file");
	file->unclosed = !size;
	if (size > file->size - file->data) {
		warn("import: %s: at 0x%" PRIx64 ": the file is cut: %" PRIu64
		     " bytes of its records are missing", file->name, file->size,
		     size - (file->size - file->data));
		file->unclosed = true;
	}
	file->data_end = file->unclosed ? file->size : file->data + size;
	return 0;
}

static int check_magic(struct perf_file *file)
{
	if (file->size >= 8 && !memcmp(file->bytes, "2ELIFREP", 8))
		return bad(file, 0, "a machine of the other byte order recorded it");
	if (file->size >= 8 && !memcmp(file->bytes, "PERFFILE", 8))
		return bad(file, 0, "unknown version: perf of Linux 2.6.31 or earlier wrote it");
	if (file->size < 8 || memcmp(file->bytes, "PERFILE2", 8))
		return bad(file, 0, "it is no perf.data, trace.dat or .nettrace");
	if (file->size < PIPE_BYTES)
		return bad(file, file->size, "the file ends in its header");
	return 0;
}

int perf_file_open(struct perf_file *file, const char *name, const uint8_t *bytes,
		   uint64_t size)
{
	uint64_t header;

	*file = (struct perf_file){ .name = name, .bytes = bytes, .size = size };
	if (check_magic(file))
		return -1;
	header = get64(bytes + HEADER_SIZE);
	if (header == PIPE_BYTES) {
		file->piped = true;
		file->data = PIPE_BYTES;
		file->data_end = size;
		return 0;
	}
	if (header < HEADER_BYTES)
		return bad(file, HEADER_SIZE, "unknown size of the header");
	if (size < HEADER_BYTES)
		return bad(file, size, "the file ends in its header");
	if (read_attrs(file) || find_records(file))
		return -1;
	if (file->unclosed) {
		warn("import: %s: perf did not close it: build-ids and names of tracepoints "
		     "are missing", name);
		return 0;
	}
	return perf_file_features(file, bytes + FEATURES);
}

void perf_file_close(struct perf_file *file)
{
	free(file->kinds);
	free(file->kind_of);
	free(file->build_ids);
	map_free(&file->ids);
	map_free(&file->files);
	trace_formats_free(&file->formats);
	*file = (struct perf_file){ };
}
