// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/*
 * libFuzzer target: any bytes as a perf.data or a .nettrace, imported. What is written is a trace
 * that can be read. The input is in memory of its own, so that a read beyond it is found.
 *
 * The libraries that read trace.dat and CTF are not fuzzed here: they run in a child process,
 * because they crash on damaged files. Input that begins with "SOURCE" has what they give the
 * import: formats, events and losses, see import_seeds.py.
 */
#define _GNU_SOURCE
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>
#include "import/import.h"
#include "import/import_source.h"
#include "libetl/system_calls.h"
#include "must.h"

#define SOURCE	"SOURCE"

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

static uint16_t u16(struct piece *piece)
{
	uint8_t low = piece_u8(piece);

	return low | piece_u8(piece) << 8;
}

/* A field as the format of a tracepoint can have it */
static struct trace_field field_of(struct piece *piece)
{
	static const char *const names[] = {
		"tid", "pid", "prev_tid", "prev_prio", "prev_state", "prev_comm", "next_tid",
		"next_prio", "next_comm", "prio", "orig_cpu", "dest_cpu", "parent_pid", "child_tid",
		"child_pid", "child_comm", "filename", "ppid", "name", "type", "dev", "sector",
		"nr_sector", "rwbs", "irq", "ret", "vec", "id", "nr", "other", "eventheader_flags",
		"level"
	};
	struct trace_field field = { .kind = piece_u8(piece) % (TRACE_FROM + 1) };

	strcpy(field.name, names[piece_u8(piece) % (sizeof(names) / sizeof(names[0]))]);
	field.offset = u16(piece);
	field.size = u16(piece);
	field.element = 1 << piece_u8(piece) % 4;
	field.is_signed = field.element & 5;
	field.text = field.element == 1;
	if (field.kind == TRACE_NUMBER)
		field.size = field.element;
	else if (field.kind == TRACE_REAL)
		field.size = field.element & 4 ? 4 : 8;
	else if (field.kind == TRACE_AT || field.kind == TRACE_FROM)
		field.size = 4;
	else if (field.size % field.element)
		field.element = 1;
	return field;
}

static int source_format(struct importing *importing, struct piece *piece)
{
	static const char *const names[] = {
		"sched_switch", "sched:sched_switch", "sched_waking", "sched_wakeup",
		"sched_wakeup_new", "sched_migrate_task", "sched_process_fork",
		"sched_process_exec", "sched_process_exit", "lttng_statedump_process_state",
		"block_rq_issue", "block_rq_complete", "irq_handler_entry", "irq_handler_exit",
		"softirq_entry", "softirq_exit", "sys_enter", "sys_exit", "sys_enter_x",
		"syscall_entry_openat", "syscall_exit_openat", "syscall_entry_unknown",
		"user_events:header", "other"
	};
	const char *name = names[piece_u8(piece) % (sizeof(names) / sizeof(names[0]))];
	struct trace_field fields[16];
	size_t count = piece_u8(piece) % 16, i;
	const struct trace_format *format;

	for (i = 0; i < count; i++)
		fields[i] = field_of(piece);
	format = trace_formats_add(&importing->file.formats, name, fields, count);
	MUST(format);
	return import_add_kind(importing, format) == MAP_NONE ? -1 : 0;
}

static int source_event(struct importing *importing, struct piece *piece, uint64_t time)
{
	struct import_moment moment = { .time = time, .comm = piece_u8(piece) & 1 ? "comm" : "" };
	size_t kind = piece_u8(piece), size;
	const uint8_t *raw;

	moment.cpu = piece_u8(piece);
	moment.cpu = moment.cpu == 0xFF ? ETL_PROCESSORS : moment.cpu % 4;
	moment.tid = piece_u8(piece) % 16;
	moment.pid = piece_u8(piece) % 16;
	size = piece_u8(piece);
	if (size > piece->left)
		size = piece->left;
	raw = piece_take(piece, size);
	if (!importing->file.count)
		return 0;
	return import_source_event(importing, kind % importing->file.count, &moment, raw, size);
}

/* As the readers of trace.dat and CTF. Times go back in damaged files. */
static int read_source(struct importing *importing)
{
	struct piece *piece = importing->source;
	uint64_t time = 1000000;
	int err = 0;
	uint8_t what;

	while (!err && piece->left) {
		what = piece_u8(piece) % 8;
		if (what == 0) {
			err = source_format(importing, piece);
			continue;
		}
		time += (int16_t)u16(piece);
		if (what == 1)
			err = import_source_loss(importing, piece_u8(piece), time, piece_u8(piece));
		else
			err = source_event(importing, piece, time);
	}
	return err || !importing->begun ? -1 : 0;
}

static int open_source(struct importing *importing, struct piece *piece, const char *name)
{
	static const struct import_provider provider = { .name = "Linux.Fuzz" };

	piece_take(piece, strlen(SOURCE));
	importing->source = piece;
	importing->read = read_source;
	importing->provider = &provider;
	importing->tasks_by_events = true;
	importing->input_size = piece->left;
	importing->file.name = "fuzz";
	importing->machine = MACHINE_AMD64;
	return import_begin(importing, name);
}

static int open_input(struct importing *importing, struct piece *piece, const char *name)
{
	if (piece->left >= strlen(SOURCE) && !memcmp(piece->at, SOURCE, strlen(SOURCE)))
		return open_source(importing, piece, name);
	return import_open(importing, "fuzz", piece->at, piece->left, name);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct importing *importing = calloc(1, sizeof(*importing));
	uint8_t *bytes = malloc(size ? size : 1);
	int fd = memfd_create("import", 0);
	struct piece piece = { .at = bytes, .left = size };
	char name[64];

	MUST(importing && bytes && fd >= 0);
	memcpy(bytes, data, size);
	snprintf(name, sizeof(name), "/proc/self/fd/%d", fd);
	if (!open_input(importing, &piece, name) && !import_run(importing))
		read_back(name);
	import_free(importing);
	free(importing);
	free(bytes);
	close(fd);
	return 0;
}
