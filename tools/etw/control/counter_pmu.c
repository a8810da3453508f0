// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* PMUs as the kernel describes them: event_source/devices with types, formats, events. */
#define _GNU_SOURCE
#include <dirent.h>
#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "etw.h"
#include "counter.h"

#define DEVICES	"/sys/bus/event_source/devices"

/* Another directory is for tests: they describe PMUs of their own. */
static const char *devices(void)
{
	const char *other = getenv("ETW_EVENT_SOURCES");

	return other ? other : DEVICES;
}

/* First line of PMU/DIRECTORY/NAME; names come from people: none leads elsewhere */
static bool read_file(const char *pmu, const char *directory, const char *name, char *to,
		      size_t room)
{
	char path[PATH_MAX];
	bool got;
	FILE *file;

	if (strchr(pmu, '/') || strchr(name, '/') || pmu[0] == '.' || name[0] == '.')
		return false;
	snprintf(path, sizeof(path), "%s/%s/%s%s", devices(), pmu, directory, name);
	file = fopen(path, "re");
	if (!file)
		return false;
	got = fgets(to, room, file);
	fclose(file);
	if (got)
		to[strcspn(to, "\n")] = 0;
	return got;
}

static bool read_type(const char *pmu, uint32_t *type)
{
	char line[32];

	return read_file(pmu, "", "type", line, sizeof(line)) &&
	       parse_number(line, 0, UINT32_MAX, type);
}

static uint64_t *config_of(struct counter *counter, const char *name, size_t length)
{
	if (length == 6 && !strncmp(name, "config", 6))
		return &counter->config;
	if (length == 7 && !strncmp(name, "config1", 7))
		return &counter->config1;
	if (length == 7 && !strncmp(name, "config2", 7))
		return &counter->config2;
	return NULL;
}

/*
 * Puts a value into the bits that a format names, "config:0-7,32-35": its low
 * bits into the first range, in place of what an event had there. Return: the
 * field holds all of it
 */
static bool put_bits(struct counter *counter, const char *format, uint64_t value)
{
	size_t length = strcspn(format, ":");
	uint64_t *config = config_of(counter, format, length);
	const char *at = format + length;
	unsigned int low, high, width;
	uint64_t mask;
	int used;

	if (!config)
		return false;
	while (*at) {
		at++;
		if (sscanf(at, "%u-%u%n", &low, &high, &used) != 2) {
			if (sscanf(at, "%u%n", &low, &used) != 1)
				return false;
			high = low;
		}
		if (low > high || high > 63)
			return false;
		width = high - low + 1;
		mask = width < 64 ? (1ULL << width) - 1 : ~0ULL;
		*config = (*config & ~(mask << low)) | (value & mask) << low;
		value = width < 64 ? value >> width : 0;
		at += used;
	}
	return !value;
}

static bool parse_value(const char *text, uint64_t *value)
{
	char *end;

	errno = 0;
	*value = strtoull(text, &end, 0);
	return text[0] >= '0' && text[0] <= '9' && !*end && !errno;
}

static bool apply_terms(const char *pmu, const char *terms, struct counter *counter,
			bool is_event, struct counter_error *error);

/* NAME=VALUE, or NAME alone: an event of the PMU, or a field that is 1 */
static bool apply_term(const char *pmu, char *term, struct counter *counter, bool is_event,
		       struct counter_error *error)
{
	char *text = strchr(term, '='), line[512];
	uint64_t value = 1, *config;

	if (text)
		*text++ = 0;
	if (text && !strcmp(term, "name")) {
		snprintf(counter->name, sizeof(counter->name), "%s", text);
		return true;
	}
	if (!text && !is_event && read_file(pmu, "events/", term, line, sizeof(line)))
		return apply_terms(pmu, line, counter, true, error);
	if (text && !parse_value(text, &value)) {
		/* an event may leave one to be said: ldlat=? */
		if (is_event && !strcmp(text, "?"))
			return true;
		return counter_refuse(error, "%s '%s': no number", term, text);
	}
	config = config_of(counter, term, strlen(term));
	if (config && text) {
		*config = value;
		return true;
	}
	if (!read_file(pmu, "format/", term, line, sizeof(line)))
		return counter_refuse(error, "PMU %s has no event or field '%s'", pmu, term);
	if (!put_bits(counter, line, value))
		return counter_refuse(error, "%s 0x%" PRIx64 " does not fit into %s", term, value,
				      line);
	return true;
}

static bool apply_terms(const char *pmu, const char *terms, struct counter *counter,
			bool is_event, struct counter_error *error)
{
	char *copy = strdup(terms), *term, *rest = copy;
	bool good = copy;

	while (good && (term = strsep(&rest, ",")))
		if (*term)
			good = apply_term(pmu, term, counter, is_event, error);
	free(copy);
	return good;
}

bool counter_pmu(const char *pmu, const char *terms, struct counter *counter,
		 struct counter_error *error)
{
	if (!read_type(pmu, &counter->type))
		return counter_refuse(error, "this machine has no PMU '%s'", pmu);
	return apply_terms(pmu, terms, counter, false, error);
}

static int select_name(const struct dirent *entry)
{
	return entry->d_name[0] != '.';
}

/* How an event is scaled stands beside it: NAME.unit, NAME.scale */
static int select_event(const struct dirent *entry)
{
	return !strchr(entry->d_name, '.');
}

static void each_event(const char *pmu, counter_visit visit, void *context)
{
	char path[PATH_MAX], line[512];
	struct counter_error error;
	struct dirent **entries;
	struct counter counter;
	const char *note;
	int i, n;

	snprintf(path, sizeof(path), "%s/%s/events", devices(), pmu);
	n = scandir(path, &entries, select_event, alphasort);
	/* the file lists the CPUs that count for others */
	note = read_file(pmu, "", "cpumask", line, sizeof(line)) ? "not of one CPU" : NULL;
	for (i = 0; i < n; i++) {
		memset(&counter, 0, sizeof(counter));
		if (counter_pmu(pmu, entries[i]->d_name, &counter, &error)) {
			snprintf(counter.name, sizeof(counter.name), "%.60s/%.90s/", pmu,
				 entries[i]->d_name);
			visit(context, &counter, note);
		}
		free(entries[i]);
	}
	if (n >= 0)
		free(entries);
}

void counter_pmu_each(counter_visit visit, void *context)
{
	struct dirent **entries;
	int i, n = scandir(devices(), &entries, select_name, alphasort);

	for (i = 0; i < n; i++) {
		each_event(entries[i]->d_name, visit, context);
		free(entries[i]);
	}
	if (n >= 0)
		free(entries);
}

bool counter_pmu_name(uint32_t type, char *to, size_t room)
{
	struct dirent **entries;
	int i, n = scandir(devices(), &entries, select_name, alphasort);
	bool found = false;
	uint32_t one;

	for (i = 0; i < n; i++) {
		if (!found && read_type(entries[i]->d_name, &one) && one == type) {
			snprintf(to, room, "%s", entries[i]->d_name);
			found = true;
		}
		free(entries[i]);
	}
	if (n >= 0)
		free(entries);
	return found;
}
