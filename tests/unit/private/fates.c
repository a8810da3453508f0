// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* What becomes of the file, and of a child, when a program forks or ends. */
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
#include "private.h"

/*
 * fates DIRECTORY: all of it, in children; each leaves its file there.
 */
static char path[512];
static TRACEHANDLE handle;
static struct session session;

static const char *file_of(const char *directory, const char *name)
{
	snprintf(path, sizeof(path), "%s/%s.etl", directory, name);
	return path;
}

static void start(const char *file)
{
	session_clear(&session, file);
	session.fixed.LogFileMode |= EVENT_TRACE_USE_MS_FLUSH_TIMER;
	session.fixed.FlushTimer = 5;
	session.fixed.BufferSize = 16;
	session.fixed.MinimumBuffers = 8;
	if (session_start(&session, &handle))
		_exit(9);
}

static ULONG write_event(uint32_t number)
{
	static __thread struct event event;

	event_fill(&event, 1, sizeof(number));
	memcpy(event.data, &number, sizeof(number));
	return TraceEvent(handle, &event.header);
}

static void write_events(uint32_t count)
{
	uint32_t i;

	for (i = 0; i < count; i++)
		if (write_event(i))
			_exit(8);
}

static void count_one(void *context, const uint8_t *record, uint32_t size, uint32_t processor)
{
	(void)processor;
	if (is_ours(record, size))
		++*(uint64_t *)context;
}

/* Return: events in the file; -1: it is not whole */
static int64_t events_in(const char *name)
{
	struct file file = { };
	uint64_t count = 0;
	bool whole;

	if (!file_load(&file, name))
		return -1;
	whole = file_walk(&file, count_one, &count);
	free(file.bytes);
	return whole ? (int64_t)count : -1;
}

static bool is_closed(const char *name)
{
	struct file file = { };
	bool closed;

	if (!file_load(&file, name) || file.size < 0x1000)
		return false;
	closed = take_bytes(file.bytes + 0x78, 8) && take_bytes(file.bytes + 0x8C, 4);
	free(file.bytes);
	return closed;
}

/* Return: what waitpid() says of a child that does @live */
static int child_of(void (*live)(const char *file), const char *file)
{
	int status = -1;
	pid_t pid = fork();

	if (!pid) {
		live(file);
		_exit(7);
	}
	waitpid(pid, &status, 0);
	return status;
}

static void pause_ms(long ms)
{
	struct timespec length = { .tv_sec = ms / 1000, .tv_nsec = ms % 1000 * 1000000 };

	while (nanosleep(&length, &length) && errno == EINTR)
		;
}

static atomic_bool go_on = true;

static void *write_on(void *argument)
{
	uint32_t number = 0;

	(void)argument;
	while (go_on && write_event(1) != ERROR_INVALID_HANDLE)
		if (++number % 64 == 0)
			usleep(100);
	return NULL;
}

static void live_and_exit(const char *file)
{
	pthread_t thread;

	start(file);
	write_events(1000);
	/* others write on while the program ends */
	pthread_create(&thread, NULL, write_on, NULL);
	pause_ms(20);
	exit(0);
}

static void live_and_leave(const char *file)
{
	start(file);
	write_events(1000);
	pause_ms(100);
	write_events(10);
	_exit(0);
}

static void live_and_abort(const char *file)
{
	struct sigaction ignored = { .sa_handler = SIG_DFL };

	sigaction(SIGABRT, &ignored, NULL);
	start(file);
	write_events(1000);
	pause_ms(100);
	abort();
}

static void live_and_fault(const char *file)
{
	volatile int *volatile bad = (int *)8;

	start(file);
	write_events(1000);
	pause_ms(100);
	*bad = 1;
}

static void live_and_exec(const char *file)
{
	start(file);
	write_events(1000);
	pause_ms(100);
	execl("/bin/true", "true", NULL);
}

static void add_loss(void *context, const uint8_t *record, uint32_t size, uint32_t processor)
{
	(void)processor;
	if (is_loss(record, size))
		*(uint64_t *)context += take_bytes(record + 0x50 + 8, 8);
}

/* Return: events that the file's loss records count; 0 also for a file that is not whole */
static uint64_t losses_in(const char *name)
{
	struct file file = { };
	uint64_t count = 0;

	if (!file_load(&file, name))
		return 0;
	if (!file_walk(&file, add_loss, &count))
		count = 0;
	free(file.bytes);
	return count;
}

/*
 * Large events into two buffers, until one of them finds no room. These buffers are so large that
 * the timer's own records fill none within the time that this waits.
 */
static void lose_one_and_die(const char *file)
{
	static struct event event;
	int tries = 1000;

	session_clear(&session, file);
	session.fixed.LogFileMode |= EVENT_TRACE_USE_MS_FLUSH_TIMER;
	session.fixed.FlushTimer = 5;
	session.fixed.BufferSize = 1024;
	session.fixed.MinimumBuffers = 2;
	session.fixed.MaximumBuffers = 2;
	if (session_start(&session, &handle))
		_exit(9);
	event_fill(&event, 1, 0xFE00);
	while (!TraceEvent(handle, &event.header))
		;
	while (!losses_in(file) && --tries)
		pause_ms(10);
	raise(SIGKILL);
}

static void live_for_ever(const char *file, int ready)
{
	pthread_t thread[3];
	int i;

	start(file);
	if (write(ready, "", 1) != 1)
		_exit(6);
	for (i = 0; i < 3; i++)
		pthread_create(&thread[i], NULL, write_on, NULL);
	pthread_join(thread[0], NULL);
}

static void test_ends(const char *directory)
{
	const char *file = file_of(directory, "exit");
	int status = child_of(live_and_exit, file);

	check("exit() ends the program while others write", status == 0);
	check("exit: the file is closed and has all that was flushed by the end",
	      is_closed(file) && events_in(file) >= 1000);

	file = file_of(directory, "_exit");
	status = child_of(live_and_leave, file);
	check("_exit: the file is unclosed, whole, and has what the timer flushed",
	      !status && !is_closed(file) && events_in(file) >= 1000);

	file = file_of(directory, "abort");
	status = child_of(live_and_abort, file);
	check("abort: the signal is SIGABRT", WIFSIGNALED(status) && WTERMSIG(status) == SIGABRT);
	check("abort: the file is unclosed, whole, and has what the timer flushed",
	      !is_closed(file) && events_in(file) == 1000);

	file = file_of(directory, "fault");
	status = child_of(live_and_fault, file);
	check("a fault of the program's own ends it as it would have",
	      WIFSIGNALED(status) && WTERMSIG(status) == SIGSEGV);
	check("fault: the file is unclosed, whole, and has what the timer flushed",
	      !is_closed(file) && events_in(file) == 1000);

	file = file_of(directory, "exec");
	status = child_of(live_and_exec, file);
	check("exec: the file is unclosed, whole, and has what the timer flushed",
	      !status && !is_closed(file) && events_in(file) == 1000);
}

/* Half a buffer at the end is what the kernel had written when the signal came. */
static bool is_whole_but_for_the_end(const char *name)
{
	struct file file = { };
	uint64_t count = 0, size;
	bool good;

	if (!file_load(&file, name))
		return false;
	size = file.size;
	file.size -= file.size % 0x4000;
	if (file.size != size)
		printf("# the last buffer was being written\n");
	good = file.size && file_walk(&file, count_one, &count);
	if (!good)
		printf("# %llu bytes, %llu events\n", (unsigned long long)size,
		       (unsigned long long)count);
	free(file.bytes);
	return good;
}

static void test_kill_after_loss(const char *directory)
{
	const char *file = file_of(directory, "lost");
	int status = child_of(lose_one_and_die, file);

	check("killed after a loss: the flush timer has written the loss record",
	      WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL && losses_in(file) == 1);
}

static void test_kill(const char *directory)
{
	const char *file = file_of(directory, "kill");
	int i, status, ready[2];
	bool good = !pipe(ready);
	char byte;
	pid_t pid;

	for (i = 0; i < 10; i++) {
		pid = fork();
		if (!pid)
			live_for_ever(file, ready[1]);
		good &= read(ready[0], &byte, 1) == 1;
		pause_ms(20 + i);
		kill(pid, SIGKILL);
		waitpid(pid, &status, 0);
		good &= is_whole_but_for_the_end(file) && !is_closed(file);
	}
	check("SIGKILL: the file is unclosed and whole up to the last buffer", good);
}

/* In the child: there is no logger, but there may be one */
static int child_checks(const char *directory)
{
	struct session own;
	TRACEHANDLE other;

	if (write_event(7) != ERROR_INVALID_HANDLE)
		return 1;
	if (session_control(&session, handle, EVENT_TRACE_CONTROL_QUERY) != ERROR_INVALID_HANDLE)
		return 2;
	if (session_control(&session, handle, EVENT_TRACE_CONTROL_STOP) != ERROR_INVALID_HANDLE)
		return 3;
	session_clear(&own, file_of(directory, "child"));
	if (session_start(&own, &other))
		return 4;
	if (other == handle || write_event(7) != ERROR_INVALID_HANDLE)
		return 5;
	handle = other;
	if (write_event(7) || session_control(&own, other, EVENT_TRACE_CONTROL_STOP))
		return 6;
	return events_in(path) == 1 ? 0 : 7;
}

static void test_fork(const char *directory)
{
	char file[512];
	int status = -1, rounds;
	pthread_t thread;
	pid_t pid;

	snprintf(file, sizeof(file), "%s/fork.etl", directory);
	start(file);
	write_events(500);
	pid = fork();
	if (!pid)
		_exit(child_checks(directory));
	write_events(500);
	waitpid(pid, &status, 0);
	if (status)
		printf("# the child's status is 0x%x\n", status);
	check("fork: the child has no logger, and may start one", !status);
	pid = syscall(SYS_clone, SIGCHLD, 0, 0, 0, 0);
	if (!pid)
		_exit(write_event(7) == ERROR_INVALID_HANDLE ? 0 : 1);
	waitpid(pid, &status, 0);
	check("clone() behind the library's back: the child has no logger", !status);
	pid = fork();
	if (!pid)
		exit(0);
	waitpid(pid, &status, 0);
	write_events(500);
	check_code("the parent's goes on", session_control(&session, handle,
							  EVENT_TRACE_CONTROL_STOP), 0);
	check("fork: the parent's file has the parent's events", events_in(file) == 1500);

	start(file);
	pthread_create(&thread, NULL, write_on, NULL);
	for (status = 0, rounds = 50; !status && rounds; rounds--) {
		pid = fork();
		if (!pid)
			_exit(write_event(7) != ERROR_INVALID_HANDLE);
		waitpid(pid, &status, 0);
	}
	check("fork while another thread writes", !status);
	go_on = false;
	pthread_join(thread, NULL);
	go_on = true;
	session_control(&session, handle, EVENT_TRACE_CONTROL_STOP);
	check("fork while another thread writes: the file is whole", events_in(file) > 0);
}

static pid_t parent;
static atomic_int forks, bad_forks;
static volatile bool in_child;
static volatile int last_status;

/* Over an event, as a rule: the child returns into it */
static void fork_here(int number)
{
	int saved = errno, status = 0;
	pid_t pid;

	(void)number;
	if (getpid() != parent)
		return;
	pid = fork();
	if (!pid) {
		in_child = true;
		return;
	}
	waitpid(pid, &status, 0);
	forks++;
	bad_forks += !!status;
	last_status = status ? status : last_status;
	errno = saved;
}

static void test_fork_over_event(const char *directory)
{
	struct itimerval soon = { };
	struct sigaction action = { .sa_handler = fork_here, .sa_flags = SA_RESTART };
	uint64_t written = 0;
	char file[512];
	ULONG error;
	int seen = -1;

	snprintf(file, sizeof(file), "%s/over.etl", directory);
	start(file);
	parent = getpid();
	sigaction(SIGALRM, &action, NULL);
	while (forks < 60) {
		/* one at a time: it shall come back to where it was */
		if (seen != forks) {
			seen = forks;
			soon.it_value.tv_usec = 50 + seen * 7 % 100;
			setitimer(ITIMER_REAL, &soon, NULL);
		}
		error = write_event(written);
		if (in_child)
			_exit(write_event(7) != ERROR_INVALID_HANDLE);
		written += !error;
	}
	session_control(&session, handle, EVENT_TRACE_CONTROL_STOP);
	if (bad_forks)
		printf("# %d of %d: 0x%x\n", bad_forks, forks, last_status);
	check("a handler over an event forks: the child goes on, and has no logger", !bad_forks);
	check("a handler over an event forks: the parent's file has the parent's events",
	      events_in(file) == (int64_t)written);
}

/*
 * The first event of a session makes the thread's ring, which takes longer than
 * all that follows: whatever the child was doing, it comes out of it.
 */
static void test_fork_over_first_event(const char *directory)
{
	struct itimerval soon = { };
	int round, good = 0;
	char file[512];

	snprintf(file, sizeof(file), "%s/first.etl", directory);
	bad_forks = 0;
	for (round = 0; round < 60; round++) {
		int before = forks;
		ULONG error;

		unlink(file);
		start(file);
		soon.it_value.tv_usec = 1 + 3 * round;
		setitimer(ITIMER_REAL, &soon, NULL);
		error = write_event(round);
		if (in_child)
			_exit(write_event(7) != ERROR_INVALID_HANDLE);
		/* late, it comes over nothing */
		while (forks == before && !in_child)
			pause_ms(1);
		if (in_child)
			_exit(0);
		session_control(&session, handle, EVENT_TRACE_CONTROL_STOP);
		good += !error && events_in(file) == 1;
	}
	if (bad_forks)
		printf("# %d of %d: 0x%x\n", bad_forks, round, last_status);
	check("a handler over the first event forks: the child goes on", !bad_forks);
	check("a handler over the first event forks: the parent's files have it", good == round);
}

int main(int argc, char **argv)
{
	if (argc != 2)
		return 2;
	test_ends(argv[1]);
	test_kill(argv[1]);
	test_kill_after_loss(argv[1]);
	test_fork(argv[1]);
	test_fork_over_event(argv[1]);
	test_fork_over_first_event(argv[1]);
	return 0;
}
