// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* Options that say what is counted and sampled, and how often. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include "control/hooks.h"
#include "session_options.h"

#define TIMER_UNITS	10000000.0	/* of 100 ns in a second */

/* The next of a list by commas; those between slashes belong to the name. */
static char *next_name(char **rest)
{
	char *name = *rest, *at;
	bool inside = false;

	if (!name)
		return NULL;
	for (at = name; *at && (inside || *at != ','); at++)
		inside ^= *at == '/';
	*rest = *at ? at + 1 : NULL;
	*at = 0;
	return name;
}

static void try_counter(void *context, const struct counter *counter, const char *note)
{
	(void)note;
	suggestion_try(context, counter->name);
}

/* Of perf's names and those of Windows, without modifiers; a name that is known is not at fault */
static const char *suggest_counter(const char *text, struct suggestion *suggestion)
{
	static char name[COUNTER_NAME];
	struct counter known;

	snprintf(name, sizeof(name), "%.*s", (int)strcspn(text, ":/"), text);
	suggestion_begin(suggestion, name);
	if (counter_generic(name, &known) || counter_windows(name, &known) || strchr(text, '/'))
		return "";
	counter_generic_each(try_counter, suggestion);
	counter_windows_each(try_counter, suggestion);
	return suggestion_text(suggestion);
}

static int parse_counter(const struct session_options *options, const char *text,
			 struct counter *counter)
{
	struct suggestion suggestion;
	struct counter_error error;

	return counter_parse(text, counter, &error) ? 0 :
	       option_error(options, "counter '%s': %s%s", text, error.text,
			    suggest_counter(text, &suggestion));
}

static int add_counter(struct session_options *options, const char *name)
{
	struct counter_options *counting = &options->counting;
	struct counter *counter = &counting->counters[counting->nr_counters];
	int code;

	if (counting->nr_counters == ETW_MAX_PMC_COUNTERS)
		return option_error(options, "counters: at most %u", ETW_MAX_PMC_COUNTERS);
	code = parse_counter(options, name, counter);
	if (code)
		return code;
	if (counter->flags & ETW_COUNTER_PRECISE)
		return option_error(options, "counter '%s': p is for --sample and --pebs", name);
	counting->nr_counters++;
	return 0;
}

/* Events that carry the counters; all of them are given anew */
static int set_hooks(struct session_options *options, char *events)
{
	struct etw_items *items = &options->request.items;
	struct suggestion suggestion;
	char *event;

	items->nr_counter_hooks = 0;
	items_say(items, ETW_ITEM_PMC_HOOKS);
	while ((event = strsep(&events, "+,"))) {
		if (items->nr_counter_hooks == ETW_MAX_PMC_HOOKS)
			return option_error(options, "events with counters: at most %u",
					    ETW_MAX_PMC_HOOKS);
		if (!hook_parse(event, &items->counter_hooks[items->nr_counter_hooks]))
			return option_error(options,
					    "there is no event '%s'%s; 'etw list hooks' shows names",
					    event, hook_suggestion(event, &suggestion));
		items->nr_counter_hooks++;
	}
	return 0;
}

/* LIST@EVENT+EVENT */
int option_counters(struct session_options *options, const char *value)
{
	char *copy = strdup(value), *rest = copy, *name, *at;
	char usual[] = "CSwitch";
	int code = copy ? 0 : EXIT_FAILED;

	options->counting.nr_counters = 0;
	at = copy ? strrchr(copy, '@') : NULL;
	if (at)
		*at++ = 0;
	while (!code && (name = next_name(&rest)))
		code = add_counter(options, name);
	if (!code)
		code = set_hooks(options, at ? at : usual);
	free(copy);
	return code;
}

/* Those given later hold. */
static int add_interval(struct session_options *options, const char *name, const char *text)
{
	struct counter_options *counting = &options->counting;
	uint32_t i, events;

	if (!parse_number(text, ETW_MIN_SOURCE_INTERVAL, ETW_MAX_SOURCE_INTERVAL, &events))
		return option_error(options, "interval '%s' of %s: %u to %u events", text, name,
				    ETW_MIN_SOURCE_INTERVAL, ETW_MAX_SOURCE_INTERVAL);
	if (strlen(name) >= COUNTER_NAME)
		return option_error(options, "interval of '%s': the name is too long", name);
	for (i = 0; i < counting->nr_intervals; i++)
		if (!strcasecmp(counting->intervals[i].name, name))
			break;
	if (i == ETW_MAX_SAMPLE_SOURCES)
		return option_error(options, "intervals: at most %u", ETW_MAX_SAMPLE_SOURCES);
	strcpy(counting->intervals[i].name, name);
	counting->intervals[i].events = events;
	counting->nr_intervals += i == counting->nr_intervals;
	return 0;
}

/* NAME, NAME@INTERVAL or NAME=INTERVAL; between slashes, = belongs to the name. */
static char *cut_interval(char *text)
{
	char *slash = strrchr(text, '/');
	char *at = strrchr(text, '@');

	if (!at)
		at = strrchr(slash ? slash : text, '=');
	if (at)
		*at++ = 0;
	return at;
}

/* A source, and how often it samples when that is said behind it */
static int parse_sample(struct session_options *options, char *text, struct counter *sample)
{
	char *interval = cut_interval(text);
	int code = parse_counter(options, text, sample);

	return code || !interval ? code : add_interval(options, sample->name, interval);
}

int option_sample(struct session_options *options, const char *value)
{
	struct counter_options *counting = &options->counting;
	char *copy = strdup(value), *rest = copy, *name;
	int code = copy ? 0 : EXIT_FAILED;

	counting->nr_samples = 0;
	while (!code && (name = next_name(&rest))) {
		if (counting->nr_samples == ETW_MAX_SAMPLE_SOURCES)
			code = option_error(options, "sources to sample: at most %u",
					    ETW_MAX_SAMPLE_SOURCES);
		else
			code = parse_sample(options, name,
					    &counting->samples[counting->nr_samples++]);
	}
	free(copy);
	return code;
}

int option_pebs(struct session_options *options, const char *value)
{
	struct counter *event = &options->counting.pebs_event;
	char *copy = strdup(value);
	int code = copy ? 0 : EXIT_FAILED;

	options->counting.pebs = true;
	event->name[0] = 0;
	if (!code && strcasecmp(value, "index")) {
		code = parse_sample(options, copy, event);
		event->flags |= ETW_COUNTER_PRECISE;
	}
	free(copy);
	return code;
}

int option_frequency(struct session_options *options, const char *value)
{
	static const uint32_t second = TIMER_UNITS;
	uint32_t hz;

	if (!parse_number(value, second / ETW_MAX_TIMER_INTERVAL,
			  second / ETW_MIN_TIMER_INTERVAL, &hz))
		return option_error(options, "frequency '%s': %u to %u a second", value,
				    second / ETW_MAX_TIMER_INTERVAL,
				    second / ETW_MIN_TIMER_INTERVAL);
	options->counting.timer = (second + hz / 2) / hz;
	return 0;
}

/* A time: with its unit, or in 100 ns as Windows has it */
static bool parse_time(const char *text, uint32_t *units)
{
	static const struct {
		const char *name;
		double units;
	} known[] = {
		{ "", 1 }, { "us", TIMER_UNITS / 1e6 }, { "ms", TIMER_UNITS / 1e3 },
		{ "s", TIMER_UNITS },
	};
	char *unit;
	double value = strtod(text, &unit);
	size_t i;

	if (text[0] < '0' || text[0] > '9')
		return false;
	for (i = 0; i < sizeof(known) / sizeof(known[0]); i++) {
		if (strcmp(known[i].name, unit))
			continue;
		value *= known[i].units;
		if (!(value >= ETW_MIN_TIMER_INTERVAL && value <= ETW_MAX_TIMER_INTERVAL))
			return false;
		*units = value + 0.5;
		return true;
	}
	return false;
}

int option_interval(struct session_options *options, const char *value)
{
	char *copy = strdup(value), *events;
	int code;

	if (!copy)
		return EXIT_FAILED;
	events = cut_interval(copy);
	if (events)
		code = add_interval(options, copy, events);
	else
		code = parse_time(value, &options->counting.timer) ? 0 :
		       option_error(options,
				    "interval '%s': 20us to 1s, units of 100 ns, or NAME=EVENTS",
				    value);
	free(copy);
	return code;
}
