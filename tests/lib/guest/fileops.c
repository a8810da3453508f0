// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* A known list of file operations, by two threads: fileops DIRECTORY */
#define _GNU_SOURCE
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/sendfile.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

/*
 * Prints, when all is done, "thread TID", then a line "open PATH" per openat() of
 * that thread: the name that the record should have.
 */
struct log {
	char text[16384];
	size_t used;
};

static const char *directory;

static void note(struct log *log, const char *format, ...)
{
	va_list arguments;

	va_start(arguments, format);
	log->used += vsnprintf(log->text + log->used, sizeof(log->text) - log->used, format,
			       arguments);
	va_end(arguments);
}

/* Opens PATH; the record should have EXPECTED */
static int open_as(struct log *log, const char *path, const char *expected, int flags)
{
	note(log, "open %s\n", expected);
	return openat(AT_FDCWD, path, flags, 0600);
}

static int open_it(struct log *log, const char *path, int flags)
{
	return open_as(log, path, path, flags);
}

static void must(int good, const char *what)
{
	if (good)
		return;
	fprintf(stderr, "fileops: %s: %s\n", what, strerror(errno));
	exit(1);
}

static void transfers(struct log *log, const char *path)
{
	static __thread char bytes[70000];
	struct iovec vector[3] = { { bytes, 100 }, { bytes, 2000 }, { bytes, 30 } };
	int i, fd = open_it(log, path, O_RDWR | O_CREAT | O_EXCL), other;

	must(fd >= 0, path);
	for (i = 0; i < 40; i++)
		must(write(fd, bytes, 1000 + 37 * i) == 1000 + 37 * i, "write");
	must(writev(fd, vector, 3) == 2130, "writev");
	must(pwrite(fd, bytes, 4096, 12345) == 4096, "pwrite");
	must(pwritev(fd, vector, 2, 777) == 2100, "pwritev");
	must(!fsync(fd), "fsync");
	must(!fdatasync(fd), "fdatasync");
	must(!lseek(fd, 0, SEEK_SET), "lseek");
	for (i = 0; i < 40; i++)
		must(read(fd, bytes, 500 + 11 * i) == 500 + 11 * i, "read");
	must(pread(fd, bytes, 70000, 1000) < 70000, "pread");	/* short */
	must(pread(fd, bytes, 10, 1 << 30) == 0, "pread");	/* nothing there */
	must(readv(fd, vector, 3) == 2130, "readv");
	must(preadv(fd, vector, 2, 99) == 2100, "preadv");
	must(syscall(SYS_pread64, fd, 8, 10, 0) < 0, "pread");	/* EFAULT */
	other = dup(fd);
	must(!close(fd), "close");
	must(read(other, bytes, 5) >= 0, "read");
	must(!close(other), "close");
	/* the record has the whole name, not the one that was asked for */
	snprintf(bytes, sizeof(bytes), ".//%s", strrchr(path, '/') + 1);
	fd = open_as(log, bytes, path, O_RDONLY);
	must(fd >= 0 && !close(fd), bytes);
	fd = open_it(log, path, O_WRONLY | O_APPEND | O_DSYNC);
	must(write(fd, bytes, 3) == 3, "write");
	must(!close(fd), "close");
}

static void failures(struct log *log, const char *path)
{
	char missing[300];
	int fd;

	snprintf(missing, sizeof(missing), "%s.not", path);
	must(open_it(log, missing, O_RDONLY) < 0, "missing");			/* ENOENT */
	must(open_it(log, path, O_RDWR | O_CREAT | O_EXCL) < 0, "exclusive");	/* EEXIST */
	snprintf(missing, sizeof(missing), "%s/x", path);
	must(open_it(log, missing, O_RDONLY) < 0, "below a file");		/* ENOTDIR */
	must(open_it(log, directory, O_RDWR) < 0, "a directory");		/* EISDIR */
	must(open_it(log, path, O_RDONLY | O_CREAT | O_DIRECTORY) < 0 || 1, "flags");
	fd = open_it(log, directory, O_RDONLY | O_DIRECTORY);
	must(fd >= 0 && read(fd, missing, 1) < 0, "read of a directory");	/* EISDIR */
	must(!close(fd), "close");
	fd = open_it(log, path, O_PATH);
	must(fd >= 0 && fsync(fd) < 0, "fsync of a place");			/* EBADF */
	must(!close(fd), "close");
	must(unlinkat(AT_FDCWD, directory, AT_REMOVEDIR) < 0, "rmdir");		/* EBUSY */
	must(read(-1, missing, 1) < 0, "read of nothing");			/* no file */
}

/* Without a link before its last user closes it */
static void gone(struct log *log, const char *path)
{
	char fourth[300];
	int fd;

	snprintf(fourth, sizeof(fourth), "%s-4", path);
	fd = open_it(log, fourth, O_RDWR | O_CREAT | O_EXCL);
	must(fd >= 0, fourth);
	must(!unlinkat(AT_FDCWD, fourth, 0), "unlink");
	must(write(fd, fourth, 7) == 7, "write");
	must(!close(fd), "close");
}

static void names(struct log *log, const char *path)
{
	char second[300], third[300], below[300], entries[4096];
	struct stat status;
	int fd, to;

	snprintf(second, sizeof(second), "%s-2", path);
	snprintf(third, sizeof(third), "%s-3", path);
	snprintf(below, sizeof(below), "%s-dir", path);
	must(!fstatat(AT_FDCWD, path, &status, 0), "stat");
	must(!linkat(AT_FDCWD, path, AT_FDCWD, second, 0), "link");
	must(!renameat(AT_FDCWD, second, AT_FDCWD, third), "rename");
	must(!fchmodat(AT_FDCWD, third, 0640, 0), "chmod");
	must(!mkdirat(AT_FDCWD, below, 0700), "mkdir");
	fd = open_it(log, directory, O_RDONLY | O_DIRECTORY);
	while (syscall(SYS_getdents64, fd, entries, sizeof(entries)) > 0)
		;
	must(!close(fd), "close");
	fd = open_it(log, third, O_RDWR);
	must(!ftruncate(fd, 4321), "ftruncate");
	must(!fallocate(fd, 0, 0, 10000), "fallocate");
	must(!fallocate(fd, 3, 4096, 4096), "fallocate");	/* a hole, the size stays */
	/* zeros, written: from 6.17 on, where the file system can */
	must(!fallocate(fd, 0x80, 4096, 4096) || errno == EOPNOTSUPP, "fallocate");
	to = open_it(log, second, O_WRONLY | O_CREAT | O_TRUNC);
	must(sendfile(to, fd, &(off_t){ 0 }, 10000) == 10000, "sendfile");
	must(!close(to), "close");
	to = open_it(log, second, O_WRONLY | O_TRUNC);
	must(!close(to), "close");
	must(!close(fd), "close");
	must(!unlinkat(AT_FDCWD, second, 0), "unlink");
	must(!unlinkat(AT_FDCWD, third, 0), "unlink");
	must(!unlinkat(AT_FDCWD, below, AT_REMOVEDIR), "rmdir");
}

static void io_counters(struct log *log)
{
	char text[1024], path[64];
	int fd;

	snprintf(path, sizeof(path), "/proc/%d/task/%ld/io", getpid(), syscall(SYS_gettid));
	fd = open_it(log, path, O_RDONLY);
	if (fd < 0)
		return;
	text[read(fd, text, sizeof(text) - 1)] = 0;
	close(fd);
	note(log, "io %s", strtok(text, "\n"));
	note(log, " %s\n", strtok(NULL, "\n"));
}

static void *work(void *arg)
{
	struct log *log = arg;
	char path[256];
	int i;

	note(log, "thread %ld\n", syscall(SYS_gettid));
	snprintf(path, sizeof(path), "%s/begin", directory);
	must(open_it(log, path, O_RDONLY) < 0, path);
	io_counters(log);
	for (i = 0; i < 3; i++) {
		snprintf(path, sizeof(path), "%s/%ld-%d", directory, syscall(SYS_gettid), i);
		transfers(log, path);
		failures(log, path);
		names(log, path);
		gone(log, path);
	}
	io_counters(log);
	snprintf(path, sizeof(path), "%s/end", directory);
	must(open_it(log, path, O_RDONLY) < 0, path);
	return NULL;
}

int main(int argc, char **argv)
{
	static struct log log[2];
	pthread_t thread;

	if (argc != 2)
		return 2;
	directory = argv[1];
	must(!chdir(directory), directory);
	must(!pthread_create(&thread, NULL, work, &log[1]), "thread");
	work(&log[0]);
	pthread_join(thread, NULL);
	printf("%s%s", log[0].text, log[1].text);
	return 0;
}
