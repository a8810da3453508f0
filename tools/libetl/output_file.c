// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* Files that hold trace data: their mode and owner, and how an existing file is kept. */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include "first_buffer.h"
#include "messages.h"
#include "output_file.h"

#define OLD	".old"
/* Names behind FILE.old that are tried */
#define OLD_NUMBERS	99

/* An id that sudo passes on; a program with more rights than its caller does not believe it */
static bool id_of_sudo(const char *variable, unsigned int *id)
{
	const char *text = secure_getenv(variable);
	unsigned long value;
	char *end;

	if (!text || *text < '0' || *text > '9')
		return false;
	errno = 0;
	value = strtoul(text, &end, 10);
	/* (uid_t)-1 means "leave it as it is" */
	if (errno || *end || value >= UINT32_MAX)
		return false;
	*id = value;
	return true;
}

/* A file system may refuse that (NFS); the file stays root's then, which shows nothing. */
static void give_to_invoker(int fd)
{
	unsigned int uid, gid;

	if (geteuid() || !id_of_sudo("SUDO_UID", &uid) || !id_of_sudo("SUDO_GID", &gid))
		return;
	if (fchown(fd, uid, gid))
		return;
}

/* see output_file.h */
int output_open(const char *name, int flags, bool *created)
{
	int fd = open(name, flags | O_CREAT | O_EXCL | O_CLOEXEC, 0600);

	if (created)
		*created = fd >= 0;
	if (fd >= 0)
		give_to_invoker(fd);
	else if (errno == EEXIST)
		fd = open(name, flags | O_CLOEXEC);
	/* a link to a file that does not exist yet: not ours to remove, nor to give away */
	if (fd < 0 && errno == ENOENT)
		fd = open(name, flags | O_CREAT | O_CLOEXEC, 0600);
	return fd < 0 ? -errno : fd;
}

/* see output_file.h */
int output_redirect(const char *name)
{
	int fd = output_open(name, O_WRONLY | O_TRUNC, NULL);
	int err;

	if (fd < 0)
		return fd;
	err = dup2(fd, STDOUT_FILENO) < 0 ? -errno : 0;
	close(fd);
	return err;
}

static bool is_below(const char *path, const char *directory)
{
	size_t length = strlen(directory);

	return !strncmp(path, directory, length) && path[length] == '/';
}

static bool is_of_kernel(const char *path)
{
	return is_below(path, "/dev") || is_below(path, "/proc");
}

/* see output_file.h */
char *output_path(const char *name)
{
	char *path = is_of_kernel(name) ? NULL : realpath(name, NULL);

	return path ? path : strdup(name);
}

/* see output_file.h */
bool output_is_replaced(const char *path)
{
	struct stat stat;

	return !is_of_kernel(path) && !lstat(path, &stat) && S_ISREG(stat.st_mode);
}

static char *old_name(const char *path, unsigned int number)
{
	size_t room = strlen(path) + sizeof(OLD) + 11;
	char *name = malloc(room);

	if (name && number)
		snprintf(name, room, "%s" OLD ".%u", path, number);
	else if (name)
		snprintf(name, room, "%s" OLD, path);
	return name;
}

/* Not what a link leads to, and no wait for the other end of a pipe */
static bool is_recording(const char *name)
{
	int fd = open(name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
	struct stat stat;
	bool ours;

	if (fd < 0)
		return false;
	ours = !fstat(fd, &stat) && S_ISREG(stat.st_mode) && first_buffer_is_ours(fd);
	close(fd);
	return ours;
}

/* Return: 0; -EEXIST: another program's file has that name; or another negative errno */
static int rename_to(const char *path, const char *name)
{
	struct stat stat;

	if (is_recording(name))
		return rename(path, name) ? -errno : 0;
	if (!renameat2(AT_FDCWD, path, AT_FDCWD, name, RENAME_NOREPLACE))
		return 0;
	/* a file system that cannot do both at once */
	if (errno == EINVAL && lstat(name, &stat))
		return rename(path, name) ? -errno : 0;
	return errno == EINVAL ? -EEXIST : -errno;
}

/* see output_file.h */
int output_keep(const char *path, char **kept)
{
	unsigned int number;
	int err = -EEXIST;

	*kept = NULL;
	for (number = 0; err == -EEXIST && number <= OLD_NUMBERS; number++) {
		free(*kept);
		*kept = old_name(path, number);
		err = *kept ? rename_to(path, *kept) : -ENOMEM;
	}
	if (!err && number > 1)
		warn("%s%s is not known to be a recording of etw, and stays: the previous file is "
		     "%s", path, OLD, *kept);
	if (err) {
		free(*kept);
		*kept = NULL;
	}
	return err == -ENOENT ? 0 : err;
}

/* see output_file.h */
int output_restore(const char *path, const char *kept)
{
	return renameat2(AT_FDCWD, kept, AT_FDCWD, path, RENAME_NOREPLACE) ? -errno : 0;
}
