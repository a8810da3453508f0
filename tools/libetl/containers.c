// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* Control groups that records of a trace name, and what containers are called. */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "containers.h"
#include "decode.h"
#include "event_names.h"
#include "text.h"

/* Digits of a container's id, and those of them that docker ps shows */
#define ID_DIGITS	64
#define ID_SHOWN	12
/* Bytes of a path: each row of a report may repeat it */
#define PATH_MOST	1024

/* Hashes of the names of the providers (name_guid.h): Linux.cgroup, Linux.Perf */
static const struct etw_guid linux_cgroup = {
	0x1588b0b1, 0x23d1, 0x5a74, { 0x77, 0x51, 0x75, 0xa9, 0xb9, 0xf8, 0x6d, 0xb5 }
};

static const struct etw_guid linux_perf = {
	0xc78d5e84, 0xb390, 0x5dbc, { 0x28, 0xd9, 0x55, 0xe0, 0x65, 0xd3, 0x54, 0x33 }
};

static bool is_of(const struct etl_record *record, const struct etw_guid *provider)
{
	return etl_guid_equal(&record->guid, provider);
}

bool containers_concern(const struct etl_record *record)
{
	if (record->header != ETL_EVENT)
		return false;
	if (etl_is_ours(record))
		return record->id == ETW_LINUX_EVENT_CGROUP;
	return is_of(record, &linux_cgroup) || is_of(record, &linux_perf);
}

static const char *text_of(const struct fields *fields, const char *name)
{
	const struct field *field = fields_find(fields, name);

	return field && field->kind == FIELD_STRING ? field->string : NULL;
}

static bool number_of(const struct fields *fields, const char *name, uint64_t *number)
{
	const struct field *field = fields_find(fields, name);

	if (!field)
		return false;
	*number = field->number;
	return true;
}

/* The path in a record, and the process. Return: NULL: the record is another one */
static const char *path_of(const struct etl_record *record, const struct fields *fields,
			   uint32_t *pid)
{
	char name[EVENT_NAME];
	uint64_t number, root;

	if (etl_is_ours(record)) {
		if (!number_of(fields, "ProcessId", &number))
			return NULL;
		*pid = number;
		return text_of(fields, "Path");
	}
	event_name(record, name, sizeof(name));
	if (!strcmp(name, "Linux.Perf/perf:thread_cgroup")) {
		*pid = record->process_id;
		return record->has_ids ? text_of(fields, "Path") : NULL;
	}
	/* hierarchy 0 is that of version 2 */
	if (strcmp(name, "Linux.cgroup/cgroup_attach_task") ||
	    !number_of(fields, "pid", &number) || !number_of(fields, "dst_root", &root) || root)
		return NULL;
	*pid = number;
	return text_of(fields, "dst_path");
}

static bool is_id(const char *text)
{
	size_t i;

	for (i = 0; i < ID_DIGITS; i++)
		if (!isxdigit((unsigned char)text[i]))
			return false;
	return true;
}

/*
 * The last id of a container in a path: docker-ID.scope, /docker/ID, libpod-ID.scope,
 * cri-containerd-ID.scope. The monitor of a container (libpod-conmon-ID.scope) is not in it.
 */
static const char *id_of(const char *path)
{
	const char *at, *id = NULL, *monitor = strstr(path, "conmon-");

	if (monitor)
		return NULL;
	for (at = path; *at; at++) {
		if (!is_id(at))
			continue;
		id = at;
		at += ID_DIGITS - 1;
	}
	return id;
}

static char *label_of(const char *path)
{
	const char *id = id_of(path), *last = strrchr(path, '/');

	if (id)
		return strndup(id, ID_SHOWN);
	return strdup(last && last[1] ? last + 1 : path);
}

static void free_container(struct container *container)
{
	free(container->path);
	free(container->label);
	free(container);
}

static uint64_t hash_of(const char *text)
{
	return map_mix(MAP_MIX, text, strlen(text));
}

static struct container *make(const char *path)
{
	struct container *new = calloc(1, sizeof(*new));

	if (!new)
		return NULL;
	new->path = strdup(path);
	new->label = label_of(path);
	if (new->path && new->label)
		return new;
	free_container(new);
	return NULL;
}

/* Return: false: no memory */
static bool add(struct containers *containers, const char *path)
{
	size_t count = containers->paths.count, labels = containers->labels.count, i;
	struct container *new = make(path);

	if (!new)
		return false;
	if (map_make_room((void **)&containers->list, count, sizeof(*containers->list)) &&
	    map_make_room((void **)&containers->first, labels, sizeof(*containers->first))) {
		i = map_add(&containers->labels, hash_of(new->label));
		if (i != MAP_NONE && i == labels)
			containers->first[i] = count;
		if (i != MAP_NONE && map_add(&containers->paths, hash_of(path)) != MAP_NONE) {
			new->index = containers->first[i];
			containers->list[count] = new;
			return true;
		}
	}
	free_container(new);
	return false;
}

int containers_note(struct containers *containers, const struct etl_record *record,
		    struct fields *fields, uint32_t *pid, const struct container **container)
{
	char path[PATH_MOST];
	const char *text;
	size_t i;

	*container = NULL;
	fields_reset(fields);
	decode_payload(record, fields);
	text = path_of(record, fields, pid);
	if (!text || !text[0])
		return 0;
	snprintf(path, sizeof(path), "%s", text);
	path[text_fit(path, sizeof(path))] = '\0';
	i = map_find(&containers->paths, hash_of(path));
	if (i == MAP_NONE) {
		i = containers->paths.count;
		if (!add(containers, path))
			return -1;
	}
	*container = containers->list[i];
	return 0;
}

void containers_free(struct containers *containers)
{
	size_t i;

	for (i = 0; i < containers->paths.count; i++)
		free_container(containers->list[i]);
	free(containers->list);
	free(containers->first);
	map_free(&containers->paths);
	map_free(&containers->labels);
}
