// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* Names of functions as events of Universal.System, which PerfView reads. */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "etw.h"
#include "finalize_names.h"
#include "libetl/guids.h"
#include "libetl/text.h"
#include "symbols/demangle.h"

static const struct etw_guid universal_system = UNIVERSAL_SYSTEM_GUID;
static const struct etl_buffer first_processor;

/* Ids of mappings, functions and metadata are counted separately, all from @ids. */
static uint64_t number_of(const struct finalize_names *names, size_t index)
{
	return names->ids + index + 1;
}

/*
 * RVAs of PerfView are distances from ImageBase, which is where offset 0 of the file is. So the
 * address and the offset are those of that place. With those of the executable segment, PerfView
 * would find other functions.
 */
static int write_metadata(struct finalizing *finalizing, const struct identity *identity,
			  uint64_t number, uint32_t pid, uint64_t time)
{
	char json[256], id[2 * FINALIZING_ID + 1];

	text_from_hex(identity->id, identity->bytes, id, sizeof(id));
	snprintf(json, sizeof(json), "{\"type\":\"ELF\",\"build_id\":\"%s\",\"p_vaddr\":\"0x%"
		 PRIx64 "\",\"p_offset\":\"0x0\"}", id, identity->lowest);
	finalizing_begin_event(finalizing, &universal_system, UNIVERSAL_MAPPING_METADATA, time,
			       pid);
	finalizing_leb(finalizing, number);
	finalizing_counted(finalizing, json);
	finalizing_counted(finalizing, "");
	return finalizing_write(finalizing, &first_processor);
}

/* *@number: of the record with the build-id, before the first mapping of the file; 0: none */
static int give_metadata(struct finalizing *finalizing, const struct named_mapping *mapping,
			 uint64_t time, uint64_t *number)
{
	struct finalize_names *names = finalizing->functions;
	const struct images *images = symbols_images(names->symbols);
	const struct identity *identity;
	size_t known = names->modules.count, i;

	*number = 0;
	if (!mapping->image || !mapping->pid)
		return 0;
	identity = finalizing_identity(finalizing, mapping->image,
				       &images->module[mapping->image->module]);
	if (!identity)
		return -1;
	/* PerfView has no addresses below the first one of a file */
	if (!identity->bytes || (int64_t)identity->lowest < 0)
		return 0;
	i = map_add(&names->modules, mapping->image->module);
	if (i == MAP_NONE)
		return failed("%s", strerror(ENOMEM)), -1;
	*number = number_of(names, i);
	return i < known ? 0 :
	       write_metadata(finalizing, identity, *number, mapping->pid, time);
}

static int write_function(struct finalizing *finalizing, const struct named_mapping *mapping,
			  size_t index, uint64_t time)
{
	const struct finalize_names *names = finalizing->functions;
	const struct named_function *function = &names->function[index];
	char *name = symbol_demangle(function->name);

	finalizing_begin_event(finalizing, &universal_system, UNIVERSAL_PROCESS_SYMBOL, time,
			       mapping->pid);
	finalizing_leb(finalizing, number_of(names, index));
	finalizing_leb(finalizing, number_of(names, mapping - names->mapping));
	finalizing_leb(finalizing, function->start);
	finalizing_leb(finalizing, function->start + function->size - 1);
	finalizing_counted(finalizing, name ? name : function->name);
	free(name);
	if (!finalizing->too_large)
		finalizing->named++;
	return finalizing_write(finalizing, &first_processor);
}

static int write_mapping(struct finalizing *finalizing, const struct named_mapping *mapping,
			 uint64_t time)
{
	const struct finalize_names *names = finalizing->functions;
	uint64_t metadata;
	size_t i;

	if (give_metadata(finalizing, mapping, time, &metadata))
		return -1;
	if (!metadata && !mapping->first)
		return 0;
	finalizing_begin_event(finalizing, &universal_system, UNIVERSAL_PROCESS_MAPPING, time,
			       mapping->pid);
	finalizing_leb(finalizing, number_of(names, mapping - names->mapping));
	finalizing_leb(finalizing, mapping->start);
	finalizing_leb(finalizing, mapping->end);
	finalizing_leb(finalizing, 0);
	finalizing_counted(finalizing, mapping->file);
	finalizing_leb(finalizing, metadata);
	if (finalizing_write(finalizing, &first_processor))
		return -1;
	for (i = mapping->first; i; i = names->function[i - 1].next)
		if (write_function(finalizing, mapping, i - 1, time))
			return -1;
	return 0;
}

/* Behind the event of the image, and before all that is later than it */
int finalize_names_due(struct finalizing *finalizing, uint64_t time)
{
	struct finalize_names *names = finalizing->functions;
	const struct named_mapping *mapping;

	for (; names->next < names->mappings; names->next++) {
		mapping = &names->mapping[names->next];
		if (mapping->time >= time)
			break;
		if (write_mapping(finalizing, mapping, mapping->time + 1))
			return -1;
	}
	return 0;
}

int finalize_names_rest(struct finalizing *finalizing)
{
	struct finalize_names *names = finalizing->functions;
	struct merging *out = &finalizing->out;

	if (names->next < names->mappings)
		out->last++;
	for (; names->next < names->mappings; names->next++)
		if (write_mapping(finalizing, &names->mapping[names->next], out->last))
			return -1;
	return 0;
}
