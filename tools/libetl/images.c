// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* The images of a trace, collected record by record. */
#include <search.h>
#include <stdlib.h>
#include <string.h>
#include "decode.h"
#include "events/events.h"
#include "guids.h"
#include "array.h"
#include "images.h"
#include "text.h"

#define IMAGE_ID_RSDS	(GROUP_IMAGE_ID << 8 | 36)

#define FOREVER		UINT64_MAX

/* What stands before our paths when they are written as Windows' are */
#define OUR_VOLUME	"\\Device\\linux\\"

static bool make_room(struct images *images, void **array, size_t count, size_t *room,
		      size_t bytes)
{
	if (array_grow(array, room, count + 1, bytes))
		return true;
	images->no_memory = true;
	return false;
}

static char *path_of(const char *name)
{
	char *path, *at;

	if (strncasecmp(name, OUR_VOLUME, strlen(OUR_VOLUME)))
		return strdup(name);
	path = strdup(name + strlen(OUR_VOLUME) - 1);
	for (at = path; at && *at; at++)
		if (*at == '\\')
			*at = '/';
	return path;
}

static const char *name_of(const char *path)
{
	const char *at, *name = path;

	for (at = path; *at; at++)
		if ((*at == '/' || *at == '\\') && at[1])
			name = at + 1;
	return name;
}

static uint64_t hash_of(const char *path, uint32_t stamp, uint32_t pid)
{
	return map_mix(MAP_MIX ^ (stamp ? stamp : (uint64_t)pid << 32), path, strlen(path));
}

/* One path may have stood for several files. Return: the index, or MAP_NONE */
static size_t module_of(struct images *images, const char *name, uint32_t stamp, uint32_t pid)
{
	char *path = path_of(name);
	size_t i;

	if (!path) {
		images->no_memory = true;
		return MAP_NONE;
	}
	i = map_add(&images->names, hash_of(path, stamp, pid));
	if (i == MAP_NONE || !make_room(images, (void **)&images->module, i, &images->module_room,
					sizeof(*images->module))) {
		images->no_memory = true;
		free(path);
		return MAP_NONE;
	}
	if (i < images->modules) {
		free(path);
		return i;
	}
	images->modules = i + 1;
	images->module[i] = (struct module){
		.path = path, .name = name_of(path), .pid = pid, .stamp = stamp,
	};
	return i;
}

/**
 * struct place - where an image is now
 * @base: of it
 * @end: behind it, so one without any bytes has no place
 * @image: index in the list
 */
struct place {
	uint64_t base;
	uint64_t end;
	size_t image;
};

/* Those of a process that are there do not overlap: to overlap is to be found. */
static int by_range(const void *left, const void *right)
{
	const struct place *a = left, *b = right;

	if (a->end <= b->base)
		return -1;
	return a->base >= b->end;
}

/* Any one between the two addresses, or NULL */
static struct place *place_in(void *const *open, uint64_t base, uint64_t end)
{
	struct place wanted = { .base = base, .end = end };
	void *found = base <= end ? tfind(&wanted, open, by_range) : NULL;

	return found ? *(struct place **)found : NULL;
}

static void remember(struct images *images, void **open, size_t image)
{
	const struct image *new = &images->list[image];
	struct place *place;

	if (new->base == new->end)
		return;
	place = malloc(sizeof(*place));
	if (place)
		*place = (struct place){ .base = new->base, .end = new->end, .image = image };
	if (place && tsearch(place, open, by_range))
		return;
	images->no_memory = true;
	free(place);
}

static void forget(void **open, struct place *place)
{
	tdelete(place, open, by_range);
	free(place);
}

static void **open_of(struct images *images, uint32_t pid)
{
	size_t known = images->pids.count, i = map_add(&images->pids, pid);

	if (i == MAP_NONE || !make_room(images, (void **)&images->open, i, &images->open_room,
					sizeof(*images->open))) {
		images->no_memory = true;
		return NULL;
	}
	if (i == known)
		images->open[i] = NULL;
	return &images->open[i];
}

static bool same_file(const struct images *images, const struct image *image, size_t module)
{
	const struct module *a = &images->module[image->module], *b = &images->module[module];

	return image->module == module || !strcmp(a->name, b->name);
}

static void close_at(struct images *images, void **open, struct place *place, uint64_t time)
{
	images->list[place->image].to = time;
	forget(open, place);
}

/* What stands in the way goes, but for what came before the image @since. */
static void close_between(struct images *images, void **open, uint64_t base, uint64_t end,
			  size_t since, uint64_t time)
{
	struct place *place = place_in(open, base, end), found;

	if (!place)
		return;
	found = *place;
	if (place->image >= since)
		close_at(images, open, place, time);
	if (base < found.base)
		close_between(images, open, base, found.base, since, time);
	if (found.end < end)
		close_between(images, open, found.end, end, since, time);
}

static void add_image(struct images *images, uint32_t pid, uint64_t base, uint64_t size,
		      uint64_t from, uint64_t named, size_t module)
{
	uint64_t end = base + size < base ? FOREVER : base + size;
	void **open = open_of(images, pid);
	struct place *there;

	if (!open)
		return;
	there = base < end ? place_in(open, base, base + 1) : NULL;
	/* a rundown repeats the image: close images that were loaded behind its end since */
	if (there && there->base == base &&
	    same_file(images, &images->list[there->image], module)) {
		if (there->end < end)
			close_between(images, open, there->end, end, there->image, from);
		return;
	}
	close_between(images, open, base, end, 0, from);
	if (!make_room(images, (void **)&images->list, images->count, &images->room,
		       sizeof(*images->list)))
		return;
	images->list[images->count] = (struct image){
		.pid = pid, .module = module, .base = base, .end = end, .from = from,
		.to = FOREVER, .named = named,
	};
	remember(images, open, images->count++);
}

static void unload(struct images *images, uint32_t pid, uint64_t base, uint64_t time)
{
	void **open = open_of(images, pid);
	struct place *place = open ? place_in(open, base, base + 1) : NULL;

	if (place && place->base == base)
		close_at(images, open, place, time);
}

static void place(struct images *images, uint32_t pid, uint64_t base, uint64_t size,
		  uint64_t from, size_t module)
{
	void **open = open_of(images, pid);

	if (!open || !size || size > FOREVER - base)
		return;
	close_between(images, open, base, base + size, 0, from);
	add_image(images, pid, base, size, from, from, module);
}

void images_place(struct images *images, uint32_t pid, uint64_t base, uint64_t size,
		  uint64_t from, const char *name)
{
	size_t module = module_of(images, name, 0, pid);

	if (module != MAP_NONE)
		place(images, pid, base, size, from, module);
}

void images_move(struct images *images, uint32_t pid, uint64_t base, uint64_t to, uint64_t size,
		 uint64_t time)
{
	void **open = open_of(images, pid);
	struct place *there = open ? place_in(open, base, base + 1) : NULL;
	size_t module;

	if (!there || there->base != base)
		return;
	module = images->list[there->image].module;
	close_at(images, open, there, time);
	place(images, pid, to, size, time, module);
}

/* An id is anew another process's: the images of the one before are gone. */
static void note_process(struct images *images, const struct etl_record *record,
			 struct fields *fields)
{
	const struct field *pid;
	void **open;

	decode_payload(record, fields);
	pid = fields_find(fields, "ProcessId");
	open = pid && pid->number ? open_of(images, pid->number) : NULL;
	while (open && *open)
		close_at(images, open, *(struct place **)*open, record->time);
}

static uint64_t number(const struct fields *fields, const char *name)
{
	const struct field *field = fields_find(fields, name);

	return field ? field->number : 0;
}

static void note_image(struct images *images, const struct etl_record *record,
		       enum event_phase phase, struct fields *fields)
{
	const struct field *name;
	uint64_t base, from;
	uint32_t pid;
	size_t module;

	decode_payload(record, fields);
	base = number(fields, "ImageBase");
	pid = number(fields, "ProcessId");
	if (!base)
		return;
	if (phase == PHASE_END) {
		unload(images, pid, base, record->time);
		return;
	}
	name = fields_find(fields, "FileName");
	module = name && name->string ?
		 module_of(images, name->string, number(fields, "TimeDateStamp"), pid) : MAP_NONE;
	from = phase == PHASE_BEGIN ? record->time : 0;
	if (module != MAP_NONE)
		add_image(images, pid, base, number(fields, "ImageSize"), from, record->time,
			  module);
}

/*
 * What merging says of an image stands before it or behind it with the same time; so the
 * id is kept by its stamp, its place, until all is there.
 */
static void note_id(struct images *images, const struct etl_record *record)
{
	uint32_t pointer = record->pointer_size;
	struct id_note *note;

	if (record->payload_size < pointer + 4 + IMAGE_ID_BYTES)
		return;
	if (!make_room(images, (void **)&images->ids, images->nr_ids, &images->id_room,
		       sizeof(*images->ids)))
		return;
	note = &images->ids[images->nr_ids++];
	note->base = pointer == 8 ? get64(record->payload) : get32(record->payload);
	note->pid = get32(record->payload + pointer);
	note->time = record->time;
	memcpy(note->id, record->payload + pointer + 4, IMAGE_ID_BYTES);
}

/* They are too large for the stack, and are reset for each record. */
static bool has_fields(struct images *images)
{
	if (!images->fields)
		images->fields = malloc(sizeof(*images->fields));
	if (images->fields)
		fields_reset(images->fields);
	else
		images->no_memory = true;
	return images->fields;
}

void images_note(struct images *images, const struct etl_record *record)
{
	const struct etl_event *event = event_of(record);

	if (event_has(event, EVENT_HAS_IMAGE)) {
		if (has_fields(images))
			note_image(images, record, event->phase, images->fields);
	} else if (event_has(event, EVENT_HAS_PROCESS) && event->phase == PHASE_BEGIN) {
		if (has_fields(images))
			note_process(images, record, images->fields);
	} else if (event && event->id == IMAGE_ID_RSDS) {
		note_id(images, record);
	}
}

void images_free(struct images *images)
{
	size_t i;

	for (i = 0; i < images->modules; i++)
		free(images->module[i].path);
	for (i = 0; i < images->pids.count && i < images->open_room; i++)
		while (images->open[i])
			forget(&images->open[i], *(struct place **)images->open[i]);
	free(images->module);
	free(images->list);
	free(images->open);
	free(images->ids);
	free(images->fields);
	map_free(&images->names);
	map_free(&images->pids);
	memset(images, 0, sizeof(*images));
}
