/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The etw authors */
/* The options that say what a session is: of start, record and update. */
#ifndef ETW_SESSION_OPTIONS_H
#define ETW_SESSION_OPTIONS_H

#include "control/control_calls.h"
#include "control/counter.h"
#include "etw.h"

#define FOR_START	1u
#define FOR_RECORD	2u
#define FOR_UPDATE	4u

/* That has kernel events whatever is said */
#define KERNEL_LOGGER	"NT Kernel Logger"

#define MOST_DOTNET_PROVIDERS	32u

/* The bit of a kind of item */
#define KIND(kind)	(1u << (kind))

/**
 * struct counter_options - counters and samples, as far as they are said
 * @nr_counters: entries of @counters
 * @counters: values in records
 * @nr_samples: entries of @samples
 * @samples: sources that sample by overflow
 * @nr_intervals: entries of @intervals
 * @intervals: how often sources sample
 * @intervals.name: of the source
 * @intervals.events: between two samples
 * @timer: interval of the sampled profile, 100 ns; 0: not said
 * @pebs: context switches carry the PEBS index
 * @pebs_event: what PEBS samples; without a name: nothing
 */
struct counter_options {
	uint32_t nr_counters;
	struct counter counters[ETW_MAX_PMC_COUNTERS];
	uint32_t nr_samples;
	struct counter samples[ETW_MAX_SAMPLE_SOURCES];
	uint32_t nr_intervals;
	struct {
		char name[COUNTER_NAME];
		uint32_t events;
	} intervals[ETW_MAX_SAMPLE_SOURCES];
	uint32_t timer;
	bool pebs;
	struct counter pebs_event;
};

/**
 * struct session_options - what the command line and profiles say
 * @verb: for messages
 * @for_verb: FOR_*
 * @request: for START
 * @given: kinds of items that options set or took away
 * @counting: counters and samples
 * @filters: bits of FILTER_OPTIONS that options set or took away
 * @events: events were given
 * @maximum: the number of buffers was given
 * @timer: the flush timer was given
 * @timer_in_ms: in ms
 * @reader_mode: permissions of the node were given
 * @flush_ms: the flush timer
 * @target: where buffers go, EVENT_TRACE_*; 0: not said
 * @flight: bytes of memory for --flight; 0: not said
 * @sequence: EVENT_TRACE_USE_*_SEQUENCE
 * @no_programs: programs may not write beside kernel events, not even those of root
 * @no_timestamps: programs may not give theirs, not even where that is the default
 * @file: of -f or -o; NULL: none
 * @default_file: where none is given, and events don't stay in memory; NULL: none
 * @dry_run: only show what would be sent
 * @quiet: no progress, no summary
 * @finalize: recording fails if the file is one that stays as it was recorded
 * @raw: the file is not made final when it is closed
 * @no_tables: user stacks follow frame pointers alone
 * @no_module: perf records, not the module
 * @dotnet: programs of .NET write their events
 * @nr_dotnet_providers: entries of @dotnet_providers
 * @dotnet_providers: NAME[:KEYWORDS[:LEVEL]]
 * @duration_ms: of a recording; 0: until the command or the user ends it
 */
struct session_options {
	const struct verb *verb;
	unsigned int for_verb;
	struct start_request request;
	uint32_t given;
	struct counter_options counting;
	uint32_t filters;
	bool events;
	bool maximum;
	bool timer;
	bool timer_in_ms;
	bool reader_mode;
	uint32_t flush_ms;
	uint32_t target;
	uint64_t flight;
	uint32_t sequence;
	bool no_programs;
	bool no_timestamps;
	const char *file;
	const char *default_file;
	bool dry_run;
	bool quiet;
	bool finalize;
	bool raw;
	bool no_tables;
	bool no_module;
	bool dotnet;
	uint32_t nr_dotnet_providers;
	const char *dotnet_providers[MOST_DOTNET_PROVIDERS];
	uint32_t duration_ms;
};

/*
 * Parses argv; optind is at the first other argument then. Return: 0, or an
 * exit code after a message, or -1: --help.
 */
int session_options_parse(struct session_options *options, int argc, char **argv);
/* Defaults and conflicts that depend on all options. Return: 0 or an exit code */
int session_options_finish(struct session_options *options);
/* One option by its long name, as profiles do. Return: 0 or an exit code */
int session_option_set(struct session_options *options, const char *name, const char *value);
void session_options_help(unsigned int for_verb);
int option_error(const struct session_options *options, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

/**
 * struct session_option - one of them
 * @name: long name
 * @letter: 0: none
 * @verbs: FOR_*
 * @argument: what its value is called; NULL: it has none
 * @set: takes the value; returns 0 or an exit code
 * @help: one line, or several with '\n' between
 */
struct session_option {
	const char *name;
	char letter;
	unsigned int verbs;
	const char *argument;
	int (*set)(struct session_options *options, const char *value);
	const char *help;
};

/* The one that an argument stands for, "-b" or "--buffer-size" in full; or NULL */
const struct session_option *session_option_of(const char *argument, unsigned int for_verb);

/* option_filters.c: what is recorded */
int option_events(struct session_options *options, const char *value);
int option_pid(struct session_options *options, const char *value);
int option_children(struct session_options *options, const char *value);
int option_exclude_self(struct session_options *options, const char *value);
int option_hook(struct session_options *options, const char *value);
int option_stackwalk(struct session_options *options, const char *value);
int option_pool_tags(struct session_options *options, const char *value);
int option_stack_caching(struct session_options *options, const char *value);
int option_no_pid(struct session_options *options, const char *value);
int option_no_children(struct session_options *options, const char *value);
int option_no_exclude_self(struct session_options *options, const char *value);
int option_no_hook(struct session_options *options, const char *value);
int option_no_stackwalk(struct session_options *options, const char *value);
int option_no_pool_tags(struct session_options *options, const char *value);
int option_no_stack_caching(struct session_options *options, const char *value);

/* option_linux_events.c: events of Linux by name, and a --stackwalk of one of them */
int option_linux_events(struct session_options *options, const char *value);
int option_linux_stack(struct session_options *options, const char *part);
int option_probe(struct session_options *options, const char *value);
int option_uprobe(struct session_options *options, const char *value);
int option_usdt(struct session_options *options, const char *value);
int option_syscalls(struct session_options *options, const char *value);
int option_filter(struct session_options *options, const char *value);
int option_no_linux_events(struct session_options *options, const char *value);

/* option_counters.c: counters in records, samples */
int option_counters(struct session_options *options, const char *value);
int option_sample(struct session_options *options, const char *value);
int option_pebs(struct session_options *options, const char *value);
int option_frequency(struct session_options *options, const char *value);
int option_interval(struct session_options *options, const char *value);

/* counting_items.c: what these options mean, as items. Return: 0 or an exit code */
int counting_finish(struct session_options *options);
/* Intervals alone, and the events they are of: of a session that begins, or one that runs */
int counting_intervals(const struct session_options *options, struct etw_items *items,
		       struct perfinfo_groupmask *masks);

/* option_access.c: the rights to read and write */
int option_owner(struct session_options *options, const char *value);
int option_reader_mode(struct session_options *options, const char *value);
int option_allow_user(struct session_options *options, const char *value);
int option_allow_group(struct session_options *options, const char *value);
int option_providers(struct session_options *options, const char *value);
int option_no_addresses(struct session_options *options, const char *value);

/* option_providers.c: what these may do */
int option_provider_rate(struct session_options *options, const char *value);
int option_provider_timestamps(struct session_options *options, const char *value);
int option_no_provider_timestamps(struct session_options *options, const char *value);
int option_provider_wnodes(struct session_options *options, const char *value);
int option_provider_kernel(struct session_options *options, const char *value);
int option_no_provider_kernel(struct session_options *options, const char *value);
int option_sequence(struct session_options *options, const char *value);
/* No kernel events: none were said, nor anything that only they have */
bool providers_only(const struct session_options *options);
void providers_finish(struct session_options *options);

/* option_buffers.c: memory, time, files */
int option_buffer_size(struct session_options *options, const char *value);
int option_buffers(struct session_options *options, const char *value);
int option_min_buffers(struct session_options *options, const char *value);
int option_max_buffers(struct session_options *options, const char *value);
int option_flush_timer(struct session_options *options, const char *value);
int option_duration(struct session_options *options, const char *value);
int option_mode(struct session_options *options, const char *value);
int option_max_file(struct session_options *options, const char *value);
int option_flight(struct session_options *options, const char *value);
int option_clock(struct session_options *options, const char *value);
/* Bytes, with K, M or G behind */
bool parse_bytes(const char *text, uint64_t *bytes);

/* profiles.c */
int option_profile(struct session_options *options, const char *value);
void profiles_list(void);

/* dry_run.c: prints what would be sent. Return: exit code; that of a refusal by the rules */
int dry_run(const struct block *block, uint32_t flags);

#endif /* ETW_SESSION_OPTIONS_H */
