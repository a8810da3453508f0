// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/*
 * TMF files for tdh.h. A file that was read is kept, because a consumer asks for each event. It is
 * read again when it has changed.
 */
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include "libetl/text.h"
#include "tdh_private.h"
#include "tdh_tmf.h"

/* As on Windows: where files are that the contexts do not place */
#define FOLDERS_VARIABLE	"TRACE_FORMAT_SEARCH_PATH"

/**
 * struct kept - a TMF file
 * @next: the one that was used before
 * @status: of the file, when it was read
 * @tmf: its messages
 * @path: of the file
 */
struct kept {
	struct kept *next;
	struct stat status;
	struct tmf tmf;
	char path[];
};

/* Under tdh_lock(); the one that was used last is first */
static struct kept *files;

static void release(struct kept *kept)
{
	if (!kept)
		return;
	tmf_free(&kept->tmf);
	free(kept);
}

/* Takes the file out of the list. Return: NULL: it is not there */
static struct kept *take(const char *path)
{
	struct kept **at = &files, *found;

	while (*at && strcmp((*at)->path, path))
		at = &(*at)->next;
	found = *at;
	if (found)
		*at = found->next;
	return found;
}

static bool is_same(const struct stat *a, const struct stat *b)
{
	return a->st_dev == b->st_dev && a->st_ino == b->st_ino && a->st_size == b->st_size &&
	       a->st_mtim.tv_sec == b->st_mtim.tv_sec && a->st_mtim.tv_nsec == b->st_mtim.tv_nsec;
}

static ULONG read_file(const char *path, const struct stat *status, struct kept **to)
{
	struct kept *kept = calloc(1, sizeof(*kept) + strlen(path) + 1);
	int err;

	if (!kept)
		return ERROR_OUTOFMEMORY;
	strcpy(kept->path, path);
	kept->status = *status;
	errno = 0;
	if (!tmf_read(&kept->tmf, path)) {
		err = errno;
		release(kept);
		return err == EACCES ? ERROR_ACCESS_DENIED :
		       err == ENOMEM ? ERROR_OUTOFMEMORY : ERROR_NOT_FOUND;
	}
	tmf_ready(&kept->tmf);
	*to = kept;
	return ERROR_SUCCESS;
}

/* Return: ERROR_NOT_FOUND: there is no such file, or it does not describe the message */
static ULONG look_in(const char *path, const EVENT_RECORD *event,
		     const struct tmf_message **message)
{
	const EVENT_HEADER *header = &event->EventHeader;
	struct kept *kept = take(path);
	struct etw_guid guid;
	struct stat status;
	ULONG err = ERROR_SUCCESS;

	/* a pipe would wait for its writer */
	if (stat(path, &status) || !S_ISREG(status.st_mode)) {
		release(kept);
		return ERROR_NOT_FOUND;
	}
	if (kept && !is_same(&kept->status, &status)) {
		release(kept);
		kept = NULL;
	}
	if (!kept)
		err = read_file(path, &status, &kept);
	if (err)
		return err;
	kept->next = files;
	files = kept;
	memcpy(&guid, &header->ProviderId, sizeof(guid));
	*message = tmf_find(&kept->tmf, &guid, header->EventDescriptor.Id);
	return *message ? ERROR_SUCCESS : ERROR_NOT_FOUND;
}

/* @folders: with ; between them */
static ULONG look_through(const char *folders, const char *name, const EVENT_RECORD *event,
			  const struct tmf_message **message)
{
	ULONG err = ERROR_NOT_FOUND;
	char path[PATH_MAX];
	size_t length;
	int n;

	for (; err == ERROR_NOT_FOUND && folders && *folders; folders += length) {
		folders += strspn(folders, ";");
		length = strcspn(folders, ";");
		n = snprintf(path, sizeof(path), "%.*s/%s", (int)length, folders, name);
		if (length && n > 0 && (size_t)n < sizeof(path))
			err = look_in(path, event, message);
	}
	return err;
}

/* Windows' order: the given place, the folders, those of the variable, the current folder */
ULONG tdh_tmf_find(const EVENT_RECORD *event, const struct tdh_contexts *contexts,
		   const struct tmf_message **message)
{
	char own[GUID_TEXT + sizeof(".tmf")];
	const char *name = contexts->file;
	struct etw_guid guid;
	ULONG err;

	if (name && strchr(name, '/'))
		return look_in(name, event, message);
	if (!name) {
		memcpy(&guid, &event->EventHeader.ProviderId, sizeof(guid));
		text_from_guid(&guid, own);
		strcat(own, ".tmf");
		name = own;
	}
	err = look_through(contexts->folders, name, event, message);
	if (err == ERROR_NOT_FOUND)
		err = look_through(getenv(FOLDERS_VARIABLE), name, event, message);
	if (err == ERROR_NOT_FOUND)
		err = look_in(name, event, message);
	return err;
}
