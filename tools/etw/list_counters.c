// SPDX-License-Identifier: GPL-2.0
/* etw list counters: every name that can be counted, and whether it can be here. */
#include <inttypes.h>
#include <jansson.h>
#include <stdio.h>
#include <string.h>
#include "control/counter.h"
#include "etw.h"

/**
 * struct listing - what is being listed
 * @kind: whose names
 * @all: for JSON; NULL: as text
 * @unknown: some could not be tried
 */
struct listing {
	const char *kind;
	json_t *all;
	bool unknown;
};

static void put_json(json_t *all, const char *kind, const struct counter *counter,
		     enum counter_answer answer, const char *note)
{
	json_t *to = json_object();

	json_object_set_new(to, "name", json_string(counter->name));
	json_object_set_new(to, "kind", json_string(kind));
	json_object_set_new(to, "available",
			    answer == COUNTER_UNKNOWN ? json_null() : json_boolean(answer == COUNTER_YES));
	json_object_set_new(to, "profile_source",
			    counter->source ? json_integer(counter->source) : json_null());
	json_object_set_new(to, "type", json_integer(counter->type));
	json_object_set_new(to, "config", json_sprintf("0x%" PRIx64, counter->config));
	json_object_set_new(to, "config1", json_sprintf("0x%" PRIx64, counter->config1));
	json_object_set_new(to, "config2", json_sprintf("0x%" PRIx64, counter->config2));
	if (note)
		json_object_set_new(to, "note", json_string(note));
	json_array_append_new(all, to);
}

static void put_text(const char *kind, const struct counter *counter, enum counter_answer answer,
		     const char *note)
{
	static const char *const words[] = { [COUNTER_NO] = "no", [COUNTER_YES] = "yes", [COUNTER_UNKNOWN] = "?" };
	char event[128];

	counter_event_text(counter, event, sizeof(event));
	printf("%-30s %-3s  %-7s  %s", counter->name, words[answer], kind, event);
	if (counter->source)
		printf(", source %u", counter->source);
	/* the first line of it is enough */
	printf("%s%.*s\n", note ? ", " : "", note ? (int)strcspn(note, "\n") : 0, note);
}

static void visit(void *context, const struct counter *counter, const char *note)
{
	struct listing *listing = context;
	enum counter_answer answer = counter_try(counter);

	listing->unknown |= answer == COUNTER_UNKNOWN;
	if (listing->all)
		put_json(listing->all, listing->kind, counter, answer, note);
	else
		put_text(listing->kind, counter, answer, note);
}

/* A PMU that counts for several CPUs can't give each its own, whatever it counts. */
static void visit_pmu(void *context, const struct counter *counter, const char *note)
{
	struct listing *listing = context;

	if (!note)
		visit(context, counter, note);
	else if (listing->all)
		put_json(listing->all, listing->kind, counter, COUNTER_NO, note);
	else
		put_text(listing->kind, counter, COUNTER_NO, note);
}

int counters_list(bool json)
{
	struct listing listing = { .kind = "perf", .all = json ? json_array() : NULL };

	counter_generic_each(visit, &listing);
	listing.kind = "Windows";
	counter_windows_each(visit, &listing);
	listing.kind = "PMU";
	counter_pmu_each(visit_pmu, &listing);
	listing.kind = "libpfm4";
	counter_pfm_each(visit, &listing);
	if (json) {
		json_dumpf(listing.all, stdout, JSON_INDENT(2));
		putchar('\n');
		json_decref(listing.all);
	}
	if (listing.unknown)
		warn("what could not be tried has a question mark: it takes root or CAP_PERFMON");
	if (!counter_pfm_linked())
		warn("this tool is built without libpfm4: names of that library are missing");
	return EXIT_OK;
}
