// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* Names of events, those of xperf, to group masks and back; names of clocks. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include "config/config.h"
#include "libetl/events/enable_flags.h"
#include "etw.h"
#include "group_masks.h"

static void print_known(void)
{
	const struct enable_flag *flag;

	fprintf(stderr, "etw: the events are:");
	for (flag = enable_flags; flag->name; flag++)
		if (flag->what)
			fprintf(stderr, " %s", flag->name);
	fprintf(stderr, " ('etw list events' explains them)\n");
}

static const struct enable_flag *find(const char *name, size_t length)
{
	const struct enable_flag *flag;

	for (flag = enable_flags; flag->name; flag++)
		if (!strncasecmp(flag->name, name, length) && !flag->name[length])
			return flag;
	return NULL;
}

void masks_add(struct perfinfo_groupmask *masks, const struct perfinfo_groupmask *more,
	       unsigned int first)
{
	unsigned int i;

	for (i = first; i < ETW_MASKS; i++)
		masks->masks[i] |= more->masks[i];
}

static void add(uint32_t group, struct perfinfo_groupmask *masks)
{
	masks->masks[PERF_MASK_INDEX(group)] |= PERF_MASK_BITS(group);
}

/* A number is a group mask value; one without an index, EnableFlags. */
static bool parse_mask(const char *text, struct perfinfo_groupmask *masks)
{
	struct perfinfo_groupmask more;
	unsigned long value;
	char *end;

	value = strtoul(text, &end, 16);
	if (strncasecmp(text, "0x", 2) || end == text + 2 || *end || value > UINT32_MAX)
		return false;
	if (PERF_MASK_INDEX(value)) {
		add(value, masks);
		return true;
	}
	etw_config_masks(value, &more);
	masks_add(masks, &more, 0);
	return true;
}

/* What was left out of the events that were asked for */
static char lacking[512];

static void append(char *to, size_t room, const char *what)
{
	size_t used = strlen(to);

	snprintf(to + used, room - used, "%s%s", used ? "+" : "", what);
}

/* Of a group, what the module lacks is left out, and said. */
static void add_group(const char *members, struct perfinfo_groupmask *masks)
{
	char *copy = strdup(members), *member, *rest = copy;
	const struct enable_flag *flag;

	while (copy && (member = strsep(&rest, "+"))) {
		flag = find(member, strlen(member));
		if (flag && flag->what)
			add(flag->mask, masks);
		else
			append(lacking, sizeof(lacking), member);
	}
	free(copy);
}

static bool refuse(const char *verb, const char *name)
{
	const struct enable_flag *flag;
	struct suggestion suggestion;

	if (!name[0]) {
		failed("%s: events: a name is empty", verb);
		return false;
	}
	suggestion_begin(&suggestion, name);
	for (flag = enable_flags; flag->name; flag++)
		if (flag->what)
			suggestion_try(&suggestion, flag->name);
	event_groups_suggest(&suggestion);
	failed("%s: there is no event '%s'%s", verb, name, suggestion_text(&suggestion));
	return false;
}

static bool parse_one(const char *verb, const char *name, struct perfinfo_groupmask *masks)
{
	size_t length = strlen(name);
	bool optional = length && name[length - 1] == '?';
	const char *members = event_group(name);
	const struct enable_flag *flag = find(name, length - optional);

	if (flag && flag->what)
		add(flag->mask, masks);
	else if (flag && optional)
		append(lacking, sizeof(lacking), flag->name);
	else if (flag)
		return !failed("%s: event %s: Windows has it, this module does not yet", verb,
			       flag->name);
	else if (members)
		add_group(members, masks);
	else if (!parse_mask(name, masks))
		return refuse(verb, name);
	return true;
}

static bool is_empty(const struct perfinfo_groupmask *masks)
{
	static const struct perfinfo_groupmask none;

	return !memcmp(masks, &none, sizeof(none));
}

bool events_parse(const char *verb, const char *text, struct perfinfo_groupmask *masks)
{
	char *copy = strdup(text), *name, *rest = copy;
	bool good = copy;

	memset(masks, 0, sizeof(*masks));
	lacking[0] = 0;
	while (good && (name = strsep(&rest, "+,")))
		good = parse_one(verb, name, masks);
	free(copy);
	if (good && is_empty(masks)) {
		failed("%s: events '%s': none of them is there", verb, text);
		good = false;
	}
	if (good && lacking[0])
		fprintf(stderr, "etw: %s: events without %s, which this module does not have yet\n",
			verb, lacking);
	if (!good)
		print_known();
	return good;
}

/* Bit by bit, through the kernel's own table of what EnableFlags stand for */
bool events_flags(const struct perfinfo_groupmask *masks, uint32_t *flags)
{
	struct perfinfo_groupmask said;
	uint32_t bit, i;

	*flags = 0;
	for (bit = 1; bit < EVENT_TRACE_FLAG_ENABLE_RESERVE; bit <<= 1) {
		etw_config_masks(bit, &said);
		for (i = 0; i < ETW_MASKS; i++)
			if (said.masks[i] & masks->masks[i])
				*flags |= bit;
	}
	etw_config_masks(*flags, &said);
	return !memcmp(&said, masks, sizeof(said));
}

void events_list(void)
{
	const struct enable_flag *flag;

	for (flag = enable_flags; flag->name; flag++)
		if (flag->what)
			printf("%-12s 0x%08x  %s\n", flag->name, flag->mask, flag->what);
}

void events_text(const struct perfinfo_groupmask *masks, char *to, size_t room)
{
	struct perfinfo_groupmask left = *masks;
	const struct enable_flag *flag;
	uint32_t i, bits, *mask;
	char number[16];

	to[0] = 0;
	for (flag = enable_flags; flag->name; flag++) {
		bits = PERF_MASK_BITS(flag->mask);
		mask = &left.masks[PERF_MASK_INDEX(flag->mask)];
		if ((*mask & bits) != bits)
			continue;
		*mask &= ~bits;
		append(to, room, flag->name);
	}
	for (i = 0; i < ETW_MASKS; i++) {
		if (!left.masks[i])
			continue;
		snprintf(number, sizeof(number), "0x%x", left.masks[i] | i << 29);
		append(to, room, number);
	}
	if (!to[0])
		snprintf(to, room, "none");
}

void events_flags_text(uint32_t flags, char *to, size_t room)
{
	struct perfinfo_groupmask masks;

	etw_config_masks(flags & (EVENT_TRACE_FLAG_ENABLE_RESERVE - 1), &masks);
	events_text(&masks, to, room);
}

bool clock_parse(const char *text, uint32_t *clock)
{
	static const struct {
		const char *name;
		uint32_t clock;
	} names[] = {
		{ "qpc", ETW_CLOCK_QPC }, { "system", ETW_CLOCK_SYSTEM },
		{ "cycle", ETW_CLOCK_CYCLE },
		/* xperf and logman */
		{ "PerfCounter", ETW_CLOCK_QPC }, { "perf", ETW_CLOCK_QPC },
		{ "SystemTime", ETW_CLOCK_SYSTEM },
	};
	size_t i;

	for (i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		if (strcasecmp(text, names[i].name))
			continue;
		*clock = names[i].clock;
		return true;
	}
	return false;
}
