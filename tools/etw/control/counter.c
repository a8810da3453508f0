// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* A counter out of its text: which kind of name, and the modifiers behind it. */
#include <errno.h>
#include <inttypes.h>
#include <linux/perf_event.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "counter.h"

bool counter_refuse(struct counter_error *error, const char *format, ...)
{
	va_list arguments;

	va_start(arguments, format);
	vsnprintf(error->text, sizeof(error->text), format, arguments);
	va_end(arguments);
	return false;
}

/*
 * As perf has them: of u, k and h, those that are named are counted and the
 * others not; none means all. I: not while idle. p: by PEBS.
 */
static bool parse_modifiers(const char *text, uint32_t *flags)
{
	static const struct {
		char letter;
		uint32_t exclude;
	} modes[] = {
		{ 'u', ETW_COUNTER_EXCLUDE_USER }, { 'k', ETW_COUNTER_EXCLUDE_KERNEL },
		{ 'h', ETW_COUNTER_EXCLUDE_HV },
	};
	uint32_t all = 0, named = 0;
	size_t i;

	for (*flags = 0; *text; text++) {
		if (*text == 'I')
			*flags |= ETW_COUNTER_EXCLUDE_IDLE;
		else if (*text == 'p')
			*flags |= ETW_COUNTER_PRECISE;
		else if (!strchr("ukh", *text))
			return false;
		for (i = 0; i < sizeof(modes) / sizeof(modes[0]); i++)
			if (modes[i].letter == *text)
				named |= modes[i].exclude;
	}
	for (i = 0; i < sizeof(modes) / sizeof(modes[0]); i++)
		all |= modes[i].exclude;
	*flags |= named ? all & ~named : 0;
	return true;
}

static bool parse_raw(const char *text, struct counter *counter)
{
	char *end;

	if (text[0] != 'r' || !strchr("0123456789abcdefABCDEF", text[1]) || !text[1])
		return false;
	memset(counter, 0, sizeof(*counter));
	errno = 0;
	counter->config = strtoull(text + 1, &end, 16);
	counter->type = PERF_TYPE_RAW;
	snprintf(counter->name, sizeof(counter->name), "%s", text);
	return !*end && !errno;
}

/* A name without modifiers that is none of a library's */
static bool parse_plain(const char *text, struct counter *counter)
{
	return counter_generic(text, counter) || counter_windows(text, counter) ||
	       parse_raw(text, counter);
}

/* What is counted in some modes only is not what Windows means by the name. */
static void apply_modifiers(struct counter *counter, const char *modifiers, uint32_t flags)
{
	size_t used = strlen(counter->name);

	if (*modifiers)
		snprintf(counter->name + used, sizeof(counter->name) - used, ":%s", modifiers);
	counter->flags |= flags;
	if (counter->flags & COUNTER_EXCLUDES)
		counter->source = 0;
}

static bool refuse_modifiers(struct counter_error *error, const char *modifiers)
{
	return counter_refuse(error, "modifiers '%s': some of u, k, h, I, p", modifiers);
}

/* PMU/TERMS/MODIFIERS, with or without a colon before these */
static bool parse_pmu(const char *text, struct counter *counter, struct counter_error *error)
{
	const char *slash = strchr(text, '/'), *end = strrchr(text, '/');
	const char *modifiers = end + 1 + (end[1] == ':');
	char pmu[COUNTER_NAME], terms[COUNTER_NAME];
	uint32_t flags;

	if (end == slash || slash == text)
		return counter_refuse(error, "PMU/TERM,.../ is meant?");
	if (!parse_modifiers(modifiers, &flags))
		return refuse_modifiers(error, modifiers);
	snprintf(pmu, sizeof(pmu), "%.*s", (int)(slash - text), text);
	snprintf(terms, sizeof(terms), "%.*s", (int)(end - slash - 1), slash + 1);
	memset(counter, 0, sizeof(*counter));
	if (!counter_pmu(pmu, terms, counter, error))
		return false;
	/* name= among the terms gives it another */
	if (!counter->name[0])
		snprintf(counter->name, sizeof(counter->name), "%.*s", (int)(end + 1 - text),
			 text);
	apply_modifiers(counter, modifiers, flags);
	return true;
}

bool counter_parse(const char *text, struct counter *counter, struct counter_error *error)
{
	const char *colon = strrchr(text, ':');
	char name[COUNTER_NAME];
	uint32_t flags = 0;

	if (!*text || strlen(text) >= COUNTER_NAME - 16)
		return counter_refuse(error, *text ? "too long" : "no name");
	if (strchr(text, '/'))
		return parse_pmu(text, counter, error);
	if (parse_plain(text, counter))
		return true;
	snprintf(name, sizeof(name), "%.*s", colon ? (int)(colon - text) : 0, text);
	if (!colon || !parse_plain(name, counter))
		return counter_pfm(text, counter, error);
	if (!parse_modifiers(colon + 1, &flags))
		return refuse_modifiers(error, colon + 1);
	apply_modifiers(counter, colon + 1, flags);
	return true;
}

bool counter_same(const struct counter *a, const struct counter *b)
{
	return a->type == b->type && a->config == b->config && a->config1 == b->config1 &&
	       a->config2 == b->config2 &&
	       (a->flags & COUNTER_EXCLUDES) == (b->flags & COUNTER_EXCLUDES);
}

void counter_event_text(const struct counter *counter, char *to, size_t room)
{
	const char *type = counter_type_name(counter->type);
	char pmu[64];
	int n;

	if (type)
		snprintf(pmu, sizeof(pmu), "%s", type);
	else if (!counter_pmu_name(counter->type, pmu, sizeof(pmu)))
		snprintf(pmu, sizeof(pmu), "type %u", counter->type);
	n = snprintf(to, room, "%s 0x%" PRIx64, pmu, counter->config);
	if (counter->config1 && n < (int)room)
		n += snprintf(to + n, room - n, " config1 0x%" PRIx64, counter->config1);
	if (counter->config2 && n < (int)room)
		snprintf(to + n, room - n, " config2 0x%" PRIx64, counter->config2);
}
