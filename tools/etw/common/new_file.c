// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* A file that takes the place of another one only when it is whole. */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include "libetl/output_file.h"
#include "etw.h"
#include "new_file.h"
#include "unfinished.h"

/* Without the right to keep the owner, the file belongs to the user of this process. */
static int keep_mode(int fd, const char *path)
{
	struct stat old;

	if (stat(path, &old))
		return -1;
	if (fchown(fd, old.st_uid, old.st_gid) && errno != EPERM)
		return -1;
	return fchmod(fd, old.st_mode & 0777);
}

/* Return: a descriptor, or -1: the file has to be written in place */
static int begin_beside(struct new_file *file, const char *path)
{
	size_t room = strlen(path) + sizeof(".XXXXXX");
	int fd;

	/* a file that may not be written is not replaced either */
	if (!output_is_replaced(path) || access(path, W_OK))
		return -1;
	file->name = malloc(room);
	file->path = strdup(path);
	if (!file->name || !file->path)
		return -1;
	snprintf(file->name, room, "%s.XXXXXX", path);
	fd = mkstemp(file->name);
	if (fd >= 0 && keep_mode(fd, path)) {
		unlink(file->name);
		close(fd);
		fd = -1;
	}
	return fd;
}

static int begin_in_place(struct new_file *file, const char *output)
{
	free(file->name);
	free(file->path);
	file->path = NULL;
	file->name = strdup(output);
	return file->name ? output_open(output, O_WRONLY | O_TRUNC, NULL) : -ENOMEM;
}

FILE *new_file_begin(struct new_file *file, const char *output)
{
	char *path = output_path(output);
	FILE *to = NULL;
	int fd = -1, err;

	*file = (struct new_file){ };
	unfinished_hold();
	if (path)
		fd = begin_beside(file, path);
	free(path);
	if (fd < 0)
		fd = begin_in_place(file, output);
	if (fd >= 0)
		to = fdopen(fd, "w");
	err = fd < 0 ? -fd : errno;
	unfinished_begin(to ? file->name : NULL);
	if (to)
		return to;
	failed("%s: %s", output, strerror(err));
	free(file->name);
	free(file->path);
	return NULL;
}

int new_file_end(struct new_file *file, bool whole)
{
	int err = 0;

	if (whole && file->path && rename(file->name, file->path)) {
		failed("%s: %s", file->path, strerror(errno));
		err = -1;
	}
	if (!whole || err)
		unfinished_remove();
	unfinished_end();
	free(file->name);
	free(file->path);
	return err;
}
