// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* etw list counters: every name that can be counted; first those that this machine counts. */
#include <inttypes.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "control/counter.h"
#include "etw.h"

#define ANSWERS	(COUNTER_UNKNOWN + 1)

/**
 * struct listing - what is being listed
 * @kind: origin of the names
 * @json: as JSON
 * @all: for JSON, by the answer of counter_try()
 * @text: for text, likewise
 * @bytes: of @text
 * @size: of @bytes
 */
struct listing {
	const char *kind;
	bool json;
	json_t *all[ANSWERS];
	FILE *text[ANSWERS];
	char *bytes[ANSWERS];
	size_t size[ANSWERS];
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

static void put_text(FILE *to, const char *kind, const struct counter *counter,
		     enum counter_answer answer, const char *note)
{
	static const char *const words[] = { [COUNTER_NO] = "no", [COUNTER_YES] = "yes", [COUNTER_UNKNOWN] = "?" };
	char event[128];

	counter_event_text(counter, event, sizeof(event));
	fprintf(to, "%-30s %-3s  %-7s  %s", counter->name, words[answer], kind, event);
	if (counter->source)
		fprintf(to, ", source %u", counter->source);
	/* the first line of it is enough */
	fprintf(to, "%s%.*s\n", note ? ", " : "", note ? (int)strcspn(note, "\n") : 0, note);
}

static void put(struct listing *listing, const struct counter *counter,
		enum counter_answer answer, const char *note)
{
	if (listing->json)
		put_json(listing->all[answer], listing->kind, counter, answer, note);
	else
		put_text(listing->text[answer], listing->kind, counter, answer, note);
}

static void visit(void *context, const struct counter *counter, const char *note)
{
	put(context, counter, counter_try(counter), note);
}

/* A PMU that counts for several CPUs can't give each its own, whatever it counts. */
static void visit_pmu(void *context, const struct counter *counter, const char *note)
{
	put(context, counter, note ? COUNTER_NO : counter_try(counter), note);
}

static void visit_all(struct listing *listing)
{
	listing->kind = "perf";
	counter_generic_each(visit, listing);
	listing->kind = "Windows";
	counter_windows_each(visit, listing);
	listing->kind = "PMU";
	counter_pmu_each(visit_pmu, listing);
	listing->kind = "libpfm4";
	counter_pfm_each(visit, listing);
}

static const enum counter_answer order[] = { COUNTER_YES, COUNTER_UNKNOWN, COUNTER_NO };

/* Both return: whether some could not be tried; -1 after a message */
static int list_json(struct listing *listing)
{
	json_t *all;
	bool unknown;
	size_t i;

	for (i = 0; i < ANSWERS; i++)
		listing->all[i] = json_array();
	visit_all(listing);
	all = listing->all[order[0]];
	unknown = json_array_size(listing->all[COUNTER_UNKNOWN]);
	for (i = 1; i < ANSWERS; i++)
		json_array_extend(all, listing->all[order[i]]);
	json_dumpf(all, stdout, JSON_INDENT(2));
	putchar('\n');
	for (i = 0; i < ANSWERS; i++)
		json_decref(listing->all[i]);
	return unknown;
}

static int list_text(struct listing *listing)
{
	int err = 0;
	size_t i;

	for (i = 0; i < ANSWERS; i++) {
		listing->text[i] = open_memstream(&listing->bytes[i], &listing->size[i]);
		err |= !listing->text[i];
	}
	if (!err)
		visit_all(listing);
	for (i = 0; i < ANSWERS; i++)
		if (listing->text[i])
			err |= fclose(listing->text[i]);
	for (i = 0; i < ANSWERS; i++) {
		if (!err)
			fwrite(listing->bytes[order[i]], 1, listing->size[order[i]], stdout);
		free(listing->bytes[order[i]]);
	}
	return err ? no_memory() : !!listing->size[COUNTER_UNKNOWN];
}

int counters_list(bool json)
{
	struct listing listing = { .json = json };
	int unknown = json ? list_json(&listing) : list_text(&listing);

	if (unknown < 0)
		return EXIT_FAILED;
	if (unknown)
		warn("what could not be tried has a question mark: it takes root or CAP_PERFMON");
	if (!counter_pfm_linked())
		warn("this tool is built without libpfm4: names of that library are missing");
	return EXIT_OK;
}
