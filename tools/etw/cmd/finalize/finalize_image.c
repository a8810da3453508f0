// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* Build-ids of the images of a trace, as what Windows' tools find symbols by. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include "libetl/decode.h"
#include "libetl/events/events.h"
#include "libetl/guids.h"
#include "libetl/images.h"
#include "libetl/text.h"
#include "finalize.h"
#include "symbols/elf_layout.h"
#include "symbols/process_file.h"
#include "symbols/symbol_table.h"
#include "symbols/vdso_file.h"

#define IMAGE_ID_VERSION	2
#define OPCODE_INFO		0
#define OPCODE_NONE		32
#define OPCODE_RSDS		36
/* Of no thread */
#define NO_THREAD		UINT32_MAX
#define VMLINUX			"vmlinux"

/**
 * struct image_event - what a record says of an image
 * @path: as the trace has it
 * @name: behind the last separator
 */
struct image_event {
	uint64_t base;
	uint64_t size;
	uint32_t pid;
	uint32_t stamp;
	const char *path;
	const char *name;
};

static const struct etw_guid image_id = {
	0xb3e675d7, 0x2554, 0x4f18, { 0x83, 0x0b, 0x27, 0x62, 0x73, 0x25, 0x60, 0xde }
};

bool finalizing_is_image(const struct etl_record *record)
{
	return event_has(event_of(record), EVENT_HAS_IMAGE);
}

static unsigned int id_of_notes(const char *sysroot, const char *format, const char *name,
				size_t bytes, uint8_t *id)
{
	char path[4096], in[512];
	unsigned int found = 0;
	size_t size;
	char *notes;

	snprintf(in, sizeof(in), format, (int)bytes, name);
	snprintf(path, sizeof(path), "%s%s", sysroot, in);
	notes = whole_file(path, &size);
	if (notes)
		found = build_id_of_notes(notes, size, id, FINALIZING_ID);
	free(notes);
	return found;
}

/* What the running kernel says of itself and of its modules, "NAME.ko" */
static unsigned int id_of_kernel(const struct finalizing *finalizing, const char *name,
				 uint8_t *id)
{
	const char *sysroot = finalizing->options->sysroot, *end = strrchr(name, '.');

	if (!finalizing->here && !*sysroot)
		return 0;
	if (!strcmp(name, VMLINUX))
		return id_of_notes(sysroot, "/sys/kernel/notes%.*s", "", 0, id);
	if (!end || strcmp(end, ".ko") || strchr(name, '/'))
		return 0;
	return id_of_notes(sysroot, "/sys/module/%.*s/notes/.note.gnu.build-id", name,
			   end - name, id);
}

/* The file may have been written anew since it was mapped, even in its place. */
static bool is_unchanged(const struct finalizing *finalizing, const char *path)
{
	uint64_t changed;
	struct stat stat_;

	if (stat(path, &stat_))
		return false;
	changed = FILETIME_OF_UNIX + stat_.st_ctim.tv_sec * 10000000ULL +
		  stat_.st_ctim.tv_nsec / 100;
	return changed <= finalizing->trace->log.start_time;
}

static bool id_in(const char *root, const struct image_event *image, struct identity *identity)
{
	static struct elf_layout layout;
	char path[4096];

	snprintf(path, sizeof(path), "%s%s", root, image->path);
	elf_layout_read(path, &layout);
	identity->bytes = layout.id_bytes;
	identity->lowest = layout.lowest;
	memcpy(identity->id, layout.id, sizeof(identity->id));
	if (image->stamp)
		identity->unknown = !identity->bytes ||
				    memcmp(identity->id, &image->stamp, sizeof(image->stamp));
	else
		identity->unknown = false;
	return !identity->unknown;
}

/* Without a stamp only the process itself can say which file it has mapped. */
static void identify_unstamped(const struct finalizing *finalizing,
			       const struct image_event *image, uint64_t time,
			       struct identity *identity)
{
	char root[PROCESS_ROOT], path[4096];

	if (*finalizing->options->sysroot) {
		id_in(finalizing->options->sysroot, image, identity);
		return;
	}
	if (!finalizing->here || !process_has_file(&finalizing->trace->log, image->pid,
						   image->path, image->base, time, root))
		return;
	snprintf(path, sizeof(path), "%s%s", root, image->path);
	if (is_unchanged(finalizing, path))
		id_in(root, image, identity);
}

/* Without a stamp, nothing verifies that it is the running kernel's. */
static void identify_vdso(const char *sysroot, const struct image_event *image,
			  struct identity *identity)
{
	struct image_event file = *image;

	file.path = vdso_file();
	if (file.path && file.stamp)
		id_in(sysroot, &file, identity);
}

static void identify(const struct finalizing *finalizing, const struct image_event *image,
		     uint64_t time, struct identity *identity)
{
	const char *sysroot = finalizing->options->sysroot;
	char root[PROCESS_ROOT];

	*identity = (struct identity){ .unknown = true };
	if (!image->pid) {
		identity->bytes = id_of_kernel(finalizing, image->path, identity->id);
		identity->unknown = !identity->bytes || (image->stamp &&
			memcmp(identity->id, &image->stamp, sizeof(image->stamp)));
	} else if (is_vdso(image->path)) {
		identify_vdso(sysroot, image, identity);
	} else if (image->path[0] != '/') {
		return;
	} else if (!image->stamp) {
		identify_unstamped(finalizing, image, time, identity);
	} else if (!id_in(sysroot, image, identity) && !*sysroot &&
		   process_root(image->pid, root)) {
		id_in(root, image, identity);
	}
	if (identity->unknown)
		*identity = (struct identity){ .unknown = true };
}

/* A path of another process may lead to another file; the stamp says which file it is. */
static uint64_t hash_of(const struct image_event *image)
{
	uint64_t hash = MAP_MIX ^ image->stamp ^ (uint64_t)!image->pid << 32;

	if (!image->stamp)
		hash ^= ((uint64_t)image->pid << 33) ^ image->base * 0x9E3779B97F4A7C15ULL;
	return map_mix(hash, image->path, strlen(image->path));
}

/* Each file is opened once. Return: NULL: no memory */
static const struct identity *identity_of(struct finalizing *finalizing,
					  const struct image_event *image, uint64_t time)
{
	size_t known = finalizing->names.count;
	size_t i = map_add(&finalizing->names, hash_of(image));

	if (i == MAP_NONE)
		return NULL;
	if (i == known) {
		if (!map_make_room((void **)&finalizing->identity, i,
				   sizeof(*finalizing->identity)))
			return NULL;
		identify(finalizing, image, time, &finalizing->identity[i]);
	}
	return &finalizing->identity[i];
}

const struct identity *finalizing_identity(struct finalizing *finalizing,
					   const struct image *image,
					   const struct module *module)
{
	const struct image_event event = {
		.base = image->base, .size = image->end - image->base, .pid = image->pid,
		.stamp = module->stamp, .path = module->path, .name = module->name,
	};

	return identity_of(finalizing, &event, image->named);
}

static uint64_t number(const struct fields *fields, const char *name)
{
	const struct field *field = fields_find(fields, name);

	return field ? field->number : 0;
}

static bool read_image(const struct etl_record *record, struct fields *fields,
		       struct image_event *image)
{
	const struct field *path;
	const char *at;

	fields_reset(fields);
	decode_payload(record, fields);
	path = fields_find(fields, "FileName");
	if (!path || !path->string)
		return false;
	*image = (struct image_event){
		.base = number(fields, "ImageBase"), .size = number(fields, "ImageSize"),
		.pid = number(fields, "ProcessId"), .stamp = number(fields, "TimeDateStamp"),
		.path = path->string, .name = path->string,
	};
	for (at = image->path; *at; at++)
		if ((*at == '/' || *at == '\\') && at[1])
			image->name = at + 1;
	return image->base;
}

static int write_info(struct finalizing *finalizing, const struct etl_buffer *buffer,
		      uint64_t time, const struct image_event *image, uint32_t stamp)
{
	finalizing_begin(finalizing, &image_id, OPCODE_INFO, IMAGE_ID_VERSION, time, NO_THREAD,
			 image->pid);
	finalizing_u64(finalizing, image->base);
	finalizing_u64(finalizing, image->size);
	finalizing_u32(finalizing, image->pid);
	finalizing_u32(finalizing, stamp);
	finalizing_text(finalizing, image->name);
	return finalizing_write(finalizing, buffer);
}

/* The GUID is the id's first 16 bytes as they are; zeros behind shorter ones */
static int write_id(struct finalizing *finalizing, const struct etl_buffer *buffer,
		    uint64_t time, const struct image_event *image,
		    const struct identity *identity)
{
	finalizing_begin(finalizing, &image_id, identity->bytes ? OPCODE_RSDS : OPCODE_NONE,
			 IMAGE_ID_VERSION, time, NO_THREAD, image->pid);
	finalizing_u64(finalizing, image->base);
	finalizing_u32(finalizing, image->pid);
	if (identity->bytes) {
		finalizing_bytes(finalizing, identity->id, IMAGE_ID_BYTES);
		finalizing_u32(finalizing, 1);
		finalizing_bytes(finalizing, image->name, strlen(image->name));
		finalizing_bytes(finalizing, ".pdb", 5);
		finalizing->identified++;
	}
	return finalizing_write(finalizing, buffer);
}

/* For a file that does not exist here, only the name is written. */
int finalizing_image(struct finalizing *finalizing, const struct etl_buffer *buffer,
		     const struct etl_record *record)
{
	static struct fields fields;
	const struct identity *identity;
	struct image_event image;
	uint32_t stamp;

	if (!read_image(record, &fields, &image))
		return 0;
	identity = identity_of(finalizing, &image, record->time);
	if (!identity)
		return -1;
	if (!image.pid && !strcmp(image.name, VMLINUX))
		finalizing->kernel = image.base;
	stamp = image.stamp;
	if (identity->bytes)
		memcpy(&stamp, identity->id, sizeof(stamp));
	finalizing->images++;
	if (write_info(finalizing, buffer, record->time, &image, stamp))
		return -1;
	return identity->unknown ? 0 :
	       write_id(finalizing, buffer, record->time, &image, identity);
}
