// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* Disks and partitions of this machine as SystemConfig records. */
#include <dirent.h>
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/statvfs.h>
#include "libetl/text.h"
#include "etw.h"
#include "control_calls.h"
#include "etw_hooks.h"

/* The parameter of the module that lists the numbers of disks, and numbers new ones */
#define DISK_NUMBERS	"/sys/module/etw/parameters/disks"

struct config_log {
	int fd;
	uint32_t id;
	bool warned;
};

static void log_record(struct config_log *log, uint16_t hook_id, const void *payload,
		       uint32_t size)
{
	int err = control_try_log_record(log->fd, log->id, hook_id, WMI_CONFIG_VERSION, payload,
					 size);

	if (err && !log->warned)
		warn("disks are missing in the trace: %s", strerror(-err));
	log->warned |= err;
}

/* First line of a file in sysfs; empty when it is not there */
static void sysfs_text(const char *dir, const char *name, char *to, size_t room)
{
	char path[512];
	FILE *file;

	to[0] = 0;
	snprintf(path, sizeof(path), "%s/%s", dir, name);
	file = fopen(path, "re");
	if (!file)
		return;
	if (!fgets(to, room, file))
		to[0] = 0;
	fclose(file);
	to[strcspn(to, "\n")] = 0;
	while (to[0] && to[strlen(to) - 1] == ' ')
		to[strlen(to) - 1] = 0;
}

static uint64_t sysfs_number(const char *dir, const char *name)
{
	char text[64];

	sysfs_text(dir, name, text, sizeof(text));
	return strtoull(text, NULL, 10);
}

/* Octal escapes of /proc/self/mountinfo, in place */
static void unescape(char *text)
{
	char *to = text;

	for (; *text; text++) {
		if (text[0] == '\\' && text[1] && text[2] && text[3]) {
			*to++ = (text[1] - '0') << 6 | (text[2] - '0') << 3 | (text[3] - '0');
			text += 3;
		} else {
			*to++ = *text;
		}
	}
	*to = 0;
}

/*
 * Where a device is mounted: by its number, or, since some file systems have
 * numbers of their own, by its name.
 */
static bool find_mount(const char *dev, const char *name, char *point, char *type)
{
	char line[4096], number[32], source[256], node[300];
	FILE *mounts = fopen("/proc/self/mountinfo", "re");
	bool found = false;
	char *rest;

	if (!mounts)
		return false;
	snprintf(node, sizeof(node), "/dev/%s", name);
	while (!found && fgets(line, sizeof(line), mounts)) {
		rest = strstr(line, " - ");
		if (!rest || sscanf(line, "%*s %*s %31s %*s %1023s", number, point) != 2 ||
		    sscanf(rest, " - %31s %255s", type, source) != 2)
			continue;
		found = !strcmp(number, dev) || !strcmp(source, node);
	}
	fclose(mounts);
	unescape(point);
	return found;
}

static void fill_mount(struct wmi_logical_disk_record *record, const char *dir, const char *name)
{
	char dev[32], point[1024], type[32];
	struct statvfs fs;

	sysfs_text(dir, "dev", dev, sizeof(dev));
	if (!find_mount(dev, name, point, type))
		return;
	text_to_utf16(type, record->file_system, 15);
	if (!strcmp(point, "/"))
		record->drive_letter[0] = '/';
	if (statvfs(point, &fs) || !record->bytes_per_sector)
		return;
	record->sectors_per_cluster = fs.f_frsize / record->bytes_per_sector;
	record->number_of_free_clusters = fs.f_bfree;
	record->total_number_of_clusters = fs.f_blocks;
}

/* /sys counts in sectors of 512 bytes, whatever the device has. */
static void log_partition(struct config_log *log, const char *dir, const char *name,
			  uint32_t disk, uint32_t partition, uint32_t sector)
{
	struct wmi_logical_disk_record record = {
		.start_offset = 512 * sysfs_number(dir, "start"),
		.partition_size = 512 * sysfs_number(dir, "size"),
		.disk_number = disk,
		.size = sizeof(record),
		.drive_type = 1,
		.partition_number = partition,
		.bytes_per_sector = sector,
	};

	fill_mount(&record, dir, name);
	log_record(log, WMI_LOG_TYPE_CONFIG_LOGICALDISK, &record, sizeof(record));
}

/* Return: number of partitions. Without @log only counts them. */
static uint32_t partitions(struct config_log *log, const char *dir, uint32_t disk,
			   uint32_t sector)
{
	DIR *entries = opendir(dir);
	struct dirent *entry;
	char path[800];
	uint32_t n = 0, number;

	while (entries && (entry = readdir(entries))) {
		if (entry->d_name[0] == '.')
			continue;
		snprintf(path, sizeof(path), "%s/%s", dir, entry->d_name);
		number = sysfs_number(path, "partition");
		if (!number)
			continue;
		n++;
		if (log)
			log_partition(log, path, entry->d_name, disk, number, sector);
	}
	if (entries)
		closedir(entries);
	return n;
}

static void log_disk(struct config_log *log, const char *dir, const char *name, uint32_t disk)
{
	struct wmi_physical_disk_record record = {
		.disk_number = disk,
		.bytes_per_sector = sysfs_number(dir, "queue/logical_block_size"),
		.sectors_per_track = 63,
		.tracks_per_cylinder = 255,
	};
	char text[256];

	if (!record.bytes_per_sector)
		record.bytes_per_sector = 512;
	record.cylinders = 512 * sysfs_number(dir, "size") /
			   (63 * 255 * (uint64_t)record.bytes_per_sector);
	sysfs_text(dir, "device/model", text, sizeof(text));
	text_to_utf16(text[0] ? text : name, record.manufacturer, 255);
	sysfs_text(dir, "queue/write_cache", text, sizeof(text));
	record.write_cache_enabled = !strcmp(text, "write back");
	record.partition_count = partitions(NULL, dir, disk, 0);
	log_record(log, WMI_LOG_TYPE_CONFIG_PHYSICALDISK, &record, sizeof(record));
	/* A file system may be on the bare disk: then that is its one partition. */
	if (!partitions(log, dir, disk, record.bytes_per_sector))
		log_partition(log, dir, name, disk, 1, record.bytes_per_sector);
}

static void number_disk(const char *dev)
{
	FILE *file = fopen(DISK_NUMBERS, "we");

	if (!file)
		return;
	fputs(dev, file);
	fclose(file);
}

/*
 * DiskNumber of a disk's events; where the module numbers none, as it was given.
 * Return: whether it has one, which no other disk has.
 */
static bool disk_number(const char *dir, uint32_t *number)
{
	char dev[32], line[64], known[32];
	bool found = false;
	uint32_t n;
	FILE *file;

	sysfs_text(dir, "dev", dev, sizeof(dev));
	number_disk(dev);
	file = fopen(DISK_NUMBERS, "re");
	if (!file)
		return true;
	while (!found && fgets(line, sizeof(line), file)) {
		if (sscanf(line, "%31s %" SCNu32, known, &n) != 2 || strcmp(known, dev))
			continue;
		*number = n;
		found = true;
	}
	fclose(file);
	return found;
}

/* Not what is hidden: ways to a disk that others show, as multipath NVMe has them */
static int is_disk(const struct dirent *entry)
{
	char dir[300];

	if (entry->d_name[0] == '.' || !strncmp(entry->d_name, "loop", 4) ||
	    !strncmp(entry->d_name, "ram", 3))
		return 0;
	snprintf(dir, sizeof(dir), "/sys/block/%s", entry->d_name);
	return sysfs_number(dir, "size") > 0 && !sysfs_number(dir, "hidden");
}

void sysconfig_log(int fd, uint32_t id)
{
	struct config_log log = { .fd = fd, .id = id };
	struct dirent **disks;
	uint32_t number;
	char dir[300];
	int i, n;

	n = scandir("/sys/block", &disks, is_disk, alphasort);
	if (n < 0) {
		warn("/sys/block: %s: the trace will not contain the disks", strerror(errno));
		return;
	}
	for (i = 0; i < n; i++) {
		snprintf(dir, sizeof(dir), "/sys/block/%s", disks[i]->d_name);
		number = i;
		if (disk_number(dir, &number))
			log_disk(&log, dir, disks[i]->d_name, number);
		free(disks[i]);
	}
	free(disks);
}
