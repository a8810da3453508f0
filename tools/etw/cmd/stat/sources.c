// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* What takes the samples of a trace: the timer and counters. */
#include <stdio.h>
#include "config/profile_sources.h"
#include "sources.h"

struct source *source_of(struct sources *sources, uint32_t number)
{
	struct source *source = sources->source;
	const char *name = etw_profile_source_name(number);

	for (; source < sources->source + sources->count; source++)
		if (source->number == number)
			return source;
	if (sources->count == SOURCES)
		return NULL;
	sources->count++;
	*source = (struct source){ .number = number };
	if (name)
		snprintf(source->name, sizeof(source->name), "%s", name);
	else
		snprintf(source->name, sizeof(source->name), "Source%u", number);
	return source;
}

void sources_note(struct sources *sources, const struct sample_interval *interval)
{
	struct source *source = source_of(sources, interval->source);

	if (!source)
		return;
	if (!source->before)
		source->before = interval->before;
	if (interval->name[0])
		snprintf(source->name, sizeof(source->name), "%s", interval->name);
}
