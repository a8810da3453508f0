// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* etw export --firefox: samples with stacks and times, for https://profiler.firefox.com. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "cmd/stat/stacks.h"
#include "etw.h"
#include "export/export.h"
#include "libetl/array.h"
#include "libetl/text.h"
#include "stack_formats.h"

/* Of the processed format; newer versions of the profiler upgrade it */
#define FORMAT_VERSION	60

/* Resources are libraries; categories have these places in the list of them */
#define RESOURCE_LIBRARY	1
enum { CATEGORY_OTHER, CATEGORY_USER, CATEGORY_KERNEL };

/**
 * struct timed_sample - a sample, or an event
 * @time: session clock
 * @weight: of it
 * @node: of the call tree, where its stack ends
 * @order: of its coming, among those of one time
 */
struct timed_sample {
	uint64_t time;
	uint64_t weight;
	uint32_t node;
	uint32_t order;
};

/**
 * struct timed_thread - what a thread did
 * @pid: its process; 0: unknown
 * @tid: its id
 * @first: time of its first sample
 * @sample: @samples of them
 */
struct timed_thread {
	uint32_t pid;
	uint32_t tid;
	uint64_t first;
	struct timed_sample *sample;
	size_t samples;
	size_t room;
};

/**
 * struct firefox - a profile while it is made
 * @report: the stacks
 * @ids: process and thread ids
 * @thread: by index in @ids
 * @modules: names of modules, by their hash
 * @module_of: by name of the call tree: index in @modules and 1; 0: none
 * @module: by index in @modules: a name of the call tree that begins with it
 */
struct firefox {
	const struct stack_report *report;
	struct map ids;
	struct timed_thread *thread;
	struct map modules;
	uint32_t *module_of;
	uint32_t *module;
};

/* There is one export in a program */
static struct firefox profile;

int export_firefox_event(struct stack_report *report, const struct stack_event *event)
{
	struct firefox *firefox = &profile;
	uint32_t pid = event->has_pid ? event->pid : 0, tid = event->has_tid ? event->tid : 0;
	size_t known = firefox->ids.count, i = map_find(&firefox->ids, (uint64_t)pid << 32 | tid);
	struct timed_thread *thread;

	if (i == MAP_NONE) {
		if (!map_make_room((void **)&firefox->thread, known, sizeof(*firefox->thread)))
			return no_memory();
		i = map_add(&firefox->ids, (uint64_t)pid << 32 | tid);
		if (i == MAP_NONE)
			return no_memory();
		firefox->thread[i] = (struct timed_thread){
			.pid = pid, .tid = tid, .first = event->time,
		};
	}
	thread = &firefox->thread[i];
	if (!array_grow((void **)&thread->sample, &thread->room, thread->samples + 1,
			sizeof(*thread->sample)))
		return no_memory();
	thread->sample[thread->samples] = (struct timed_sample){
		.time = event->time, .weight = event->weight,
		.node = report->tree->at, .order = thread->samples,
	};
	thread->samples++;
	return 0;
}

/* A stack comes when it is complete: events are only nearly in the order of time */
static int by_time(const void *left, const void *right)
{
	const struct timed_sample *a = left, *b = right;

	if (a->time != b->time)
		return (int64_t)(a->time - b->time) < 0 ? -1 : 1;
	return a->order < b->order ? -1 : a->order > b->order;
}

static bool find_modules(struct firefox *firefox)
{
	const struct call_tree *tree = firefox->report->tree;
	size_t i, k, known, count = tree->hashes.count;
	const char *end;

	firefox->module_of = calloc(count + 1, sizeof(*firefox->module_of));
	firefox->module = calloc(count + 1, sizeof(*firefox->module));
	if (!firefox->module_of || !firefox->module)
		return false;
	for (i = 1; i < count; i++) {
		end = strchr(tree->name[i].text, '!');
		if (!end)
			continue;
		known = firefox->modules.count;
		k = map_add(&firefox->modules, map_mix(MAP_MIX, tree->name[i].text,
						       end - tree->name[i].text));
		if (k == MAP_NONE)
			return false;
		if (k == known)
			firefox->module[k] = i;
		firefox->module_of[i] = k + 1;
	}
	return true;
}

/* Milliseconds, exact: a double has no ns after some days */
static void put_time(const struct firefox *firefox, uint64_t time)
{
	int64_t ns = etl_nanoseconds(&firefox->report->trace->log, time);

	if (ns < 0)
		ns = 0;
	printf("%" PRId64 ".%06" PRId64, ns / 1000000, ns % 1000000);
}

static void put_meta(const struct firefox *firefox)
{
	const struct etl_logfile *log = &firefox->report->trace->log;
	const char *file = strrchr(firefox->report->trace->name, '/');
	uint64_t units = 0;

	if (log->start_time > FILETIME_OF_UNIX)
		units = log->start_time - FILETIME_OF_UNIX;
	fputs("{\"meta\":{\"version\":24,\"product\":", stdout);
	export_string(stdout, file ? file + 1 : firefox->report->trace->name);
	printf(",\"importedFrom\":\"etw " ETW_VERSION "\",\"preprocessedProfileVersion\":%u,"
	       "\"interval\":1,\"startTime\":%" PRIu64 ".%04" PRIu64 ",\"processType\":0,"
	       "\"stackwalk\":1,\"debug\":false,\"symbolicated\":true,\"usesOnlyOneStackType\":true,"
	       "\"sourceCodeIsNotOnSearchfox\":true,\"markerSchema\":[],"
	       "\"extensions\":{\"length\":0,\"baseURL\":[],\"id\":[],\"name\":[]},"
	       "\"sampleUnits\":{\"time\":\"ms\",\"eventDelay\":\"ms\",\"threadCPUDelta\":\"ns\"},\n"
	       "\"categories\":["
	       "{\"name\":\"Other\",\"color\":\"grey\",\"subcategories\":[\"Other\"]},"
	       "{\"name\":\"User\",\"color\":\"yellow\",\"subcategories\":[\"Other\"]},"
	       "{\"name\":\"Kernel\",\"color\":\"orange\",\"subcategories\":[\"Other\"]}]},\n"
	       "\"libs\":[],\"pages\":[],\"counters\":[],\"profilerOverhead\":[],\n", FORMAT_VERSION,
	       units / 10000, units % 10000);
}

/* A column of a table: the same in each row */
static void put_column(const char *name, size_t rows, const char *value)
{
	size_t i;

	printf(",\"%s\":[", name);
	for (i = 0; i < rows; i++)
		printf("%s%s", i ? "," : "", value);
	putchar(']');
}

/* Stacks have the places of the tree's nodes, less the root; the process is no frame of its own */
static void put_stacks(const struct call_tree *tree)
{
	size_t i;
	uint32_t parent;

	printf("\"stackTable\":{\"length\":%zu,\"prefix\":[", tree->nodes - 1);
	for (i = 1; i < tree->nodes; i++) {
		parent = tree->node[i].parent;
		if (i > 1)
			putchar(',');
		if (parent && tree->node[parent].parent)
			printf("%u", parent - 1);
		else
			fputs("null", stdout);
	}
	fputs("],\"frame\":[", stdout);
	for (i = 1; i < tree->nodes; i++)
		printf("%s%u", i > 1 ? "," : "", tree->node[i].name - 1);
	fputs("]},\n", stdout);
}

static unsigned int category_of(const struct call_name *name)
{
	if (name->is_kernel)
		return CATEGORY_KERNEL;
	return strchr(name->text, '!') ? CATEGORY_USER : CATEGORY_OTHER;
}

/* Frames, functions and the first strings have the places of the tree's names, less the root's */
static void put_frames(const struct firefox *firefox)
{
	const struct call_tree *tree = firefox->report->tree;
	size_t count = tree->hashes.count - 1, i;

	printf("\"frameTable\":{\"length\":%zu,\"func\":[", count);
	for (i = 0; i < count; i++)
		printf("%s%zu", i ? "," : "", i);
	fputs("],\"category\":[", stdout);
	for (i = 0; i < count; i++)
		printf("%s%u", i ? "," : "", category_of(&tree->name[i + 1]));
	putchar(']');
	put_column("subcategory", count, "0");
	put_column("address", count, "-1");
	put_column("inlineDepth", count, "0");
	put_column("nativeSymbol", count, "null");
	put_column("innerWindowID", count, "0");
	put_column("line", count, "null");
	put_column("column", count, "null");
	printf("},\n\"funcTable\":{\"length\":%zu,\"name\":[", count);
	for (i = 0; i < count; i++)
		printf("%s%zu", i ? "," : "", i);
	fputs("],\"resource\":[", stdout);
	for (i = 0; i < count; i++)
		printf("%s%d", i ? "," : "", (int)firefox->module_of[i + 1] - 1);
	putchar(']');
	put_column("isJS", count, "false");
	put_column("relevantForJS", count, "false");
	put_column("source", count, "null");
	put_column("lineNumber", count, "null");
	put_column("columnNumber", count, "null");
	fputs("},\n", stdout);
}

static void put_resources(const struct firefox *firefox)
{
	size_t names = firefox->report->tree->hashes.count - 1, count = firefox->modules.count, i;
	char type[4];

	snprintf(type, sizeof(type), "%u", RESOURCE_LIBRARY);
	printf("\"resourceTable\":{\"length\":%zu,\"name\":[", count);
	for (i = 0; i < count; i++)
		printf("%s%zu", i ? "," : "", names + i);
	putchar(']');
	put_column("lib", count, "null");
	put_column("host", count, "null");
	put_column("type", count, type);
	fputs("},\n\"nativeSymbols\":{\"length\":0,\"libIndex\":[],\"address\":[],\"name\":[],"
	      "\"functionSize\":[]},\n\"sources\":{\"length\":0,\"uuid\":[],\"filename\":[]},\n",
	      stdout);
}

/* Names of functions, then those of modules */
static int put_strings(const struct firefox *firefox)
{
	const struct call_tree *tree = firefox->report->tree;
	const char *text, *function;
	char *module;
	size_t i;

	fputs("\"stringArray\":[", stdout);
	for (i = 1; i < tree->hashes.count; i++) {
		text = tree->name[i].text;
		function = strchr(text, '!');
		fputs(i > 1 ? ",\n" : "\n", stdout);
		export_string(stdout, function && strcmp(function, "!?") ? function + 1 : text);
	}
	for (i = 0; i < firefox->modules.count; i++) {
		text = tree->name[firefox->module[i]].text;
		module = strndup(text, strchr(text, '!') - text);
		if (!module)
			return no_memory();
		fputs(",\n", stdout);
		export_string(stdout, module);
		free(module);
	}
	fputs("]},\n", stdout);
	return 0;
}

static void put_samples(const struct firefox *firefox, const struct timed_thread *thread)
{
	const struct stack_report *report = firefox->report;
	size_t i;

	printf("\"samples\":{\"length\":%zu,\"weightType\":\"%s\",\"stack\":[", thread->samples,
	       report->weight == WEIGH_WAITING ? "tracing-ms" : "samples");
	for (i = 0; i < thread->samples; i++)
		printf("%s%u", i ? "," : "", thread->sample[i].node - 1);
	fputs("],\"time\":[", stdout);
	for (i = 0; i < thread->samples; i++) {
		if (i)
			putchar(',');
		put_time(firefox, thread->sample[i].time);
	}
	fputs("],\"weight\":[", stdout);
	for (i = 0; i < thread->samples; i++) {
		if (report->weight == WEIGH_WAITING)
			printf("%s%" PRIu64 ".%06" PRIu64, i ? "," : "",
			       thread->sample[i].weight / 1000000,
			       thread->sample[i].weight % 1000000);
		else
			printf("%s%" PRIu64, i ? "," : "", thread->sample[i].weight);
	}
	fputs("]}", stdout);
}

static void put_thread(const struct firefox *firefox, struct timed_thread *thread)
{
	struct lifetimes *lifetimes = firefox->report->statistics->lifetimes;
	const struct process *process = lifetimes_process(lifetimes, thread->pid, thread->first);
	const struct thread *named = lifetimes_thread(lifetimes, thread->tid, thread->first);
	const char *name = named ? thread_name(named) : "";
	char text[32];

	snprintf(text, sizeof(text), "thread %u", thread->tid);
	fputs("{\"name\":", stdout);
	export_string(stdout, name[0] ? name : text);
	snprintf(text, sizeof(text), "pid %u", thread->pid);
	fputs(",\"processName\":", stdout);
	export_string(stdout, process && process_name(process)[0] ? process_name(process) : text);
	printf(",\"pid\":\"%u\",\"tid\":\"%u\",\"isMainThread\":%s,\"processType\":\"default\","
	       "\"processStartupTime\":0,\"processShutdownTime\":null,\"registerTime\":0,"
	       "\"unregisterTime\":null,\"pausedRanges\":[],\n", thread->pid, thread->tid,
	       thread->pid == thread->tid ? "true" : "false");
	fputs("\"markers\":{\"length\":0,\"data\":[],\"name\":[],\"startTime\":[],\"endTime\":[],"
	      "\"phase\":[],\"category\":[]},\n", stdout);
	qsort(thread->sample, thread->samples, sizeof(*thread->sample), by_time);
	put_samples(firefox, thread);
	putchar('}');
}

static int put_profile(struct firefox *firefox)
{
	size_t i;

	if (!find_modules(firefox))
		return no_memory();
	put_meta(firefox);
	fputs("\"shared\":{", stdout);
	put_stacks(firefox->report->tree);
	put_frames(firefox);
	put_resources(firefox);
	if (put_strings(firefox))
		return -1;
	fputs("\"threads\":[", stdout);
	for (i = 0; i < firefox->ids.count; i++) {
		fputs(i ? ",\n" : "\n", stdout);
		put_thread(firefox, &firefox->thread[i]);
	}
	puts("]}");
	return 0;
}

int export_firefox(const struct stack_report *report)
{
	size_t i;
	int err;

	profile.report = report;
	err = put_profile(&profile);
	for (i = 0; i < profile.ids.count; i++)
		free(profile.thread[i].sample);
	free(profile.thread);
	free(profile.module_of);
	free(profile.module);
	map_free(&profile.ids);
	map_free(&profile.modules);
	profile = (struct firefox){ };
	return err;
}
