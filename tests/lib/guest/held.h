/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The etw authors */
/* Processes that etw_held.ko holds in a function, and others that wait for them, or must not. */
#ifndef ETW_TEST_HELD_H
#define ETW_TEST_HELD_H

#include <grp.h>
#include <signal.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include "provider.h"

#define MODULE		"/w/etw_held.ko"
#define HELD		"/sys/module/etw_held/parameters/held"
/* A process that still runs then waits for the held one: nothing that it does takes so long. */
#define TENTHS		100

/**
 * struct owner - a process that has what others wait for
 * @pid: its
 * @name: what it does
 */
struct owner {
	int pid;
	const char *name;
};

static inline char first_char(const char *path)
{
	FILE *file = fopen(path, "r");
	int c = file ? getc(file) : EOF;

	if (c == EOF)
		die(path);
	fclose(file);
	return c;
}

/* On return it has entered a function, and stays there. @where: for etw_held.ko */
static inline void hold(struct owner *owner, const char *name, int (*what)(__u32), __u32 id,
			const char *where)
{
	char parameters[128], byte = 0;
	int go[2], file = open(MODULE, O_RDONLY | O_CLOEXEC);

	owner->name = name;
	if (file < 0 || pipe(go))
		die(MODULE);
	owner->pid = fork();
	if (!owner->pid)
		_exit(read(go[0], &byte, 1) != 1 || what(id));
	snprintf(parameters, sizeof(parameters), "pid=%d %s", owner->pid, where);
	if (syscall(SYS_finit_module, file, parameters, 0) || write(go[1], &byte, 1) != 1)
		die(parameters);
	while (first_char(HELD) != 'Y')
		usleep(10000);
	close(file);
	close(go[0]);
	close(go[1]);
}

static inline void release(const struct owner *owner)
{
	result(!waitpid(owner->pid, NULL, WNOHANG), "%s was held all the while", owner->name);
	if (syscall(SYS_delete_module, "etw_held", 0))
		die("etw_held goes");
}

/* And its session goes */
static inline void let_go(const struct owner *owner, __u32 id)
{
	int status = 0;

	release(owner);
	waitpid(owner->pid, &status, 0);
	result(!status, "and goes on # %x", status);
	if (discard_session(control, id))
		die("DISCARD");
}

/* Its only call that sleeps is the one that is to wait, be it in many little sleeps. */
static inline void wait_asleep(int pid)
{
	static const char key[] = "\nvoluntary_ctxt_switches:\t";
	char name[64], status[4096], *at;
	size_t n;
	FILE *file;

	snprintf(name, sizeof(name), "/proc/%d/status", pid);
	do {
		usleep(10000);
		file = fopen(name, "r");
		n = file ? fread(status, 1, sizeof(status) - 1, file) : 0;
		status[n] = 0;
		at = strstr(status, key);
		if (!at)
			die(name);
		fclose(file);
	} while (at[sizeof(key) - 1] == '0');
}

/* It sleeps so that only what it waits for, or a fatal signal, wakes it, and goes on doing so. */
static inline void wait_stuck(int pid)
{
	char name[64], state;
	int stuck = 0;
	FILE *file;

	snprintf(name, sizeof(name), "/proc/%d/stat", pid);
	while (stuck < 20) {
		usleep(20000);
		file = fopen(name, "r");
		if (!file || fscanf(file, "%*d (%*[^)]) %c", &state) != 1)
			die(name);
		fclose(file);
		if (state == 'Z')
			return;
		stuck = state == 'D' ? stuck + 1 : 0;
	}
}

/* Return: whether it ended in time */
static inline int ends(int pid, int *status)
{
	int tenths;

	for (tenths = 0; tenths < TENTHS; tenths++) {
		if (waitpid(pid, status, WNOHANG) == pid)
			return 1;
		usleep(100000);
	}
	return 0;
}

static inline void kill_waiter(const struct owner *owner, const char *name, int pid)
{
	int status = 0;

	kill(pid, SIGKILL);
	result(ends(pid, &status) && WIFSIGNALED(status), "%s that waits for %s can be killed",
	       name, owner->name);
}

static inline void must_go(const struct owner *owner, const char *name, int (*what)(__u32),
			   __u32 id)
{
	int pid = fork();

	if (!pid)
		_exit(what(id));
	wait_asleep(pid);
	kill_waiter(owner, name, pid);
}

/* As must_go(), for a call that sleeps for other reasons before */
static inline void must_go_stuck(const struct owner *owner, const char *name,
				 int (*what)(__u32), __u32 id)
{
	int pid = fork();

	if (!pid)
		_exit(what(id));
	wait_stuck(pid);
	kill_waiter(owner, name, pid);
}

/* It waits for none of what is beside it. */
static inline void must_end(const char *name, int (*what)(__u32), __u32 id, const char *beside)
{
	int status = 0, pid = fork();

	if (!pid)
		_exit(what(id) ? errno : 0);
	result(ends(pid, &status) && !status, "%s ends beside %s # %x", name, beside, status);
	kill(pid, SIGKILL);
}

#endif /* ETW_TEST_HELD_H */
