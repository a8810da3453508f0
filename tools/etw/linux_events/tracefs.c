// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* The events that the kernel offers in tracefs. */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <fnmatch.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "etw.h"
#include "libetl/map.h"
#include "tracefs.h"

/* A format file of the kernel is smaller than this */
#define MOST_BYTES	0x40000

/* What struct trace_format has room for */
#define LINUX_SYSTEM_LENGTH	60
#define LINUX_NAME_LENGTH	255

static const char *const mounts[] = { "/sys/kernel/tracing", "/sys/kernel/debug/tracing" };

/* The folder in which the folder events is; without one, the usual place */
static const char *root(void)
{
	const char *other = getenv("ETW_TRACEFS");
	char path[64];
	size_t i;

	if (other)
		return other;
	for (i = 0; i < sizeof(mounts) / sizeof(mounts[0]); i++) {
		snprintf(path, sizeof(path), "%s/events", mounts[i]);
		if (!access(path, F_OK) || errno == EACCES)
			return mounts[i];
	}
	return mounts[0];
}

static int refuse(const char *verb, int err)
{
	if (err == EACCES || err == EPERM)
		return failed("%s: %s/events: %s (run as root, or let a group read tracefs: "
			      "mount -o remount,mode=0750,gid=GROUP %s)", verb, root(),
			      strerror(err), root());
	if (err == ENOENT)
		return failed("%s: %s/events: there is no tracefs (mount -t tracefs tracefs %s)",
			      verb, root(), mounts[0]);
	return failed("%s: %s/events: %s", verb, root(), strerror(err));
}

static bool is_hidden(const char *name)
{
	return name[0] == '.';
}

static int add(struct tracefs_events *events, const char *system, const char *name)
{
	char *to;

	/* the kernel's names are not longer than that; those of user_events may be this long */
	if (strlen(system) > LINUX_SYSTEM_LENGTH || strlen(name) > LINUX_NAME_LENGTH)
		return 0;
	if (!map_make_room((void **)&events->names, events->count, sizeof(*events->names)))
		return ENOMEM;
	to = events->names[events->count++];
	snprintf(to, LINUX_EVENT_NAME, "%.*s:%.*s", LINUX_SYSTEM_LENGTH, system,
		 LINUX_NAME_LENGTH, name);
	return 0;
}

/* A folder with an id is an event. Return: 0 or an error number */
static int list_system(struct tracefs_events *events, const char *system)
{
	char path[1024];
	struct dirent *entry;
	DIR *folder;
	int err = 0;

	snprintf(path, sizeof(path), "%s/events/%s", root(), system);
	folder = opendir(path);
	if (!folder)
		return errno == ENOTDIR || errno == ENOENT ? 0 : errno;
	while (!err && (entry = readdir(folder))) {
		if (is_hidden(entry->d_name))
			continue;
		snprintf(path, sizeof(path), "%s/events/%s/%s/id", root(), system, entry->d_name);
		if (!access(path, F_OK))
			err = add(events, system, entry->d_name);
	}
	closedir(folder);
	return err;
}

static int compare(const void *a, const void *b)
{
	return strcmp(a, b);
}

/* Return: 0 or an error number */
static int list(const char *glob, struct tracefs_events *events)
{
	char path[1024];
	struct dirent *entry;
	DIR *folder;
	int err = 0;

	*events = (struct tracefs_events){ };
	snprintf(path, sizeof(path), "%s/events", root());
	folder = opendir(path);
	if (!folder)
		return errno;
	while (!err && (entry = readdir(folder)))
		/* those of ftrace are for its own tracers: no program can open them */
		if (!is_hidden(entry->d_name) && strcmp(entry->d_name, "ftrace") &&
		    !fnmatch(glob, entry->d_name, 0))
			err = list_system(events, entry->d_name);
	closedir(folder);
	if (err)
		tracefs_free(events);
	else if (events->count)
		qsort(events->names, events->count, sizeof(*events->names), compare);
	return err;
}

int tracefs_list(const char *verb, struct tracefs_events *events)
{
	int err = list("*", events);

	if (!err)
		return 0;
	refuse(verb, err);
	return -1;
}

bool tracefs_list_systems(const char *glob, struct tracefs_events *events)
{
	return !list(glob, events);
}

void tracefs_free(struct tracefs_events *events)
{
	free(events->names);
	*events = (struct tracefs_events){ };
}

static char *read_path(const char *path)
{
	FILE *from = fopen(path, "re");
	char *text;
	size_t size;

	if (!from)
		return NULL;
	text = malloc(MOST_BYTES);
	if (text) {
		size = fread(text, 1, MOST_BYTES - 1, from);
		text[size] = 0;
		if (ferror(from)) {
			free(text);
			text = NULL;
			errno = EIO;
		}
	}
	fclose(from);
	return text;
}

char *tracefs_read(const char *name, const char *file)
{
	const char *colon = strchr(name, ':');
	char path[1024];

	snprintf(path, sizeof(path), "%s/events/%.*s/%s/%s", root(), (int)(colon - name), name,
		 colon + 1, file);
	return read_path(path);
}

char *tracefs_read_file(const char *file)
{
	char path[1024];

	snprintf(path, sizeof(path), "%s/%s", root(), file);
	return read_path(path);
}

int tracefs_write_line(const char *file, const char *line)
{
	char path[1024], text[4096];
	int fd, length, err = 0;
	ssize_t written;

	length = snprintf(text, sizeof(text), "%s\n", line);
	if (length >= (int)sizeof(text))
		return E2BIG;
	snprintf(path, sizeof(path), "%s/%s", root(), file);
	/* opened to be cut, the kernel's lists of probes would lose all entries */
	fd = open(path, O_WRONLY | O_APPEND | O_CLOEXEC);
	if (fd < 0)
		return errno;
	written = write(fd, text, length);
	if (written != length)
		err = written < 0 ? errno : EIO;
	close(fd);
	return err;
}

bool tracefs_matches(const char *glob, const char *name)
{
	const char *colon = strchr(name, ':');
	char system[LINUX_EVENT_NAME];

	if (strchr(glob, ':'))
		return !fnmatch(glob, name, 0);
	snprintf(system, sizeof(system), "%.*s", (int)(colon - name), name);
	return !fnmatch(glob, system, 0) || !fnmatch(glob, colon + 1, 0);
}
