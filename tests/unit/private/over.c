// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* What comes over control calls of a private session: signals, exit(), a child of vfork(). */
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>
#include "one.h"

/* In memory that a child shares with us: what it found */
static struct found {
	ULONG error;
	ULONG lost;
	uint32_t signals;
	uint32_t written;
} *found;

/* Return: what waitpid() says of a child that does it; SIGALRM: it hung */
static int run(void (*program)(void))
{
	int status = -1;
	pid_t child;

	memset(found, 0, sizeof(*found));
	child = fork();
	if (!child) {
		program();
		_exit(0);
	}
	waitpid(child, &status, 0);
	return status;
}

static ULONG write_one(uint8_t type)
{
	static __thread struct event mine;

	event_fill(&mine, type, 8);
	return TraceEvent(handle, &mine.header);
}

static void log_signal(int number)
{
	(void)number;
	found->signals++;
	/* another one than the thread may be writing */
	event_fill(&event, 2, 8);
	found->written += !send(&event.header);
}

static ULONG control(ULONG code)
{
	struct session asked;

	session_clear(&asked, "");
	return session_control(&asked, handle, code);
}

/* Each finds the thread in the middle of something, sooner or later in FLUSH */
static void flush_under_signals(void)
{
	struct itimerval often = { { 0, 60 }, { 0, 60 } }, never = { };
	struct sigaction action = { .sa_handler = log_signal };
	int i;

	alarm(120);
	start("signals", 0, 0, 0);
	sigaction(SIGVTALRM, &action, NULL);
	sigaction(SIGPROF, &action, NULL);
	setitimer(ITIMER_PROF, &often, NULL);
	for (i = 0; i < 3000 || found->signals < 200; i++) {
		found->written += !write_one(1);
		found->error |= control(i % 2 ? EVENT_TRACE_CONTROL_FLUSH :
						EVENT_TRACE_CONTROL_QUERY);
	}
	setitimer(ITIMER_PROF, &never, NULL);
	found->error |= control(EVENT_TRACE_CONTROL_STOP);
}

static void count_ours(void *context, const uint8_t *record, uint32_t size, uint32_t processor)
{
	(void)processor;
	*(uint32_t *)context += is_ours(record, size);
}

static void test_signals(void)
{
	struct file file = { };
	uint32_t count = 0;
	int status = run(flush_under_signals);

	check("a handler over FLUSH writes events: no call waits for ever", !status);
	check_code("FLUSH and QUERY under signals", found->error, 0);
	check("the file has every event, the handler's too", found->signals >= 200 &&
	      file_load(&file, file_of("signals")) && file_walk(&file, count_ours, &count) &&
	      count == found->written);
	free(file.bytes);
}

/* The file may not grow any more, and a program that tries is sent SIGXFSZ */
static void fill_the_disk(const char *name)
{
	struct rlimit none = { };

	alarm(120);
	start(name, 0, 0, 0);
	write_one(1);
	getrlimit(RLIMIT_FSIZE, &none);
	none.rlim_cur = 0;
	setrlimit(RLIMIT_FSIZE, &none);
}

static void stop_on_full_disk(void)
{
	struct session asked;

	fill_the_disk("full");
	session_clear(&asked, "");
	found->error = session_control(&asked, handle, EVENT_TRACE_CONTROL_STOP);
	found->lost = asked.fixed.EventsLost;
}

static void flush_on_full_disk(void)
{
	fill_the_disk("full");
	found->error = control(EVENT_TRACE_CONTROL_FLUSH);
}

static void exit_on_full_disk(void)
{
	fill_the_disk("full");
	exit(0);
}

/* What waited for the program before is its own. */
static void stop_with_own_signal(void)
{
	sigset_t set;

	sigemptyset(&set);
	sigaddset(&set, SIGXFSZ);
	fill_the_disk("full");
	pthread_sigmask(SIG_BLOCK, &set, NULL);
	raise(SIGXFSZ);
	found->error = control(EVENT_TRACE_CONTROL_STOP);
	sigpending(&set);
	found->signals = sigismember(&set, SIGXFSZ);
}

static void test_full_disk(void)
{
	check("STOP on a full disk: the program lives", !run(stop_on_full_disk));
	check_code("STOP reports the full disk", found->error, ERROR_DISK_FULL);
	check("and what was lost, too", found->lost == 1);
	check("FLUSH on a full disk: the program lives", !run(flush_on_full_disk));
	check_code("FLUSH reports the full disk", found->error, ERROR_DISK_FULL);
	check("exit() on a full disk has its own status", !run(exit_on_full_disk));
	check("STOP with a SIGXFSZ of the program's", !run(stop_with_own_signal));
	check("that waits for it still", found->signals == 1);
	unlink(file_of("full"));
}

static void *stop_now(void *argument)
{
	(void)argument;
	control(EVENT_TRACE_CONTROL_STOP);
	return NULL;
}

static useconds_t later;

static void exit_over_stop(void)
{
	pthread_t thread;
	int i;

	alarm(120);
	start("raced", 0, 16, 0);
	for (i = 0; i < 20; i++)
		write_one(1);
	pthread_create(&thread, NULL, stop_now, NULL);
	usleep(later);
	exit(0);
}

static void test_exit(void)
{
	struct file file = { };
	int round, closed = 0, count;

	for (round = 0; round < 300; round++) {
		unlink(file_of("raced"));
		later = round % 60 * 5;
		run(exit_over_stop);
		count = 0;
		closed += file_load(&file, file_of("raced")) &&
			  file_walk(&file, count_ours, &count) && count == 20 &&
			  take_bytes(file.bytes + 0x78, 8);
		free(file.bytes);
	}
	check("exit() while another thread stops: each file is closed", closed == round);
}

/* Its parent waits, and has the same memory */
static volatile ULONG of_child;

static __attribute__((noinline)) void log_in_child(uint8_t type)
{
	pid_t child = vfork();

	if (!child) {
		of_child = write_one(type);
		_exit(0);
	}
	waitpid(child, NULL, 0);
}

static uint32_t tid_of[2];

static void *log_after_child(void *argument)
{
	(void)argument;
	tid_of[0] = gettid();
	log_in_child(10);
	check_code("a child of vfork() writes its thread's first event", of_child,
		   ERROR_INVALID_HANDLE);
	write_one(11);
	log_in_child(12);
	check_code("a later one", of_child, 0);
	/* the library has looked which sessions are gone */
	usleep(2500000);
	return NULL;
}

static void *log_other(void *argument)
{
	(void)argument;
	tid_of[1] = gettid();
	write_one(13);
	return NULL;
}

static void test_vfork(void)
{
	struct records *records;
	pthread_t thread, other;
	uint32_t i, good = 0;

	start("vforked", 0, 0, 0);
	pthread_create(&thread, NULL, log_after_child, NULL);
	usleep(1800000);
	pthread_create(&other, NULL, log_other, NULL);
	pthread_join(other, NULL);
	pthread_join(thread, NULL);
	stop();
	records = read_records();
	for (i = 0; i < records->count; i++)
		good += take_bytes(records->record[i] + 8, 4) ==
			tid_of[records->record[i][4] == 13];
	check("after that each event has its thread's id", records->count == 3 && good == 3);
	free(records->file.bytes);
}

int main(int argc, char **argv)
{
	if (argc != 2)
		return 2;
	directory = argv[1];
	found = mmap(NULL, sizeof(*found), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS,
		     -1, 0);
	test_signals();
	test_full_disk();
	test_exit();
	test_vfork();
	return 0;
}
