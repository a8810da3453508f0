// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* The options that select events, which the verbs that read traces share. */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include "etw.h"
#include "filter_options.h"

/* Return: what follows the number; NULL when there is none */
static const char *parse_seconds(const char *text, int64_t *ns)
{
	double seconds;
	char *end;

	if (!isdigit((unsigned char)*text) && *text != '.')
		return NULL;
	seconds = strtod(text, &end);
	if (end == text || !(seconds < 9e9))
		return NULL;
	*ns = seconds * 1e9 + 0.5;
	return end;
}

static int take_range(const struct verb *verb, const char *text, struct event_filter *filter)
{
	const char *at = text;

	if (*at != '-')
		at = parse_seconds(at, &filter->from);
	if (at && *at++ != '-')
		at = NULL;
	if (at && *at)
		at = parse_seconds(at, &filter->to);
	if (at && !*at && filter->from <= filter->to)
		return EXIT_OK;
	return usage_error(verb, "%s: range '%s': it is FROM-TO, seconds since the start, and "
			   "either may be left out", verb->name, text);
}

/* Adds the members of a list. @add: false: the member is wrong, or one too many */
static bool for_each_member(const char *text, struct event_filter *filter,
			    bool (*add)(struct event_filter *filter, const char *member))
{
	char *copy = strdup(text), *member, *rest = copy;
	bool good = copy;

	while (good && (member = strsep(&rest, ",")))
		good = add(filter, member);
	free(copy);
	return good;
}

static bool add_pid(struct event_filter *filter, const char *member)
{
	if (filter->nr_pids == FILTER_IDS ||
	    !parse_number(member, 0, UINT32_MAX, &filter->pids[filter->nr_pids]))
		return false;
	filter->nr_pids++;
	return true;
}

static bool add_tid(struct event_filter *filter, const char *member)
{
	if (filter->nr_tids == FILTER_IDS ||
	    !parse_number(member, 0, UINT32_MAX, &filter->tids[filter->nr_tids]))
		return false;
	filter->nr_tids++;
	return true;
}

static bool add_name(struct event_filter *filter, const char *member)
{
	if (filter->nr_names == FILTER_IDS || !*member)
		return false;
	filter->names[filter->nr_names] = strdup(member);
	return filter->names[filter->nr_names] && ++filter->nr_names;
}

static bool add_container(struct event_filter *filter, const char *member)
{
	unsigned int i = filter->nr_containers;

	if (i == FILTER_IDS || !*member)
		return false;
	filter->containers[i] = strdup(member);
	return filter->containers[i] && ++filter->nr_containers;
}

/* A member is a processor, or FIRST-LAST */
static bool add_cpu(struct event_filter *filter, const char *member)
{
	char first_text[sizeof("4294967295")];
	const char *dash = strchr(member, '-');
	size_t length = dash ? (size_t)(dash - member) : strlen(member);
	uint32_t first, last;

	if (!filter->cpus)
		filter->cpus = calloc(1, ETL_PROCESSORS / 8);
	if (!filter->cpus || length >= sizeof(first_text))
		return false;
	memcpy(first_text, member, length);
	first_text[length] = '\0';
	if (!parse_number(first_text, 0, ETL_PROCESSORS - 1, &first) ||
	    !parse_number(dash ? dash + 1 : first_text, first, ETL_PROCESSORS - 1, &last))
		return false;
	for (; first <= last; first++)
		filter->cpus[first / 8] |= 1 << first % 8;
	return true;
}

static const struct filter_list {
	int code;
	const char *what;
	const char *are;
	unsigned int most;
	bool (*add)(struct event_filter *filter, const char *member);
} lists[] = {
	{ OPTION_PID, "processes", "numbers", FILTER_IDS, add_pid },
	{ OPTION_TID, "threads", "numbers", FILTER_IDS, add_tid },
	{ OPTION_PROCESS, "process names", "names with commas between them", FILTER_IDS,
	  add_name },
	{ OPTION_CONTAINER, "containers", "patterns with commas between them", FILTER_IDS,
	  add_container },
	{ OPTION_CPU, "processors", "numbers and ranges FIRST-LAST below the limit",
	  ETL_PROCESSORS, add_cpu },
};

static const struct filter_list *list_of(int code)
{
	size_t i;

	for (i = 0; i < sizeof(lists) / sizeof(lists[0]); i++)
		if (lists[i].code == code)
			return &lists[i];
	return NULL;
}

bool is_filter_option(int code)
{
	return code == OPTION_RANGE || code == OPTION_IDLE || list_of(code);
}

int filter_option_take(const struct verb *verb, int code, const char *text,
		       struct event_filter *filter)
{
	const struct filter_list *list = list_of(code);

	if (code == OPTION_IDLE) {
		filter->idle = true;
		return EXIT_OK;
	}
	if (!list)
		return take_range(verb, text, filter);
	if (for_each_member(text, filter, list->add))
		return EXIT_OK;
	return usage_error(verb, "%s: %s '%s': they are %s, %u at most", verb->name, list->what,
			   text, list->are, list->most);
}
