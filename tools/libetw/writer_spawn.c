// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* Starts etw-writer, which is no child of the program: no SIGCHLD, nothing to wait for. */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <sched.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>
#include "writer_protocol.h"
#include "writer_spawn.h"

/* Of each of the two processes that share the program's memory for a moment */
#define STACK	(64u << 10)

/**
 * struct spawn - what the processes between the program and the writer need
 * @path: the writer's
 * @socket: becomes the writer's WRITER_SOCKET
 * @stack: of the process that becomes the writer
 * @error: errno of what failed
 */
struct spawn {
	const char *path;
	int socket;
	uint8_t *stack;
	int error;
};

/* A program with more rights than its caller must not run a program of the caller's choice. */
static const char *writer_path(void)
{
	const char *path = secure_getenv("ETW_WRITER");

	return path ? path : ETW_WRITER_PATH;
}

/* By number, because C libraries older than the call have no function for it */
static int close_others(void)
{
	return syscall(SYS_close_range, WRITER_SOCKET + 1, UINT_MAX, 0);
}

/*
 * Context: a process that shares memory with the program; the calling thread waits. Other
 * threads may hold any lock, so only async-signal-safe functions are called.
 */
static int become_writer(void *context)
{
	struct spawn *spawn = context;
	char *const arguments[] = { (char *)"etw-writer", NULL };

	if (dup2(spawn->socket, WRITER_SOCKET) >= 0 && !fcntl(WRITER_SOCKET, F_SETFD, 0) &&
	    !close_others())
		execve(spawn->path, arguments, environ);
	spawn->error = errno;
	_exit(EXIT_FAILURE);
}

static int clone_with(int (*run)(void *), uint8_t *stack, struct spawn *spawn)
{
	int pid = clone(run, stack + STACK, CLONE_VM | CLONE_VFORK, spawn);

	if (pid < 0)
		spawn->error = errno;
	return pid;
}

/*
 * A process that executes a program sends SIGCHLD when it ends. Therefore this one, which does
 * not, starts the writer and ends: the writer has another parent then.
 */
static int start_writer(void *context)
{
	struct spawn *spawn = context;

	clone_with(become_writer, spawn->stack, spawn);
	_exit(EXIT_SUCCESS);
}

static int spawn_between(struct spawn *spawn)
{
	int pid = clone_with(start_writer, spawn->stack + STACK, spawn);

	if (pid < 0)
		return -spawn->error;
	while (waitpid(pid, NULL, __WCLONE) < 0 && errno == EINTR)
		;
	return -spawn->error;
}

int writer_spawn(int socket)
{
	struct spawn spawn = { .path = writer_path(), .socket = socket };
	int err;

	spawn.stack = mmap(NULL, 2 * STACK, PROT_READ | PROT_WRITE,
			   MAP_PRIVATE | MAP_ANONYMOUS | MAP_STACK, -1, 0);
	if (spawn.stack == MAP_FAILED)
		return -errno;
	err = spawn_between(&spawn);
	munmap(spawn.stack, 2 * STACK);
	return err;
}
