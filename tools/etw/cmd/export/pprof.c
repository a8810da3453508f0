// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* etw export --pprof: stacks with weights, as pprof reads them: profile.proto, packed by gzip. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#ifdef ETW_HAVE_ZLIB
#include <zlib.h>
#endif
#include "cmd/stat/stacks.h"
#include "etw.h"
#include "export/protobuf.h"
#include "libetl/text.h"
#include "stack_formats.h"

/* Numbers of fields: Profile */
#define PROFILE_SAMPLE_TYPE	1
#define PROFILE_SAMPLE		2
#define PROFILE_MAPPING		3
#define PROFILE_LOCATION	4
#define PROFILE_FUNCTION	5
#define PROFILE_STRING		6
#define PROFILE_TIME		9
#define PROFILE_DURATION	10
/* ValueType, Sample, Mapping, Location, Line, Function */
#define VALUE_TYPE		1
#define VALUE_UNIT		2
#define SAMPLE_LOCATION		1
#define SAMPLE_VALUE		2
#define MAPPING_ID		1
#define MAPPING_FILE		5
#define MAPPING_HAS_FUNCTIONS	7
#define LOCATION_ID		1
#define LOCATION_MAPPING	2
#define LOCATION_LINE		4
#define LINE_FUNCTION		1
#define FUNCTION_ID		1
#define FUNCTION_NAME		2

/**
 * struct profile - while it is written
 * @to: the message
 * @strings: indexes of strings by their hash; the empty string is the first
 * @mappings: numbers of mappings, from 1, by the index of their name
 */
struct profile {
	struct protobuf to;
	struct map strings;
	struct map mappings;
};

/* The index of a string, which is written if it is new */
static uint64_t string_of(struct profile *profile, const char *text, size_t size)
{
	size_t known = profile->strings.count;
	size_t i = map_add(&profile->strings, map_mix(MAP_MIX, text, size));

	if (i == MAP_NONE) {
		profile->to.no_memory = true;
		return 0;
	}
	if (i == known)
		protobuf_bytes(&profile->to, PROFILE_STRING, text, size);
	return i;
}

/* The mapping of a file, which is written if it is new */
static uint64_t mapping_of(struct profile *profile, const char *name, size_t size)
{
	uint64_t text = string_of(profile, name, size);
	size_t known = profile->mappings.count, i = map_add(&profile->mappings, text);

	if (i == MAP_NONE) {
		profile->to.no_memory = true;
		return 0;
	}
	if (i == known) {
		protobuf_begin(&profile->to, PROFILE_MAPPING);
		protobuf_number(&profile->to, MAPPING_ID, i + 1);
		protobuf_number(&profile->to, MAPPING_FILE, text);
		protobuf_number(&profile->to, MAPPING_HAS_FUNCTIONS, 1);
		protobuf_end(&profile->to);
	}
	return i + 1;
}

/* A function and its location have the number of the name in the tree */
static void put_location(struct profile *profile, const char *name, uint64_t id)
{
	const char *function = strchr(name, '!');
	uint64_t mapping = 0, text;

	if (function)
		mapping = mapping_of(profile, name, function - name);
	/* the function of an unknown address keeps its file's name */
	if (function && strcmp(function, "!?"))
		name = function + 1;
	text = string_of(profile, name, strlen(name));
	protobuf_begin(&profile->to, PROFILE_FUNCTION);
	protobuf_number(&profile->to, FUNCTION_ID, id);
	protobuf_number(&profile->to, FUNCTION_NAME, text);
	protobuf_end(&profile->to);
	protobuf_begin(&profile->to, PROFILE_LOCATION);
	protobuf_number(&profile->to, LOCATION_ID, id);
	if (mapping)
		protobuf_number(&profile->to, LOCATION_MAPPING, mapping);
	protobuf_begin(&profile->to, LOCATION_LINE);
	protobuf_number(&profile->to, LINE_FUNCTION, id);
	protobuf_end(&profile->to);
	protobuf_end(&profile->to);
}

static void put_sample(struct profile *profile, const struct call_tree *tree, uint32_t node,
		       uint64_t weight)
{
	uint32_t path[CALL_TREE_DEEPEST];
	unsigned int depth = call_tree_path(tree, node, path);

	protobuf_begin(&profile->to, PROFILE_SAMPLE);
	/* the innermost first */
	while (depth--)
		protobuf_number(&profile->to, SAMPLE_LOCATION, tree->node[path[depth]].name);
	protobuf_number(&profile->to, SAMPLE_VALUE, weight);
	protobuf_end(&profile->to);
}

static void put_type(struct profile *profile, const struct stack_report *report)
{
	bool waits = report->weight == WEIGH_WAITING;
	const char *type = waits ? "waiting" : report->all_samples ? "samples" : "events";
	const char *unit = waits ? "nanoseconds" : "count";
	uint64_t texts[2];

	texts[0] = string_of(profile, type, strlen(type));
	texts[1] = string_of(profile, unit, strlen(unit));
	protobuf_begin(&profile->to, PROFILE_SAMPLE_TYPE);
	protobuf_number(&profile->to, VALUE_TYPE, texts[0]);
	protobuf_number(&profile->to, VALUE_UNIT, texts[1]);
	protobuf_end(&profile->to);
}

static void put_time(struct profile *profile, const struct stack_report *report)
{
	const struct etl_logfile *log = &report->trace->log;
	int64_t ns = etl_nanoseconds(log, report->statistics->last);

	if (log->start_time > FILETIME_OF_UNIX)
		protobuf_number(&profile->to, PROFILE_TIME,
				(log->start_time - FILETIME_OF_UNIX) * 100);
	if (ns > 0)
		protobuf_number(&profile->to, PROFILE_DURATION, ns);
}

#ifdef ETW_HAVE_ZLIB
/* 15 bits of window, and 16 for the header of gzip */
#define GZIP_WINDOW	(15 + 16)

/* zlib counts its input in 32 bits */
#define PACKED_AT_ONCE	(1u << 30)

static int write_packed(const struct protobuf *from)
{
	z_stream stream = { .next_in = from->bytes };
	size_t left = from->used;
	uint8_t piece[0x8000];
	int code;

	if (deflateInit2(&stream, Z_DEFAULT_COMPRESSION, Z_DEFLATED, GZIP_WINDOW, 8,
			 Z_DEFAULT_STRATEGY) != Z_OK)
		return no_memory();
	do {
		if (!stream.avail_in) {
			stream.avail_in = left < PACKED_AT_ONCE ? left : PACKED_AT_ONCE;
			left -= stream.avail_in;
		}
		stream.next_out = piece;
		stream.avail_out = sizeof(piece);
		code = deflate(&stream, left ? Z_NO_FLUSH : Z_FINISH);
		fwrite(piece, 1, sizeof(piece) - stream.avail_out, stdout);
	} while (code == Z_OK);
	deflateEnd(&stream);
	if (code == Z_STREAM_END)
		return 0;
	failed("the profile cannot be packed");
	return -1;
}
#else
/* pprof reads what is not packed, too */
static int write_packed(const struct protobuf *from)
{
	fwrite(from->bytes, 1, from->used, stdout);
	return 0;
}
#endif

int export_pprof(const struct stack_report *report)
{
	const struct call_tree *tree = report->tree;
	struct profile profile = { };
	size_t i;
	int err;

	string_of(&profile, "", 0);
	put_type(&profile, report);
	for (i = 1; i < tree->hashes.count; i++)
		put_location(&profile, tree->name[i].text, i);
	for (i = 1; i < tree->nodes; i++)
		if (tree->node[i].self)
			put_sample(&profile, tree, i, tree->node[i].self);
	put_time(&profile, report);
	err = profile.to.no_memory ? no_memory() : write_packed(&profile.to);
	map_free(&profile.strings);
	map_free(&profile.mappings);
	protobuf_free(&profile.to);
	return err;
}
