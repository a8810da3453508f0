// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* The data of the page: the reports of etw stat as they are, and the times behind them. */
#include <stdlib.h>
#include <string.h>
#include "common/progress_line.h"
#include "export/export.h"
#include "etw.h"
#include "cmd/stat/summary.h"
#include "report.h"

/* Rows of the list of waits: the longest; all of them count in its groups */
#define LONGEST_WAITS	5000
/* ns, as in etw stat */
#define LEAST_WAIT	1000000

static int page_summary(struct page *page, const struct stat_options *options)
{
	return stat_summary(page->trace, page->statistics, options);
}

/* Reports without times behind them */
#define STAT(name) \
	static int plain_##name(struct page *page, const struct stat_options *options) \
	{ \
		return stat_##name(page->trace, page->statistics, options); \
	}

STAT(counters)
STAT(cpu)
STAT(disk)
STAT(processes)
STAT(profile)
STAT(waits)

/*
 * A report; @waiting, @by: its options. @other: what runs instead for the file that the page's file
 * is compared with; NULL: that has no such section. @apart: its data has no index of a thread or
 * process, which reports number as they find them, or has the names beside it: it may run in
 * another process. @numbered: so it may, too, but its indexes of threads have to be those of the
 * threads that were known before
 */
static const struct section {
	const char *name;
	int (*run)(struct page *page, const struct stat_options *options);
	int (*other)(struct page *page, const struct stat_options *options);
	bool waiting;
	bool apart;
	bool numbered;
	enum report_by by;
} sections[] = {
	{ .name = "summary", .run = page_summary, .other = page_summary },
	{ .name = "cpu", .run = page_cpu, .other = plain_cpu, .apart = true, .numbered = true },
	{ .name = "samples", .run = page_stacks, .other = page_stacks },
	{ .name = "waiting", .run = page_stacks, .other = page_stacks, .waiting = true },
	{ .name = "waits", .run = plain_waits, .other = plain_waits, .apart = true },
	{ .name = "disk", .run = page_disk, .other = plain_disk },
	{ .name = "faults", .run = page_faults, .apart = true },
	{ .name = "dpc", .run = page_interrupts, .apart = true },
	{ .name = "counters", .run = page_counters, .other = plain_counters, .by = BY_PROCESS },
	{ .name = "profile", .run = plain_profile, .apart = true },
	{ .name = "processes", .run = plain_processes, .apart = true },
};

#define SECTIONS	(sizeof(sections) / sizeof(sections[0]))

void page_section(struct page *page, const char *name)
{
	fputs(page->sections++ ? ",\n" : "{\n", page->data);
	export_string(page->data, name);
	putc(':', page->data);
}

/* Each line that was said, in the section's place of "notes" */
static void put_notes(struct page *page, char *text)
{
	char *line, *rest = text;
	bool first = true;

	putc('[', page->data);
	while (rest && (line = strsep(&rest, "\n"))) {
		if (!*line)
			continue;
		fputs(first ? "" : ",", page->data);
		export_string(page->data, line);
		first = false;
	}
	putc(']', page->data);
}

/* Passes on what was said when the report failed for another reason than that it has no data */
static void say_again(char *text)
{
	char *line, *rest = text;

	while (rest && (line = strsep(&rest, "\n")))
		if (*line)
			failed("%s", line);
}

/*
 * {"data":..,"notes":[..]}: what the report wrote, and what it said. Return: EXIT_OK, also when
 * the trace has nothing for the report, or damaged counters
 */
static int put_section(struct page *page, const struct section *section)
{
	struct stat_options options = *page->options;
	struct capture capture;
	long before, behind;
	int code;

	options.by = section->by;
	options.waiting = section->waiting;
	page_section(page, section->name);
	fputs("{\"data\":", page->data);
	before = ftell(page->data);
	if (capture_begin(&capture))
		return EXIT_FAILED;
	report_lacked();
	code = (page->is_other ? section->other : section->run)(page, &options);
	if (capture_end(&capture, page->data))
		code = EXIT_FAILED;
	else if (code == EXIT_FAILED && report_lacked())
		code = EXIT_OK;
	if (code == EXIT_FAILED) {
		progress_line_clear();
		say_again(capture.text);
	}
	behind = ftell(page->data);
	fputs(behind == before ? "null,\"notes\":" : ",\"notes\":", page->data);
	put_notes(page, capture.text);
	putc('}', page->data);
	capture_free(&capture);
	return code == EXIT_VIOLATIONS ? EXIT_OK : code;
}

static void put_facts(struct page *page)
{
	const char *file = strrchr(page->trace->name, '/');
	const struct event_filter *filter = page->statistics->filter;

	page_section(page, "facts");
	fputs("{\"file\":", page->data);
	export_string(page->data, file ? file + 1 : page->trace->name);
	fprintf(page->data, ",\"bytes\":%llu,\"version\":\"" ETW_VERSION "\",\"from\":%lld,"
		"\"to\":%lld,\"ranged\":%s,\"filtered\":%s}",
		(unsigned long long)page->trace->size,
		(long long)(filter->from == INT64_MIN ? 0 : filter->from),
		(long long)(filter->to == INT64_MAX ?
			    summary_duration(page->trace, page->statistics) : filter->to),
		filter->from != INT64_MIN || filter->to != INT64_MAX ? "true" : "false",
		event_filter_leaves_out(filter) ? "true" : "false");
}

static int put_sections(struct page *page, bool all, bool apart)
{
	const struct lifetime_table *threads = &page->statistics->lifetimes->threads;
	size_t known = threads->count;
	int code = EXIT_OK;
	size_t i;

	for (i = 0; code == EXIT_OK && i < SECTIONS; i++) {
		if ((!all && sections[i].apart != apart) || (page->is_other && !sections[i].other))
			continue;
		if (!apart)
			progress_line("etw report: %s (%zu of %zu)", sections[i].name, i + 1,
				      SECTIONS);
		code = put_section(page, &sections[i]);
		if (page->is_child && sections[i].numbered && threads->count != known)
			return EXIT_NUMBERED;
	}
	return code;
}

int page_collect(struct page *page)
{
	struct stat_options options = *page->options;
	struct apart apart;
	int code, again;

	options.as = AS_JSON;
	options.least = LEAST_WAIT;
	/* the groups are compared, but no single waits */
	options.longest = page->is_other ? 1 : LONGEST_WAITS;
	page->options = &options;
	put_facts(page);
	apart_begin(&apart, page, put_sections);
	code = put_sections(page, apart.child < 0, false);
	if (code == EXIT_OK && !page->is_other && page_events(page))
		code = EXIT_FAILED;
	again = apart_end(&apart, page, code != EXIT_OK);
	if (again < 0)
		code = EXIT_FAILED;
	else if (code == EXIT_OK && again)
		code = put_sections(page, false, true);
	if (!page->is_other)
		page_threads(page);
	progress_line_clear();
	return code;
}
