// SPDX-License-Identifier: GPL-2.0
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
#include "output_file.h"

#define OLD	".old"

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

static int rename_old(const char *path, bool back)
{
	char *old = malloc(strlen(path) + sizeof(OLD));
	int err;

	if (!old)
		return -ENOMEM;
	strcpy(stpcpy(old, path), OLD);
	err = back ? renameat2(AT_FDCWD, old, AT_FDCWD, path, RENAME_NOREPLACE) :
	      rename(path, old);
	err = err ? -errno : 0;
	free(old);
	return err;
}

/* see output_file.h */
int output_keep(const char *path)
{
	int err = rename_old(path, false);

	return err == -ENOENT ? 0 : err;
}

/* see output_file.h */
int output_restore(const char *path)
{
	return rename_old(path, true);
}
