// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* A workload of switches of every kind: blocked, sleeping, preempted, yielding. */
#define _GNU_SOURCE
#include <errno.h>
#include <linux/futex.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define BURSTS	200	/* a second when emulated */
#define SPINS	20000	/* a fraction of a millisecond */

static int count;	/* how much of everything */
static const char self[] = "/proc/self/exe";

static void die(const char *what)
{
	fprintf(stderr, "load: %s: %s\n", what, strerror(errno));
	_exit(1);
}

static double now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec + t.tv_nsec / 1e9;
}

static void doze(long us)
{
	struct timespec t = { us / 1000000, us % 1000000 * 1000 };

	nanosleep(&t, NULL);
}

static void send_all(int out, int n)
{
	char message[100] = { 0 };
	int i;

	for (i = 0; i < n; i++)
		if (write(out, message, sizeof(message)) != sizeof(message))
			die("write");
}

static void receive(int in, int n)
{
	char message[100];
	ssize_t got, want = (ssize_t)n * sizeof(message);

	for (; want > 0; want -= got) {
		got = read(in, message, sizeof(message));
		if (got <= 0)
			die("read");
	}
}

/*
 * Groups of senders and receivers; all senders of a group share one pipe, so
 * that they wait for its lock too (an uninterruptible sleep).
 */
static void groups(void)
{
	enum { GROUPS = 4, SENDERS = 4 };
	int fd[2], g, s;

	for (g = 0; g < GROUPS; g++) {
		if (g % 2 ? socketpair(AF_UNIX, SOCK_STREAM, 0, fd) : pipe(fd))
			die("pipe");
		for (s = 0; s < SENDERS; s++) {
			if (!fork()) {
				send_all(fd[g % 2 ? 0 : 1], count * 4);
				_exit(0);
			}
		}
		if (!fork()) {
			receive(fd[g % 2 ? 1 : 0], count * 4 * SENDERS);
			_exit(0);
		}
		close(fd[0]);
		close(fd[1]);
	}
}

/* Two processes and one byte: a switch per system call */
static void ping_pong(void)
{
	int a[2], b[2], i;
	char x = 'x';

	if (pipe(a) || pipe(b))
		die("pipe");
	if (!fork()) {
		for (i = 0; i < count * 8; i++)
			if (read(a[0], &x, 1) != 1 || write(b[1], &x, 1) != 1)
				die("pong");
		_exit(0);
	}
	for (i = 0; i < count * 8; i++)
		if (write(a[1], &x, 1) != 1 || read(b[0], &x, 1) != 1)
			die("ping");
}

/* fork and wait, vfork and exec (in posix_spawn): exits, and parents asleep uninterruptibly */
static void processes(void)
{
	static char *arguments[] = { "load", "nothing", NULL };
	int i, status;
	pid_t pid;

	for (i = 0; i < count / 8; i++) {
		if (i % 2) {
			pid = fork();
			if (!pid)
				_exit(0);
		} else if (posix_spawn(&pid, self, NULL, NULL, arguments, NULL)) {
			die("spawn");
		}
		if (pid < 0 || waitpid(pid, &status, 0) != pid || status)
			die("child");
	}
}

static int turn;

static void futex(int *word, int op, int value)
{
	syscall(SYS_futex, word, op | FUTEX_PRIVATE_FLAG, value, NULL, NULL, 0);
}

static void *take_turns(void *arg)
{
	int i, value, me = (int)(long)arg;

	for (i = 0; i < count * 2; i++) {
		while ((value = __atomic_load_n(&turn, __ATOMIC_ACQUIRE)) % 4 != me)
			futex(&turn, FUTEX_WAIT, value);
		__atomic_add_fetch(&turn, 1, __ATOMIC_RELEASE);
		futex(&turn, FUTEX_WAKE, 4);
	}
	return NULL;
}

static void threads(void)
{
	pthread_t thread[4];
	long i;

	for (i = 0; i < 4; i++)
		if (pthread_create(&thread[i], NULL, take_turns, (void *)i))
			die("thread");
	for (i = 0; i < 4; i++)
		pthread_join(thread[i], NULL);
}

static void set_policy(int policy, int priority)
{
	struct sched_param param = { .sched_priority = priority };

	if (sched_setscheduler(0, policy, &param))
		die("sched_setscheduler");
}

/* CFS burners that a SCHED_FIFO one, awake for short times, preempts: so often */
static void burners(int bursts)
{
	volatile int spin;
	pid_t pid[3];
	int i, status;

	for (i = 0; i < 3; i++) {
		pid[i] = fork();
		if (pid[i] < 0)
			die("fork");
		if (pid[i])
			continue;
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		if (i == 0)
			set_policy(SCHED_BATCH, 0);
		for (;;)
			;
	}
	set_policy(SCHED_FIFO, 10);
	for (i = 0; i < bursts; i++) {
		doze(500);
		for (spin = 0; spin < SPINS; spin++)
			;
	}
	for (i = 0; i < 3; i++) {
		kill(pid[i], SIGKILL);
		waitpid(pid[i], &status, 0);
	}
}

static void yields(void)
{
	int i, p;

	for (p = 0; p < 3; p++) {
		if (fork())
			continue;
		for (i = 0; i < count * 4; i++)
			sched_yield();
		_exit(0);
	}
}

static void sleeps(void)
{
	int i;

	for (i = 0; i < count; i++)
		doze(50 + i % 100);
}

/* Stopped by a signal, and by a tracer */
static void stops(void)
{
	int i, status;
	pid_t pid = fork();

	if (!pid)
		for (;;)
			raise(SIGSTOP);
	for (i = 0; i < count / 8; i++) {
		if (waitpid(pid, &status, WUNTRACED) != pid || !WIFSTOPPED(status))
			die("stop");
		kill(pid, SIGCONT);
	}
	kill(pid, SIGKILL);
	waitpid(pid, &status, 0);

	pid = fork();
	if (!pid) {
		ptrace(PTRACE_TRACEME, 0, NULL, NULL);
		for (;;)
			raise(SIGUSR1);
	}
	for (i = 0; i < count / 8; i++) {
		if (waitpid(pid, &status, 0) != pid || !WIFSTOPPED(status))
			die("trace");
		ptrace(PTRACE_CONT, pid, NULL, NULL);
	}
	kill(pid, SIGKILL);
	waitpid(pid, &status, 0);
}

static void ignore(int signal)
{
	(void)signal;
}

/*
 * A timer's signal that comes between the decision to sleep and the switch
 * keeps the sleeper runnable: the rare case of a state that is no sleep.
 */
static void signals(void)
{
	const struct itimerval often = { { 0, 200 }, { 0, 200 } }, never = { { 0, 0 }, { 0, 0 } };
	struct sigaction action = { .sa_handler = ignore };
	int i;

	sigaction(SIGALRM, &action, NULL);
	setitimer(ITIMER_REAL, &often, NULL);
	for (i = 0; i < count * 2; i++)
		doze(20);
	setitimer(ITIMER_REAL, &never, NULL);
}

int main(int argc, char **argv)
{
	void (*const parts[])(void) = {
		groups, ping_pong, processes, threads, yields, sleeps, stops, signals,
	};
	double start = now();
	int status, bad = 0;
	size_t i;

	if (argc < 2) {
		fprintf(stderr, "load COUNT [BURSTS of burning]\n");
		return 2;
	}
	if (!strcmp(argv[1], "nothing"))
		return 0;
	count = atoi(argv[1]);
	for (i = 0; i < sizeof(parts) / sizeof(parts[0]); i++) {
		if (fork())
			continue;
		parts[i]();
		while (wait(&status) > 0)
			bad |= status;
		_exit(!!bad);
	}
	if (!fork()) {
		burners(argc > 2 ? atoi(argv[2]) : BURSTS);
		_exit(0);
	}
	while (wait(&status) > 0)
		bad |= status;
	printf("load: %s after %.1f s\n", bad ? "failed" : "done", now() - start);
	return !!bad;
}
