// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* Why the background writer of a session has ended: kept until 'etw stop' or the next start. */
#define _GNU_SOURCE
#include <ctype.h>
#include <dirent.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include "libetl/text.h"
#include "failure_note.h"

/*
 * The session ends with its writer, so the module cannot keep the reason. Root's notes are
 * where only root can write; the notes of another user are in that user's own folder.
 */
static bool directory(bool user, char *to, size_t room)
{
	const char *runtime = getenv("XDG_RUNTIME_DIR");

	if (!user)
		return snprintf(to, room, "/run/etw") < (int)room;
	return runtime && runtime[0] == '/' && snprintf(to, room, "%s/etw", runtime) < (int)room;
}

/* A session name may contain any character, also a slash. Its case does not count. */
static bool path_of(bool user, const char *session, char *to, size_t room)
{
	size_t used;

	if (!directory(user, to, room))
		return false;
	used = strlen(to);
	to[used++] = '/';
	for (; *session && used + 4 < room; session++) {
		if (isalnum((unsigned char)*session) || *session == '-' || *session == '_')
			to[used++] = text_lower(*session);
		else
			used += sprintf(to + used, "%%%02X", (unsigned char)*session);
	}
	to[used] = '\0';
	return !*session;
}

void failure_note_write(const char *session, const char *text)
{
	bool user = geteuid();
	char path[PATH_MAX];
	int fd;

	if (!directory(user, path, sizeof(path)))
		return;
	mkdir(path, 0755);
	if (!path_of(user, session, path, sizeof(path)))
		return;
	unlink(path);
	fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0644);
	if (fd < 0)
		return;
	if (dprintf(fd, "%s\n", text) < 0)
		unlink(path);
	close(fd);
}

static bool read_note(const char *path, char *text, size_t room)
{
	int fd = open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
	ssize_t n = fd < 0 ? -1 : read(fd, text, room - 1);

	if (fd >= 0)
		close(fd);
	if (n <= 0)
		return false;
	text[n] = '\0';
	text[strcspn(text, "\n")] = '\0';
	return true;
}

bool failure_note_read(const char *session, char *text, size_t room)
{
	char path[PATH_MAX];
	int user;

	for (user = 0; user < 2; user++)
		if (path_of(user, session, path, sizeof(path)) && read_note(path, text, room))
			return true;
	return false;
}

void failure_note_remove(const char *session)
{
	char path[PATH_MAX];
	int user;

	for (user = 0; user < 2; user++)
		if (path_of(user, session, path, sizeof(path)))
			unlink(path);
}

static void print_directory(const char *name)
{
	DIR *notes = opendir(name);
	struct dirent *entry;
	char path[PATH_MAX], text[PATH_MAX];

	while (notes && (entry = readdir(notes))) {
		if (snprintf(path, sizeof(path), "%s/%s", name, entry->d_name) >=
		    (int)sizeof(path) || entry->d_name[0] == '.' ||
		    !read_note(path, text, sizeof(text)))
			continue;
		text_escape_control(text);
		puts(text);
	}
	if (notes)
		closedir(notes);
}

void failure_notes_print(void)
{
	char name[PATH_MAX];
	int user;

	for (user = 0; user < 2; user++)
		if (directory(user, name, sizeof(name)))
			print_directory(name);
}
