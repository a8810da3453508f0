// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/*
 * libFuzzer target: any bytes as a perf.data or a .nettrace, imported. What is written is a trace
 * that can be read. The input is in memory of its own, so that a read beyond it is found.
 */
#define _GNU_SOURCE
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>
#include "import/import.h"
#include "must.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
const char *__lsan_default_suppressions(void);

/* libtraceevent 1.7 does not free the tokens of some damaged formats. */
const char *__lsan_default_suppressions(void)
{
	return "leak:libtraceevent";
}

/* The tool's messages: a fuzzer makes too many. */
int failed(const char *format, ...)
{
	(void)format;
	return 1;
}

void warn(const char *format, ...)
{
	(void)format;
}

static void read_back(const char *name)
{
	const struct etl_record *record;
	const struct etl_buffer *buffer;
	struct trace trace;
	struct merge merge;

	MUST(!trace_open(&trace, name));
	MUST(trace.count && !trace.torn && !trace.gaps);
	MUST(!merge_begin(&merge, &trace, false));
	while (merge_next(&merge, &record, &buffer))
		;
	MUST(!merge.broken);
	merge_end(&merge);
	trace_close(&trace);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct importing *importing = calloc(1, sizeof(*importing));
	uint8_t *bytes = malloc(size ? size : 1);
	int fd = memfd_create("import", 0);
	char name[64];

	MUST(importing && bytes && fd >= 0);
	memcpy(bytes, data, size);
	snprintf(name, sizeof(name), "/proc/self/fd/%d", fd);
	if (!import_open(importing, "fuzz", bytes, size, name) && !import_run(importing))
		read_back(name);
	import_free(importing);
	free(importing);
	free(bytes);
	close(fd);
	return 0;
}
