// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* Makes system calls with paths, and prints each: call, paths in hexadecimal, error number. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>
#include "call_list.h"

#define PAGE	4096
#define FOLDER	"/tmp/path_calls.d"

#define ONE(call, path, ...) say(#call, path, NULL, syscall(SYS_##call, __VA_ARGS__))
#define TWO(call, path, second, ...) say(#call, path, second, syscall(SYS_##call, __VA_ARGS__))

static void open_files(void)
{
	static const char *const names[] = {
		FOLDER "/file", FOLDER "/missing", "relative", "./r\xc3\xa4lativ \"quoted\"", "/",
		"..", FOLDER "/file/below", "a\nb",
	};
	size_t i;

	ONE(openat, FOLDER "/file", AT_FDCWD, FOLDER "/file", O_CREAT | O_RDWR, 0600);
	for (i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		ONE(openat, names[i], AT_FDCWD, names[i], O_RDONLY, 0);
#ifdef SYS_open
		ONE(open, names[i], names[i], O_RDONLY, 0);
#endif
	}
	errno = 0;
}

static void look(void)
{
	struct statx statx;
	struct stat stat;
	char text[64];

	ONE(newfstatat, FOLDER "/file", AT_FDCWD, FOLDER "/file", &stat, 0);
	ONE(newfstatat, FOLDER "/gone", AT_FDCWD, FOLDER "/gone", &stat, AT_SYMLINK_NOFOLLOW);
	ONE(statx, FOLDER "/file", AT_FDCWD, FOLDER "/file", 0, STATX_ALL, &statx);
	ONE(statx, "no file", AT_FDCWD, "no file", 0, STATX_ALL, &statx);
	ONE(faccessat, FOLDER, AT_FDCWD, FOLDER, R_OK);
	ONE(faccessat, "none", AT_FDCWD, "none", R_OK);
	ONE(readlinkat, FOLDER "/file", AT_FDCWD, FOLDER "/file", text, sizeof(text));
#ifdef SYS_stat
	ONE(stat, FOLDER "/file", FOLDER "/file", &stat);
	ONE(lstat, "lost", "lost", &stat);
	ONE(access, "/nothing", "/nothing", F_OK);
	ONE(readlink, "/proc/self/exe", "/proc/self/exe", text, sizeof(text));
#endif
}

static void change(void)
{
	ONE(mkdirat, FOLDER "/sub", AT_FDCWD, FOLDER "/sub", 0700);
	TWO(linkat, FOLDER "/file", FOLDER "/hard", AT_FDCWD, FOLDER "/file", AT_FDCWD,
	    FOLDER "/hard", 0);
	TWO(symlinkat, "target of it", FOLDER "/soft", "target of it", AT_FDCWD, FOLDER "/soft");
	TWO(renameat2, FOLDER "/hard", FOLDER "/sub/moved", AT_FDCWD, FOLDER "/hard", AT_FDCWD,
	    FOLDER "/sub/moved", 0);
	TWO(renameat2, FOLDER "/never", FOLDER "/there", AT_FDCWD, FOLDER "/never", AT_FDCWD,
	    FOLDER "/there", 0);
#ifdef SYS_rename
	TWO(rename, FOLDER "/sub/moved", FOLDER "/back", FOLDER "/sub/moved", FOLDER "/back");
	TWO(rename, "from", "to", "from", "to");
	ONE(unlink, "unlinked", "unlinked");
	ONE(chmod, FOLDER "/file", FOLDER "/file", 0644);
#endif
	ONE(fchmodat, FOLDER "/file", AT_FDCWD, FOLDER "/file", 0600);
	ONE(truncate, FOLDER "/file", FOLDER "/file", 100);
	ONE(utimensat, FOLDER "/file", AT_FDCWD, FOLDER "/file", NULL, 0);
	ONE(unlinkat, FOLDER "/back", AT_FDCWD, FOLDER "/back", 0);
	ONE(unlinkat, FOLDER "/soft", AT_FDCWD, FOLDER "/soft", 0);
	ONE(unlinkat, FOLDER "/sub", AT_FDCWD, FOLDER "/sub", AT_REMOVEDIR);
	ONE(chdir, FOLDER "/nowhere", FOLDER "/nowhere");
	ONE(chdir, FOLDER, FOLDER);
}

/* A path on a page that the program has not touched, and the longest one */
static void far_paths(void)
{
	static const char text[] = FOLDER "/untouched";
	static char longest[PAGE];
	int file = open(FOLDER "/page", O_CREAT | O_RDWR, 0600), i;
	char *page;

	if (file < 0 || pwrite(file, text, sizeof(text), 0) != sizeof(text))
		exit(1);
	page = mmap(NULL, PAGE, PROT_READ, MAP_PRIVATE, file, 0);
	if (page == MAP_FAILED || madvise(page, PAGE, MADV_DONTNEED))
		exit(1);
	say("openat", text, NULL, syscall(SYS_openat, AT_FDCWD, page, O_RDONLY, 0));
	for (i = 0; i < PAGE - 2; i++)
		longest[i] = i % 2 ? '.' : '/';
	longest[PAGE - 3] = 'x';
	say("openat", longest, NULL, syscall(SYS_openat, AT_FDCWD, longest, O_RDONLY, 0));
}

static void execute(const char *file)
{
	char *const arguments[] = { "true", NULL }, *const none[] = { NULL };
	int status;
	pid_t child;

	ONE(execve, "/not/there", "/not/there", arguments, none);
	fflush(out);
	child = fork();
	if (!child) {
		syscall(SYS_execve, file, arguments, none);
		_exit(1);
	}
	if (child < 0 || waitpid(child, &status, 0) != child || status)
		exit(1);
	errno = 0;
	say("execve", file, NULL, 0);
}

/* path_calls FILE PROGRAM: writes to FILE; PROGRAM ends at once with status 0 */
int main(int argc, char **argv)
{
	if (argc != 3 || open_list(argv[1]) || mkdir(FOLDER, 0700))
		return 1;
	open_files();
	look();
	change();
	far_paths();
	execute(argv[2]);
	return fclose(out);
}
