// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* The files of a writer: which one, opened, kept as FILE.old, given up. */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE	/* libetw is compiled with it */
#endif
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>
#include "etw_abi.h"
#include "messages.h"
#include "output_file.h"
#include "writer_append.h"
#include "writer_file.h"

int writer_give_up(struct writer *writer, int err)
{
	writer->error = err;
	return failed("%s: %s", writer->name, strerror(err));
}

/* path%d.etl to path7.etl */
static char *numbered(const char *path, uint32_t number)
{
	const char *percent = strstr(path, "%d");
	size_t room = strlen(path) + 16;
	char *name = malloc(room);

	if (name && percent)
		snprintf(name, room, "%.*s%u%s", (int)(percent - path), path, number, percent + 2);
	else if (name)
		snprintf(name, room, "%s", path);
	return name;
}

/* From here on the number alone doesn't make it the file: writer_has_file() */
static int know_file(struct writer *writer)
{
	int err;

	if (writer->shared)
		writer->fd = descriptor_raise(writer->fd);
	err = descriptor_know(writer->fd, &writer->file);
	return err ? writer_give_up(writer, err) : 0;
}

bool writer_has_file(struct writer *writer)
{
	if (descriptor_is(writer->fd, &writer->file))
		return true;
	if (writer->fd >= 0 && !writer->error)
		writer_give_up(writer, EBADF);
	writer->fd = -1;
	return false;
}

/* Not two writers, nor one and 'etw close' */
static bool is_written(const struct writer *writer)
{
	return writer->regular && flock(writer->fd, LOCK_EX | LOCK_NB) && errno == EWOULDBLOCK;
}

static int refuse_written(struct writer *writer)
{
	writer->error = ETXTBSY;
	return failed("%s: another recording writes this file (choose another name)",
		      writer->name);
}

/* Which file: a pattern's next one. What is kept is the file, not a link to it. */
static char *next_name(struct writer *writer)
{
	char *name, *path;

	name = writer->mode & EVENT_TRACE_FILE_MODE_NEWFILE ?
	       numbered(writer->path, ++writer->number) : strdup(writer->path);
	if (!name || !writer->keep_old)
		return name;
	path = output_path(name);
	free(name);
	return path;
}

static int create(struct writer *writer)
{
	int fd = output_open(writer->name, O_RDWR, &writer->created);

	writer->fd = fd < 0 ? -1 : fd;
	return fd < 0 ? writer_give_up(writer, -fd) : know_file(writer);
}

int writer_open_file(struct writer *writer)
{
	bool newfile = writer->mode & EVENT_TRACE_FILE_MODE_NEWFILE;
	struct stat stat;

	free(writer->name);
	writer->fd = -1;
	writer->created = false;
	writer->kept = NULL;
	writer->name = next_name(writer);
	if (!writer->name)
		return failed("%s", strerror(ENOMEM));
	if (create(writer))
		return -1;
	if (fstat(writer->fd, &stat))
		return writer_give_up(writer, errno);
	writer->regular = S_ISREG(stat.st_mode);
	writer->replaces = writer->keep_old && !writer->created && output_is_replaced(writer->name);
	if (is_written(writer))
		return refuse_written(writer);
	if (writer->regular || !(writer->limit || newfile))
		return append_open(writer);
	close(writer->fd);
	writer->fd = -1;
	return failed("%s: a size or a mode is for files only", writer->name);
}

int writer_open(struct writer *writer)
{
	writer->fd = -1;
	if (writer->mode & (EVENT_TRACE_FILE_MODE_CIRCULAR | EVENT_TRACE_FILE_MODE_NEWFILE) &&
	    !writer->limit)
		return failed("%s: it needs a size", writer->path);
	if (strcmp(writer->path, "-"))
		return writer_open_file(writer) ? -1 : 0;
	writer->fd = dup(STDOUT_FILENO);
	writer->name = strdup("standard output");
	return writer->fd < 0 || !writer->name || know_file(writer) ? -1 : 0;
}

/* If another program has moved or replaced the file, it is not removed. */
static bool has_its_name(const struct writer *writer)
{
	struct stat stat;

	return !lstat(writer->name, &stat) && stat.st_dev == writer->file.device &&
	       stat.st_ino == writer->file.inode;
}

bool writer_abandon(struct writer *writer)
{
	bool restored = false;

	if (writer->created && has_its_name(writer))
		unlink(writer->name);
	if (writer_has_file(writer))
		append_undo(writer);
	if (writer_has_file(writer))
		close(writer->fd);
	if (writer->kept) {
		restored = !output_restore(writer->name, writer->kept);
		if (!restored)
			warn("%s: the previous file stays in %s", writer->name, writer->kept);
	}
	writer->created = false;
	free(writer->kept);
	writer->kept = NULL;
	writer->fd = -1;
	return restored;
}

/*
 * The file of that name gets another one, and a new file takes its place. A file that has the name
 * all the same is not overwritten: rename() does nothing if FILE and FILE.old are links to one
 * file, and another program may have created a file meanwhile.
 */
static int replace_file(struct writer *writer)
{
	int err = output_keep(writer->name, &writer->kept);

	if (err) {
		failed("%s: it can't be kept as %s.old", writer->name, writer->name);
		return writer_give_up(writer, -err);
	}
	close(writer->fd);
	writer->replaces = false;
	if (create(writer) || (!writer->created && writer_give_up(writer, EEXIST))) {
		writer_abandon(writer);
		return -1;
	}
	return is_written(writer) ? refuse_written(writer) : 0;
}

int writer_begin(struct writer *writer)
{
	if (writer->appends)
		return append_begin(writer);
	if (writer->replaces)
		return replace_file(writer) ? -1 : 0;
	if (!writer->regular || !ftruncate(writer->fd, 0))
		return 0;
	writer_give_up(writer, errno);
	return -1;
}
