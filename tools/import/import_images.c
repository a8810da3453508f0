// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* Images of an imported trace, with their build-ids. */
#include <stdio.h>
#include <stdlib.h>
#include "import.h"
#include "libetl/messages.h"

#define IMAGE_ID_VERSION	2
#define OPCODE_INFO		0
#define OPCODE_RSDS		36
#define KERNEL			0
/* Process of the kernel's mappings in perf.data */
#define PERF_KERNEL		UINT32_MAX
#define MOST_NAME		1024
/* Of a process. A program of Linux has at most 65,530 mappings */
#define MOST_IMAGES		16384
/* is_known() compares with so many */
#define LATEST_IMAGES		1024

static const struct etw_guid image_id = {
	0xb3e675d7, 0x2554, 0x4f18, { 0x83, 0x0b, 0x27, 0x62, 0x73, 0x25, 0x60, 0xde }
};

/* Return: index of the name; MAP_NONE: no memory */
static size_t name_index(struct importing *importing, const char *name)
{
	size_t i = map_add(&importing->paths, map_mix(MAP_MIX, name, strlen(name)));

	if (i == MAP_NONE || i < importing->names_known)
		return i;
	if (!map_make_room((void **)&importing->names, i, sizeof(*importing->names)))
		return MAP_NONE;
	importing->names[i] = strdup(name);
	if (!importing->names[i])
		return MAP_NONE;
	importing->names_known++;
	return i;
}

static const char *behind_slash(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash && slash[1] ? slash + 1 : path;
}

/* perf's "[kernel.kallsyms]_text" is vmlinux; "[xfs]" and "/lib/modules/.../xfs.ko.xz" xfs.ko */
static void kernel_name(const char *path, char *to, size_t room)
{
	const char *name = behind_slash(path), *end = strstr(name, ".ko");

	if (!strncmp(path, "[kernel.kallsyms]", 17) || !strncmp(path, "[guest.kernel.kallsyms", 22))
		snprintf(to, room, "vmlinux");
	else if (end)
		snprintf(to, room, "%.*s.ko", (int)(end - name), name);
	else if (name[0] == '[' && strchr(name, ']'))
		snprintf(to, room, "%.*s.ko", (int)(strchr(name, ']') - name - 1), name + 1);
	else
		snprintf(to, room, "%s", name);
}

static const struct perf_build_id *id_of(const struct importing *importing, const char *path)
{
	if (!strncmp(path, "[kernel.kallsyms]", 17))
		path = "[kernel.kallsyms]";
	return perf_file_id_of(&importing->file, path);
}

static int write_load(struct importing *importing, const struct import_image *image,
		      const char *name, uint32_t pid, uint32_t stamp, uint16_t hook)
{
	const struct wmi_image_load load = {
		.image_base = image->base, .image_size = image->size, .process_id = pid,
		.time_date_stamp = stamp,
	};

	if (hook == WMI_LOG_TYPE_IMAGE_DC_START && pid != KERNEL)
		import_perfinfo(importing, hook, WMI_IMAGE_VERSION);
	else
		import_system(importing, hook, WMI_IMAGE_VERSION, pid, pid);
	import_bytes(importing, &load, sizeof(load));
	import_text(importing, name);
	importing->counts.images++;
	return import_write(importing);
}

/* What finalize adds to a trace of the module */
static int write_id(struct importing *importing, const struct import_image *image,
		    const char *name, uint32_t pid, const struct perf_build_id *id,
		    uint32_t stamp)
{
	import_full(importing, &image_id, OPCODE_INFO, IMAGE_ID_VERSION, pid);
	import_u64(importing, image->base);
	import_u64(importing, image->size);
	import_u32(importing, pid);
	import_u32(importing, stamp);
	import_text(importing, name);
	if (import_write(importing))
		return -1;
	import_full(importing, &image_id, OPCODE_RSDS, IMAGE_ID_VERSION, pid);
	import_u64(importing, image->base);
	import_u32(importing, pid);
	import_bytes(importing, id->id, 16);
	import_u32(importing, 1);
	import_bytes(importing, name, strlen(name));
	import_bytes(importing, ".pdb", 5);
	return import_write(importing);
}

static int write_image(struct importing *importing, const struct import_image *image,
		       uint32_t perf_pid, uint16_t hook)
{
	const char *path = importing->names[image->path];
	const struct perf_build_id *id = id_of(importing, path);
	uint32_t pid = perf_pid == PERF_KERNEL ? KERNEL : import_pid(importing, perf_pid);
	char name[MOST_NAME];
	uint32_t stamp = 0;

	if (pid == KERNEL)
		kernel_name(path, name, sizeof(name));
	else
		snprintf(name, sizeof(name), "%s", path);
	if (id && id->size)
		memcpy(&stamp, id->id, sizeof(stamp));
	if (write_load(importing, image, name, pid, stamp, hook))
		return -1;
	return id && id->size ? write_id(importing, image, behind_slash(name), pid, id, stamp) : 0;
}

int import_images(struct importing *importing, const struct import_process *process,
		  uint16_t hook)
{
	size_t i;

	for (i = 0; i < process->count; i++)
		if (write_image(importing, &process->images[i], process->pid, hook))
			return -1;
	return 0;
}

/*
 * Each file and base once, also if the file has several mappings. They come one after another.
 * Only the latest images count, because otherwise each record would cost as much as all before.
 */
static bool is_known(const struct import_process *process, const struct import_image *image)
{
	size_t i, end = process->count > LATEST_IMAGES ? process->count - LATEST_IMAGES : 0;

	for (i = process->count; i-- > end;)
		if (process->images[i].base == image->base &&
		    process->images[i].path == image->path)
			return true;
	return false;
}

static int add(struct importing *importing, uint32_t pid, const struct import_image *image,
	       bool at_start)
{
	struct import_process *process = import_process_of(importing, pid);

	if (!process)
		return no_memory();
	if (is_known(process, image))
		return 0;
	if (process->count == MOST_IMAGES) {
		importing->counts.images_left_out++;
		return 0;
	}
	if (!map_make_room((void **)&process->images, process->count, sizeof(*image)))
		return no_memory();
	process->images[process->count++] = *image;
	if (!importing->begun)
		return 0;
	return write_image(importing, image, pid, at_start ? WMI_LOG_TYPE_IMAGE_DC_START :
							     WMI_LOG_TYPE_PROCESS_LOAD_IMAGE);
}

/* PERF_RECORD_MMAP2: device and inode, or the build-id; then protection and flags */
static int take_build_id(struct importing *importing, const struct perf_record *record,
			 struct piece *piece, const char **path)
{
	const uint8_t *id = piece_take(piece, 24);

	piece_u64(piece);
	*path = piece_string(piece);
	if (!*path || !id || !(record->misc & PERF_RECORD_MISC_MMAP_BUILD_ID) ||
	    id[0] > PERF_BUILD_ID)
		return 0;
	return perf_file_set_id(&importing->file, *path, id + 4, id[0]);
}

int import_mmap(struct importing *importing, const struct perf_record *record)
{
	struct piece piece = perf_record_payload(record);
	struct import_image image = { };
	uint32_t pid = piece_u32(&piece);
	uint64_t address, size, offset;
	const char *path;
	size_t name;

	piece_u32(&piece);
	address = piece_u64(&piece);
	size = piece_u64(&piece);
	offset = piece_u64(&piece);
	if (record->type != PERF_RECORD_MMAP2)
		path = piece_string(&piece);
	else if (take_build_id(importing, record, &piece, &path))
		return -1;
	if (!path || strlen(path) >= MOST_NAME)
		return import_other(importing, record);
	/* memory without a file is no image; data is not mapped for execution */
	if ((path[0] != '/' || !strncmp(path, "//", 2)) && pid != PERF_KERNEL &&
	    strcmp(path, "[vdso]"))
		return 0;
	if (record->misc & PERF_RECORD_MISC_MMAP_DATA)
		return import_other(importing, record);
	name = name_index(importing, path);
	if (name == MAP_NONE)
		return no_memory();
	image.path = name;
	image.base = pid == PERF_KERNEL ? address : address - offset;
	image.size = pid == PERF_KERNEL ? size : size + offset;
	return add(importing, pid, &image, !record->has_time);
}
