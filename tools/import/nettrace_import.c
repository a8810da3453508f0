// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* A .nettrace becomes a trace: reads its blocks. */
#include <inttypes.h>
#include <stdlib.h>
#include <time.h>
#include "import.h"
#include "libetl/messages.h"
#include "nettrace.h"

/* A crafted file may have millions of damaged blocks; all are counted */
#define MOST_WARNINGS	16

int nettrace_open(struct importing *importing, const char *name, const uint8_t *bytes,
		  uint64_t size)
{
	struct nettrace *nettrace = calloc(1, sizeof(*nettrace));
	struct nettrace_file *file;

	if (!nettrace)
		return no_memory();
	importing->nettrace = nettrace;
	file = &nettrace->file;
	*file = (struct nettrace_file){ .name = name, .bytes = bytes, .size = size };
	if (nettrace_file_open(file))
		return -1;
	importing->file.name = name;
	importing->file.size = size;
	importing->file.processors = file->processors;
	importing->file.has_clock = true;
	importing->file.clock = CLOCK_MONOTONIC;
	importing->file.wall = file->wall;
	importing->file.clock_time = nettrace_time(file, file->sync);
	importing->begin = importing->file.clock_time;
	importing->now = importing->begin;
	importing->out.last = importing->begin;
	return 0;
}

static int read_block(struct importing *importing, enum nettrace_block_kind kind,
		      struct piece *block)
{
	switch (kind) {
	case NETTRACE_EVENTS:
		return nettrace_read_events(importing, block);
	case NETTRACE_METADATA:
		return nettrace_read_metadata(importing, block);
	case NETTRACE_SEQUENCE_POINT:
		return nettrace_read_sequence_point(importing, block);
	case NETTRACE_STACKS:
		return nettrace_read_stacks(importing->nettrace, block);
	case NETTRACE_THREADS:
		return nettrace_read_threads(importing->nettrace, block);
	case NETTRACE_REMOVED_THREADS:
		return nettrace_read_removed_threads(importing, block);
	case NETTRACE_LABELS:
		return nettrace_read_labels(importing->nettrace, block);
	default:
		importing->counts.skipped++;
		return 0;
	}
}

int nettrace_import(struct importing *importing)
{
	struct nettrace_file *file = &importing->nettrace->file;
	enum nettrace_block_kind kind;
	struct piece block;
	uint64_t damaged;

	while ((kind = nettrace_next(file, &block)) != NETTRACE_END) {
		if (read_block(importing, kind, &block))
			return -1;
		if (block.bad) {
			damaged = ++importing->stream.unreadable;
			if (damaged <= MOST_WARNINGS)
				warn("import: %s: at 0x%" PRIx64 ": a block is damaged: its rest "
				     "is not read", file->name, file->block);
		}
		if (importing->stream.progress)
			importing->stream.progress(importing, file->at);
	}
	return nettrace_send(importing, UINT64_MAX);
}

void nettrace_free(struct importing *importing)
{
	struct nettrace *nettrace = importing->nettrace;

	if (!nettrace)
		return;
	nettrace_tables_free(&nettrace->tables);
	free(nettrace->pending);
	map_free(&nettrace->counted);
	free(nettrace->sequences);
	map_free(&nettrace->described);
	free(nettrace->schemas);
	free(nettrace);
}
