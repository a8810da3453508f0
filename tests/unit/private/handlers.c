// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* The program's handlers of faults, older than a session and younger than the one before. */
#include <setjmp.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>
#include "one.h"

static void *volatile bad = (void *)16;

/* In memory that a child shares with us: what was called how often, what it found */
static struct counts {
	int older, younger;
	ULONG error;
} *counts;

static sigjmp_buf back;
static struct sigaction replaced;

static void handle_with(void (*handler)(int, siginfo_t *, void *), struct sigaction *old)
{
	struct sigaction action = { .sa_sigaction = handler, .sa_flags = SA_SIGINFO };

	sigaction(SIGSEGV, &action, old);
}

static void recover(int signal, siginfo_t *info, void *context)
{
	(void)signal;
	(void)info;
	(void)context;
	counts->older++;
	siglongjmp(back, 1);
}

static void give_up(int signal, siginfo_t *info, void *context)
{
	(void)signal;
	(void)info;
	(void)context;
	_exit(9);
}

static void chain(int signal, siginfo_t *info, void *context)
{
	/* for ever is not what the test waits for */
	if (++counts->younger > 100)
		_exit(9);
	if (replaced.sa_flags & SA_SIGINFO)
		replaced.sa_sigaction(signal, info, context);
	else
		sigaction(SIGSEGV, &replaced, NULL);
}

static void fault(void)
{
	if (!sigsetjmp(back, 1))
		*(volatile int *)bad = 1;
}

/* A session in which the program installs a handler, and the next one, which is there still */
static void two_sessions(void (*handler)(int, siginfo_t *, void *))
{
	start("handlers", 0, 0, 0);
	event_fill(&event, 1, 8);
	counts->error |= send(&event.header);
	handle_with(handler, &replaced);
	session_control(&session, handle, EVENT_TRACE_CONTROL_STOP);
	start("handlers", 0, 0, 0);
	counts->error |= send(bad);
}

static void without_chain(void)
{
	two_sessions(give_up);
}

static void with_chain(void)
{
	handle_with(recover, NULL);
	two_sessions(chain);
	fault();
	fault();
}

static void with_default(void)
{
	two_sessions(chain);
	fault();
}

/* As a program that checks now and then whether its handler is the last one */
static void twice_over(void)
{
	handle_with(recover, NULL);
	two_sessions(chain);
	handle_with(chain, &replaced);
	counts->error |= send(bad);
	fault();
}

static void over_and_over(void)
{
	int i;

	handle_with(recover, NULL);
	for (i = 0; i < 10; i++) {
		two_sessions(i & 1 ? chain : recover);
		session_control(&session, handle, EVENT_TRACE_CONTROL_STOP);
	}
	start("handlers", 0, 0, 0);
	fault();
}

static void note_only(int signal)
{
	(void)signal;
	/* for ever is not what the test waits for */
	if (++counts->older > 100)
		_exit(9);
}

/* As crash reporters do it: the second fault is the program's end */
static void one_shot(void)
{
	struct sigaction action = { .sa_handler = note_only, .sa_flags = SA_RESETHAND };

	sigaction(SIGSEGV, &action, NULL);
	start("handlers", 0, 0, 0);
	counts->error |= send(bad);
	*(volatile int *)bad = 1;
}

/* Return: what waitpid() says */
static int run(void (*program)(void))
{
	int status = -1;
	pid_t child;

	memset(counts, 0, sizeof(*counts));
	child = fork();
	if (!child) {
		alarm(60);
		program();
		session_control(&session, handle, EVENT_TRACE_CONTROL_STOP);
		_exit(0);
	}
	waitpid(child, &status, 0);
	return status;
}

int main(int argc, char **argv)
{
	int status;

	if (argc != 2)
		return 2;
	directory = argv[1];
	counts = mmap(NULL, sizeof(*counts), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS,
		      -1, 0);
	status = run(without_chain);
	check("a handler that calls no other, older than the session", !status);
	check_code("event at 16", counts->error, ERROR_NOACCESS);
	status = run(with_chain);
	check("a handler that calls ours, older than the session", !status);
	check_code("event at 16", counts->error, ERROR_NOACCESS);
	check("a fault of the program's goes to it once, and to the one before it",
	      counts->younger == 2 && counts->older == 2);
	status = run(with_default);
	check("where there was none before it, the program dies of that",
	      WIFSIGNALED(status) && WTERMSIG(status) == SIGSEGV && counts->younger == 1);
	status = run(twice_over);
	check("the same handler over ours once more: none is called for ever", !status);
	check("the fault comes to the first one", counts->older == 1 && counts->younger > 0);
	status = run(over_and_over);
	check("a new handler in each of many sessions", !status && counts->older == 1);
	status = run(one_shot);
	check("a handler with SA_RESETHAND is called once, and the program dies", counts->older == 1 &&
	      WIFSIGNALED(status) && WTERMSIG(status) == SIGSEGV);
	check_code("event at 16, before that", counts->error, ERROR_NOACCESS);
	return 0;
}
