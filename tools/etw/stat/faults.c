// SPDX-License-Identifier: GPL-2.0
/* etw stat FILE faults: page faults by process, thread, file and range of addresses. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "../../libetl/events/events.h"
#include "../../libetl/guids.h"
#include "../../libetl/text.h"
#include "../etw.h"
#include "etw_hooks.h"
#include "keyed.h"

/* Addresses are counted by ranges of this size */
#define RANGE		(2u << 20)

enum kind { TRANSITION, DEMAND_ZERO, COPY_ON_WRITE, HARD, VIOLATION, KINDS };

/**
 * struct sums - faults of a thread, a range or a file
 * @faults: of each kind
 * @waits: hard faults whose time is known
 * @ns: in them
 * @longest: of them
 * @bytes: that they waited for
 */
struct sums {
	uint64_t faults[KINDS];
	uint64_t waits;
	uint64_t ns;
	uint64_t longest;
	uint64_t bytes;
};

/**
 * struct table - sums by a key
 * @map: of the keys
 * @sums: by index
 */
struct table {
	struct map map;
	struct sums *sums;
};

/**
 * struct faults - all of them
 * @threads: by thread
 * @ranges: by address / RANGE, and process
 * @files: by FileKey
 * @names: of files, by index of @files; NULL: unknown
 * @pids: by index of @threads: process + 1, 0: unknown
 */
struct faults {
	const struct trace *trace;
	const struct statistics *statistics;
	struct table threads;
	struct table ranges;
	struct table files;
	char **names;
	uint64_t *pids;
};

/* Room for one more of what is held by index. Return: false: no memory */
static bool make_room(void **array, size_t count, size_t size)
{
	void *more;

	if (count & (count - 1))
		return true;
	more = reallocarray(*array, count ? 2 * count : 1, size);
	if (more)
		*array = more;
	return more;
}

static size_t index_of(struct table *table, uint64_t key)
{
	size_t known = table->map.count, i = map_add(&table->map, key);

	if (i != known || i == MAP_NONE)
		return i;
	if (!make_room((void **)&table->sums, known, sizeof(*table->sums)))
		return MAP_NONE;
	memset(&table->sums[i], 0, sizeof(*table->sums));
	return i;
}

static size_t thread_index(struct faults *faults, uint32_t tid)
{
	const struct thread *thread = statistics_thread(faults->statistics, tid);
	size_t known = faults->threads.map.count, i = index_of(&faults->threads, tid);

	if (i != known || i == MAP_NONE)
		return i;
	if (!make_room((void **)&faults->pids, known, sizeof(*faults->pids)))
		return MAP_NONE;
	faults->pids[i] = thread && thread->has_pid ? thread->pid + 1ull : 0;
	return i;
}

static size_t file_index(struct faults *faults, uint64_t key)
{
	size_t known = faults->files.map.count, i = index_of(&faults->files, key);

	if (i != known || i == MAP_NONE)
		return i;
	if (!make_room((void **)&faults->names, known, sizeof(*faults->names)))
		return MAP_NONE;
	faults->names[i] = NULL;
	return i;
}

/* Bits 0 to 39: range; above: process + 1, whose ids have 22 bits; 0: unknown */
static uint64_t range_key(uint64_t address, uint64_t pid)
{
	return (address / RANGE & 0xFFFFFFFFFFull) | (pid & 0x7FFFFF) << 40;
}

static bool kind_of(uint16_t hook, enum kind *kind)
{
	switch (hook) {
	case PERFINFO_LOG_TYPE_TRANSITIONFAULT:
		*kind = TRANSITION;
		return true;
	case PERFINFO_LOG_TYPE_DEMANDZEROFAULT:
		*kind = DEMAND_ZERO;
		return true;
	case PERFINFO_LOG_TYPE_COPYONWRITE:
		*kind = COPY_ON_WRITE;
		return true;
	case PERFINFO_LOG_TYPE_HARDFAULT:
		*kind = HARD;
		return true;
	case PERFINFO_LOG_TYPE_ACCESSVIOLATION:
		*kind = VIOLATION;
		return true;
	}
	return false;
}

/* Windows may log these without a thread: then only ranges have them. */
static int note_fault(struct faults *faults, const struct etl_record *record, enum kind kind)
{
	uint64_t address = get64(record->payload);
	uint64_t pid = record->header == ETL_SYSTEM ? record->process_id + 1ull : 0;
	size_t i;

	if (record->header == ETL_SYSTEM) {
		i = thread_index(faults, record->thread_id);
		if (i == MAP_NONE)
			return -1;
		faults->threads.sums[i].faults[kind]++;
		faults->pids[i] = pid;
	}
	i = index_of(&faults->ranges, range_key(address, pid));
	if (i == MAP_NONE)
		return -1;
	faults->ranges.sums[i].faults[kind]++;
	return 0;
}

static void add_wait(struct sums *sums, uint64_t ns, uint32_t bytes)
{
	sums->waits++;
	sums->ns += ns;
	sums->bytes += bytes;
	if (ns > sums->longest)
		sums->longest = ns;
}

static int note_hard(struct faults *faults, const struct etl_record *record)
{
	const struct etl_logfile *log = &faults->trace->log;
	struct perfinfo_hard_page_fault fault;
	size_t thread, file, range;
	int64_t began, ended;
	uint32_t bytes;
	uint64_t ns;

	memcpy(&fault, record->payload, sizeof(fault));
	began = etl_nanoseconds(log, fault.initial_time);
	ended = etl_nanoseconds(log, record->time);
	ns = ended > began ? ended - began : 0;
	bytes = fault.byte_count;
	thread = thread_index(faults, fault.thread_id);
	file = file_index(faults, fault.file_object);
	if (thread == MAP_NONE || file == MAP_NONE)
		return -1;
	range = index_of(&faults->ranges, range_key(fault.virtual_address,
						    faults->pids[thread]));
	if (range == MAP_NONE)
		return -1;
	add_wait(&faults->threads.sums[thread], ns, bytes);
	add_wait(&faults->files.sums[file], ns, bytes);
	add_wait(&faults->ranges.sums[range], ns, bytes);
	return 0;
}

/* Names may stand before the faults of a file or after them. */
static int note_name(struct faults *faults, const struct etl_record *record)
{
	size_t i = file_index(faults, get64(record->payload));
	char name[4096];

	if (i == MAP_NONE)
		return -1;
	text_from_utf16(record->payload + 8, record->payload_size - 8, name, sizeof(name));
	if (faults->names[i] || !name[0])
		return 0;
	faults->names[i] = strdup(name);
	return faults->names[i] ? 0 : -1;
}

static int note(struct faults *faults, const struct etl_record *record)
{
	enum kind kind;
	uint16_t hook;

	if (!hook_of(record, &hook) || faults->trace->log.pointer_size != 8)
		return 0;
	if (kind_of(hook, &kind) && record->payload_size >= sizeof(struct wmi_page_fault))
		return note_fault(faults, record, kind);
	if (hook == PERFINFO_LOG_TYPE_HARDPAGEFAULT &&
	    record->payload_size >= sizeof(struct perfinfo_hard_page_fault))
		return note_hard(faults, record);
	if (event_tells(event_of_hook(hook), TELLS_FILE_NAME) && record->payload_size >= 10)
		return note_name(faults, record);
	return 0;
}

static int collect(struct faults *faults)
{
	const struct etl_record *record;
	const struct etl_buffer *buffer;
	struct merge merge;
	int err = 0;

	if (merge_begin(&merge, faults->trace, false))
		return -1;
	while (!err && merge_next(&merge, &record, &buffer))
		err = note(faults, record);
	merge_end(&merge);
	return err;
}

static size_t add_columns(struct sheet *sheet, bool kinds)
{
	static const char *const name[KINDS] = {
		"transition", "demand zero", "copy on write", "hard", "violations",
	};
	size_t first = sheet->columns, i;

	for (i = 0; kinds && i < KINDS; i++)
		sheet_column(sheet, SHEET_COUNT, SHEET_EVERYWHERE, name[i]);
	sheet_column(sheet, SHEET_COUNT, SHEET_EVERYWHERE, "waits");
	sheet_column(sheet, SHEET_TIME, SHEET_EVERYWHERE, "waited");
	sheet_column(sheet, SHEET_LONGEST, SHEET_EVERYWHERE, "longest");
	sheet_column(sheet, SHEET_COUNT, SHEET_EVERYWHERE, "bytes");
	return first;
}

static void put_sums(struct sheet *sheet, size_t column, const struct sums *sums, bool kinds)
{
	size_t i;

	for (i = 0; kinds && i < KINDS; i++)
		sheet_number(sheet, column++, sums->faults[i]);
	sheet_number(sheet, column++, sums->waits);
	sheet_number(sheet, column++, sums->ns);
	if (sums->waits)
		sheet_number(sheet, column, sums->longest);
	sheet_number(sheet, column + 1, sums->bytes);
}

static void put_process(struct sheet *sheet, size_t column, const struct faults *faults,
			uint64_t pid)
{
	const char *name;

	if (!pid)
		return;
	sheet_number(sheet, column, pid - 1);
	name = statistics_name_of(faults->statistics, pid - 1);
	if (name)
		sheet_text(sheet, column + 1, name);
}

static void fill_threads(const struct faults *faults, struct sheet *sheet)
{
	size_t pid = sheet_column(sheet, SHEET_ID, SHEET_EVERYWHERE, "pid");
	size_t image = sheet_column(sheet, SHEET_TEXT, SHEET_EVERYWHERE, "process");
	size_t tid = sheet_column(sheet, SHEET_ID, SHEET_EVERYWHERE, "tid");
	size_t first = add_columns(sheet, true), i;

	(void)image;
	for (i = 0; i < faults->threads.map.count; i++) {
		sheet_row(sheet);
		put_process(sheet, pid, faults, faults->pids[i]);
		sheet_number(sheet, tid, faults->threads.map.keys[i]);
		put_sums(sheet, first, &faults->threads.sums[i], true);
	}
	sheet_sort(sheet, first + KINDS + 1);
}

static void fill_files(const struct faults *faults, struct sheet *sheet)
{
	size_t key = sheet_column(sheet, SHEET_HEX, SHEET_EVERYWHERE, "file");
	size_t name = sheet_column(sheet, SHEET_TEXT, SHEET_EVERYWHERE, "name");
	size_t first = add_columns(sheet, false), i;

	for (i = 0; i < faults->files.map.count; i++) {
		if (!faults->files.sums[i].waits)
			continue;
		sheet_row(sheet);
		sheet_number(sheet, key, faults->files.map.keys[i]);
		if (faults->names[i])
			sheet_text(sheet, name, faults->names[i]);
		put_sums(sheet, first, &faults->files.sums[i], false);
	}
	sheet_sort(sheet, first + 1);
}

static void fill_ranges(const struct faults *faults, struct sheet *sheet)
{
	size_t pid = sheet_column(sheet, SHEET_ID, SHEET_EVERYWHERE, "pid");
	size_t image = sheet_column(sheet, SHEET_TEXT, SHEET_EVERYWHERE, "process");
	size_t range = sheet_column(sheet, SHEET_HEX, SHEET_EVERYWHERE, "from");
	size_t all = sheet_column(sheet, SHEET_COUNT, SHEET_EVERYWHERE, "faults");
	size_t first = add_columns(sheet, true), i, k;
	const struct sums *sums = faults->ranges.sums;
	uint64_t key, total;

	(void)image;
	for (i = 0; i < faults->ranges.map.count; i++) {
		key = faults->ranges.map.keys[i];
		total = 0;
		for (k = 0; k < KINDS; k++)
			total += sums[i].faults[k];
		/* of one kind of record or of both */
		if (sums[i].waits > sums[i].faults[HARD])
			total += sums[i].waits - sums[i].faults[HARD];
		sheet_row(sheet);
		put_process(sheet, pid, faults, key >> 40);
		sheet_number(sheet, range, (key & 0xFFFFFFFFFFull) * RANGE);
		sheet_number(sheet, all, total);
		put_sums(sheet, first, &sums[i], true);
	}
	sheet_sort(sheet, all);
}

static int print(const struct faults *faults, const struct stat_options *options)
{
	struct sheet threads = { .name = "threads" }, files = { .name = "files" };
	struct sheet ranges = { .name = "ranges" };
	struct sheet *all[] = { &threads, &files, &ranges };

	fill_threads(faults, &threads);
	fill_files(faults, &files);
	fill_ranges(faults, &ranges);
	return sheets_report(all, sizeof(all) / sizeof(all[0]), options);
}

static void table_free(struct table *table)
{
	map_free(&table->map);
	free(table->sums);
}

int stat_faults(const struct trace *trace, const struct statistics *statistics,
		const struct stat_options *options)
{
	struct faults faults = { .trace = trace, .statistics = statistics };
	int code = EXIT_FAILED;
	size_t i;

	if (collect(&faults))
		failed("%s: %s", trace->name, strerror(ENOMEM));
	else if (!faults.ranges.map.count)
		failed("%s: there are no page faults in it", trace->name);
	else
		code = print(&faults, options);
	for (i = 0; i < faults.files.map.count; i++)
		free(faults.names[i]);
	free(faults.names);
	free(faults.pids);
	table_free(&faults.threads);
	table_free(&faults.files);
	table_free(&faults.ranges);
	return code;
}
