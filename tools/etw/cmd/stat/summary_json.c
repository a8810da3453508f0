// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* The summary, all of it, and etw stat FILE --json (declared in summary.h). */
#include <errno.h>
#include <string.h>
#include "libetl/event_names.h"
#include "libetl/text.h"
#include "etw.h"
#include "summary.h"

static void put(json_t *to, const char *name, uint64_t number)
{
	json_object_set_new(to, name, json_integer(number));
}

static void put_text(json_t *to, const char *name, const char *text)
{
	json_object_set_new(to, name, text ? json_string(text) : json_null());
}

static void put_session(json_t *to, const struct trace *trace,
			const struct statistics *statistics)
{
	const struct etl_logfile *log = &trace->log;
	char text[SUMMARY_NAME];

	summary_name(trace, text);
	put_text(to, "session", text);
	text_from_filetime(log->start_time, text, sizeof(text));
	put_text(to, "started", text);
	json_object_set_new(to, "closed", json_boolean(log->end_time));
	json_object_set_new(to, "duration_ns", json_integer(summary_duration(trace, statistics)));
	put(to, "buffers", trace->count);
	put(to, "buffer_bytes", log->buffer_size);
	put(to, "events", statistics->events);
	put(to, "events_lost", losses_with(&statistics->losses, log->events_lost));
	put(to, "buffers_lost", log->buffers_lost);
	put(to, "events_overwritten", losses_overwritten(&statistics->losses));
}

static json_t *system_json(const struct etl_logfile *log)
{
	json_t *to = json_object();

	json_object_set_new(to, "version", json_sprintf("%u.%u", log->version[0], log->version[1]));
	put(to, "build", log->provider_version);
	put(to, "processors", log->number_of_processors);
	put(to, "pointer_bits", 8 * log->pointer_size);
	put_text(to, "clock", clock_name(log->clock_type));
	put(to, "clock_hz", etl_frequency(log));
	return to;
}

static json_t *perf_json(const struct perf_summary *perf)
{
	json_t *to = json_object(), *names = json_array();
	char name[COUNTER_NAME];
	unsigned int i;

	for (i = 0; i < perf->counters; i++) {
		perf_summary_name(perf, i, name, sizeof(name));
		json_array_append_new(names, json_string(name));
	}
	json_object_set_new(to, "counters", names);
	put(to, "counted_records", perf->counted);
	put(to, "counted_switches", perf->counted_switches);
	put(to, "pebs_records", perf->indexed);
	put(to, "timer_samples", perf->timer_samples);
	put(to, "counter_samples", perf->counter_samples);
	return to;
}

static json_t *types_json(const struct event_counts *types)
{
	json_t *to = json_array(), *type;
	size_t i;

	for (i = 0; i < types->nr; i++) {
		type = json_object();
		put_text(type, "name", types->count[i].name);
		put(type, "events", types->count[i].events);
		json_array_append_new(to, type);
	}
	return to;
}

static json_t *cpus_json(const struct statistics *statistics)
{
	json_t *to = json_array(), *cpu;
	size_t i;

	for (i = 0; i < ETL_PROCESSORS; i++) {
		if (!statistics->cpu[i].seen || !event_filter_wants_cpu(statistics->filter, i))
			continue;
		cpu = json_object();
		put(cpu, "cpu", i);
		put(cpu, "switches", statistics->cpu[i].switches);
		put(cpu, "busy_ns", statistics->cpu[i].busy);
		put(cpu, "idle_ns", statistics->cpu[i].idle);
		put(cpu, "lost_ns", statistics->cpu[i].lost);
		json_array_append_new(to, cpu);
	}
	return to;
}

static json_t *thread_json(const struct thread_time *time)
{
	const struct process *process = time->thread->process;
	json_t *to = json_object(), *cpus = json_array(), *cpu;
	size_t i;

	json_object_set_new(to, "pid", process ? json_integer(process->life.id) : json_null());
	put(to, "tid", time->thread->life.id);
	put_text(to, "process", process_name(process));
	put_text(to, "thread", time->thread->life.name);
	put(to, "on_cpu_ns", time->ns);
	put(to, "switches", time->switches);
	for (i = 0; i < time->cpus; i++) {
		if (!time->cpu[i].ns)
			continue;
		cpu = json_object();
		put(cpu, "cpu", time->cpu[i].processor);
		put(cpu, "on_cpu_ns", time->cpu[i].ns);
		json_array_append_new(cpus, cpu);
	}
	json_object_set_new(to, "cpus", cpus);
	return to;
}

json_t *summary_object(const struct trace *trace, const struct statistics *statistics)
{
	json_t *all = json_object(), *threads = json_array();
	size_t i;

	put_session(all, trace, statistics);
	json_object_set_new(all, "system", system_json(&trace->log));
	json_object_set_new(all, "perf", perf_json(&statistics->perf));
	json_object_set_new(all, "types", types_json(&statistics->types));
	json_object_set_new(all, "cpus", cpus_json(statistics));
	for (i = 0; i < statistics->threads; i++)
		if (summary_has_thread(statistics, &statistics->times[i]))
			json_array_append_new(threads, thread_json(&statistics->times[i]));
	json_object_set_new(all, "threads", threads);
	return all;
}

int summary_json(const struct trace *trace, const struct statistics *statistics)
{
	json_t *all = summary_object(trace, statistics);
	int err;

	/* main() reports errors of standard output, for all verbs */
	err = json_dumpf(all, stdout, JSON_COMPACT) && !ferror(stdout);
	putchar('\n');
	json_decref(all);
	return err ? failed("%s", strerror(ENOMEM)) : EXIT_OK;
}
