// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* Processes that begin and end in known ways, and a line about each of them. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <linux/io_uring.h>
#include <linux/ioprio.h>
#include <pthread.h>
#include <sched.h>
#include <semaphore.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/sendfile.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define SHORT32	"/w/short32"

/* Where no TLS is; said by tests/lib/etwtest/processes.py, too */
#define OWN_TLS	0x123456789000

#ifndef HWCAP2_FSGSBASE
#define HWCAP2_FSGSBASE	2
#endif

/* Threads that are as they are to be seen */
static sem_t ready;

static void *named(void *arg)
{
	prctl(PR_SET_NAME, arg);
	sem_post(&ready);
	for (;;)
		pause();
	return NULL;
}

static void start_threads(int n)
{
	static char names[8][16];
	pthread_t thread;
	int i;

	for (i = 0; i < n; i++) {
		snprintf(names[i], sizeof(names[i]), "worker %d", i);
		pthread_create(&thread, NULL, named, names[i]);
	}
	while (i--)
		sem_wait(&ready);
}

static int stay(void)
{
	start_threads(3);
	printf("ready");
	fflush(stdout);
	for (;;)
		pause();
	return 0;
}

/* The first thread ends, the process stays. */
static int headless(void)
{
	start_threads(1);
	printf("ready");
	fflush(stdout);
	pthread_exit(NULL);
}

/* A program with a file in no file system: a copy of this one, which stays */
static int memory(void)
{
	static char *argv[] = { "fates", "stay", "from memory", NULL };
	int from = open("/proc/self/exe", O_RDONLY), to = memfd_create("in no file system", 0);
	struct stat st;

	if (from < 0 || to < 0 || fstat(from, &st) ||
	    sendfile(to, from, NULL, st.st_size) != st.st_size)
		perror("fates memory");
	else
		fexecve(to, argv, environ);
	printf("lacks");
	return 1;
}

static unsigned long long now(void)
{
	struct timespec at;

	clock_gettime(CLOCK_REALTIME, &at);
	return at.tv_sec * 1000000000ULL + at.tv_nsec;
}

/* line: pid, and when it had not begun and when it had ended */
static int zombie(void)
{
	unsigned long long before = now();
	pid_t pid = fork();
	siginfo_t info;

	if (!pid)
		_exit(7);
	waitid(P_PID, pid, &info, WEXITED | WNOWAIT);
	printf("%d %llu %llu\n", pid, before, now());
	fflush(stdout);
	for (;;)
		pause();
	return 0;
}

static void *set_thread(void *arg)
{
	struct sched_param param = { .sched_priority = 10 };

	syscall(SYS_ioprio_set, IOPRIO_WHO_PROCESS, 0,
		IOPRIO_PRIO_VALUE(IOPRIO_CLASS_BE, 7));
	if (sched_setscheduler(0, SCHED_FIFO, &param))
		perror("fates set: FIFO");
	return named(arg);
}

/* What others leave as it is: audit session, nice value, ioprio, affinity, user ids */
static int set(void)
{
	int login = open("/proc/self/loginuid", O_WRONLY);
	pthread_t thread;
	cpu_set_t cpus;

	if (login >= 0 && write(login, "0", 1) != 1)
		perror("fates set: loginuid");
	CPU_ZERO(&cpus);
	CPU_SET(0, &cpus);
	if (sched_setaffinity(0, sizeof(cpus), &cpus) || setpriority(PRIO_PROCESS, 0, 5))
		perror("fates set");
	syscall(SYS_ioprio_set, IOPRIO_WHO_PROCESS, 0, IOPRIO_PRIO_VALUE(IOPRIO_CLASS_IDLE, 0));
	pthread_create(&thread, NULL, set_thread, "set");
	sem_wait(&ready);
	if (setresuid(1000, 2000, 0))
		perror("fates set: setresuid");
	printf("ready");
	fflush(stdout);
	for (;;)
		pause();
	return 0;
}

/* The kernel makes a worker in this process, for what is not to be done at once: nothing. */
static void have_a_worker(void)
{
	struct io_uring_params params = { };
	int ring = syscall(SYS_io_uring_setup, 1, &params);
	unsigned char *queue = MAP_FAILED;
	struct io_uring_sqe *entry = MAP_FAILED;

	if (ring >= 0) {
		queue = mmap(NULL, params.sq_off.array + sizeof(int), PROT_READ | PROT_WRITE,
			     MAP_SHARED, ring, IORING_OFF_SQ_RING);
		entry = mmap(NULL, sizeof(*entry), PROT_READ | PROT_WRITE, MAP_SHARED, ring,
			     IORING_OFF_SQES);
	}
	if (queue == MAP_FAILED || entry == MAP_FAILED) {
		printf("lacks io_uring\n");
		fflush(stdout);
		return;
	}
	entry->opcode = IORING_OP_NOP;
	entry->flags = IOSQE_ASYNC;
	*(unsigned int *)(queue + params.sq_off.array) = 0;
	__atomic_store_n((unsigned int *)(queue + params.sq_off.tail), 1, __ATOMIC_RELEASE);
	if (syscall(SYS_io_uring_enter, ring, 1, 1, IORING_ENTER_GETEVENTS, NULL, 0) != 1)
		perror("io_uring_enter");
}

/* Ends with a TLS that no call passed to the kernel; no function may look for it any more. */
static void set_own_tls(void)
{
#if defined(__x86_64__)
	if (getauxval(AT_HWCAP2) & HWCAP2_FSGSBASE)
		__asm__ volatile("wrfsbase %0\n\tsyscall" : :
				 "r" (OWN_TLS), "a" (SYS_exit_group), "D" (0) : "memory");
#elif defined(__aarch64__)
	register long number __asm__("x8") = SYS_exit_group;
	register long status __asm__("x0") = 0;

	__asm__ volatile("msr tpidr_el0, %0\n\tsvc 0" : :
			 "r" (OWN_TLS), "r" (number), "r" (status) : "memory");
#endif
	printf("lacks a TLS that programs set\n");
	fflush(stdout);
}

/* What a child does; named by argv[1] of its second program */
static int fate(const char *what)
{
	volatile int *volatile nowhere = (int *)8;

	if (!strcmp(what, "kill"))
		kill(getpid(), SIGKILL);
	if (!strcmp(what, "segv"))
		*nowhere = 1;
	if (!strcmp(what, "abort"))
		abort();
	if (!strcmp(what, "threads"))
		start_threads(2);
	if (!strcmp(what, "io-worker")) {
		start_threads(2);
		have_a_worker();
	}
	if (!strcmp(what, "tls"))
		set_own_tls();
	if (!strcmp(what, "forks") && !fork())
		_exit(0);
	if (!strcmp(what, "forks"))
		wait(NULL);
	if (!strcmp(what, "thread-exits")) {
		/* the leader ends first: the process goes on without it */
		pthread_t thread;

		pthread_create(&thread, NULL, named, "last");
		alarm(1);
		syscall(SYS_exit, 5);
	}
	return atoi(what);
}

/* exec by a thread that isn't the leader: it becomes the leader */
static void *exec_here(void *arg)
{
	prctl(PR_SET_NAME, "about to exec");
	printf("tid %ld\n", syscall(SYS_gettid));
	fflush(stdout);
	execv("/proc/self/exe", arg);
	return NULL;
}

static void become(char **argv, int from_thread)
{
	pthread_t thread;

	if (from_thread) {
		pthread_create(&thread, NULL, exec_here, argv);
		for (;;)
			pause();
	}
	prctl(PR_SET_NAME, "about to exec");
	execv("/proc/self/exe", argv);
}

/* A program of 32 bits, which becomes this one */
static void become_32(const char *what)
{
	execl(SHORT32, "short32", "/w/fates", "fate", what, NULL);
}

/* line: kind pid parent status-as-wait-gives-it arguments */
static void run_one(const char *kind, const char *what, const char *more)
{
	char *argv[] = { "fates", "fate", (char *)what, (char *)more, NULL };
	int status;
	pid_t pid;

	fflush(stdout);
	pid = fork();
	if (!pid) {
		if (!strcmp(kind, "fork"))
			_exit(atoi(what));
		if (!strcmp(kind, "exec-32"))
			become_32(what);
		become(argv, !strcmp(kind, "thread-exec"));
		_exit(127);
	}
	waitpid(pid, &status, 0);
	printf("%s %d %d %d %s%s%s\n", kind, pid, getpid(), status, what, more ? " " : "",
	       more ? more : "");
	fflush(stdout);
}

static int run(void)
{
	static char huge[3000];

	memset(huge, 'h', sizeof(huge) - 1);
	run_one("fork", "0", NULL);
	run_one("fork", "3", NULL);
	run_one("exec", "0", NULL);
	run_one("exec", "3", "argument");
	run_one("exec", "255", "two words");
	run_one("exec", "kill", NULL);
	run_one("exec", "segv", NULL);
	run_one("exec", "abort", NULL);
	run_one("exec", "threads", NULL);
	run_one("exec", "thread-exits", NULL);
	run_one("exec", "io-worker", NULL);
	run_one("exec", "tls", NULL);
	run_one("exec", "0", "\xc3\xbc\xd0\xbc\xf0\x9f\x98\x80");
	run_one("exec", "0", huge);
	run_one("exec", "forks", huge);
	run_one("thread-exec", "4", "from a thread");
	if (access(SHORT32, X_OK))
		printf("lacks programs of 32 bits\n");
	else
		run_one("exec-32", "6", NULL);
	return 0;
}

int main(int argc, char **argv)
{
	sem_init(&ready, 0, 0);
	if (argc > 2 && !strcmp(argv[1], "fate"))
		return fate(argv[2]);
	if (argc > 1 && !strcmp(argv[1], "stay"))
		return stay();
	if (argc > 1 && !strcmp(argv[1], "headless"))
		return headless();
	if (argc > 1 && !strcmp(argv[1], "memory"))
		return memory();
	if (argc > 1 && !strcmp(argv[1], "zombie"))
		return zombie();
	if (argc > 1 && !strcmp(argv[1], "set"))
		return set();
	if (argc > 1 && !strcmp(argv[1], "run"))
		return run();
	fprintf(stderr, "fates stay | headless | memory | zombie | set | run\n");
	return 2;
}
