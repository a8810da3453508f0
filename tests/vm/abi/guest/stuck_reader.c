// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* A reader with memory that never comes: no controller of its session waits for it. */
#define _GNU_SOURCE
#include <linux/userfaultfd.h>
#include <pthread.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include "tests/lib/guest/sessions.h"
#include "etw_hooks.h"

#define SIZE	4096UL	/* of buffers, and of a page */
#define PAGES	8UL
/* A call that is not back by then never will be: there is nothing to do that takes time. */
#define FOR_EVER	60

static int control, faults = -1;
static char *memory;	/* its first page comes when we say so */

/**
 * struct reader - a thread that reads into @memory
 * @thread: it
 * @fd: from where
 * @n: what came of it
 */
struct reader {
	pthread_t thread;
	int fd;
	ssize_t n;
};

static void *read_thread(void *arg)
{
	struct reader *reader = arg;

	reader->n = read(reader->fd, memory, PAGES * SIZE);
	return NULL;
}

static void watch_memory(void)
{
	struct uffdio_api api = { .api = UFFD_API };
	struct uffdio_register range = { .mode = UFFDIO_REGISTER_MODE_MISSING };

	memory = mmap(NULL, PAGES * SIZE, PROT_READ | PROT_WRITE,
		      MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	faults = syscall(SYS_userfaultfd, O_CLOEXEC);
	range.range = (struct uffdio_range){ (unsigned long)memory, SIZE };
	if (memory == MAP_FAILED || faults < 0 || ioctl(faults, UFFDIO_API, &api) ||
	    ioctl(faults, UFFDIO_REGISTER, &range))
		die("userfaultfd");
}

/* On return the reader is in the middle of a read() that can't go on. */
static void get_stuck(struct reader *reader, int fd)
{
	struct uffd_msg message;

	if (madvise(memory, PAGES * SIZE, MADV_DONTNEED))
		die("madvise");
	reader->fd = fd;
	if (pthread_create(&reader->thread, NULL, read_thread, reader))
		die("thread");
	if (read(faults, &message, sizeof(message)) != sizeof(message))
		die("read of a fault");
}

static void answer(struct reader *reader)
{
	struct uffdio_zeropage page = { .range = { (unsigned long)memory, SIZE } };

	if (ioctl(faults, UFFDIO_ZEROPAGE, &page))
		die("UFFDIO_ZEROPAGE");
	pthread_join(reader->thread, NULL);
}

static __u32 begin(int fd, __u32 flags)
{
	const struct wish wish = {
		.name = "unanswered", .kb = SIZE / 1024, .buffers = 64,
		.flags = EVENT_TRACE_FLAG_CSWITCH, .start = flags | ETW_START_NO_RUNDOWN,
	};
	__u32 id;

	if (start_session(fd, &wish, &id))
		die("START");
	return id;
}

/* Its header is read; as many buffers as are read at once wait. */
static int open_filled(__u32 id)
{
	struct etw_statistics s;
	char header[SIZE];
	int fd = open_node(id, 0);

	if (fd < 0 || read(fd, header, SIZE) != SIZE)
		die("the stream");
	do {
		usleep(1000);	/* which switches */
		if (session_statistics(control, id, &s))
			die("STATISTICS");
	} while (s.buffers_waiting < PAGES);
	return fd;
}

static int wait_for(int pid)
{
	int status, tenths;

	for (tenths = 0; tenths < 10 * FOR_EVER; tenths++) {
		if (waitpid(pid, &status, WNOHANG) == pid)
			return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
		usleep(100000);
	}
	return -1;
}

/* In a process of its own: it may hang. */
static int flush(__u32 id)
{
	return on_session(control, ETW_IOC_FLUSH, id, 0);
}

static int stop(__u32 id)
{
	return on_session(control, ETW_IOC_STOP, id, 0);
}

static int discard(__u32 id)
{
	return discard_session(control, id);
}

static int open_again(__u32 id)
{
	return open_node(id, 0) < 0 ? errno : 0;
}

static void must_return(const char *name, int (*what)(__u32), __u32 id, int due)
{
	int pid = fork(), got;

	if (pid < 0)
		die("fork");
	if (!pid)
		_exit(what(id));
	got = wait_for(pid);
	result(got == due, "%s does not wait for a reader that is stuck in its memory # %d", name,
	       got);
}

static void test_control(void)
{
	struct reader reader;
	__u32 id = begin(control, 0);
	int fd = open_filled(id);

	get_stuck(&reader, fd);
	must_return("FLUSH", flush, id, 0);
	must_return("a second open()", open_again, id, EBUSY);
	must_return("STOP", stop, id, 0);
	must_return("STOP|DISCARD", discard, id, 0);
	result(!list_sessions(control), "the session is gone, its reader is still stuck");
	answer(&reader);
	result(reader.n == SIZE && ((struct wmi_buffer_header *)memory)->buffer_size == SIZE,
	       "it gets the buffer that it held # %zd bytes", reader.n);
	result(!read(fd, memory, SIZE), "and then the end of the stream");
	close(fd);
}

static void test_tied(void)
{
	struct reader reader;
	int ready[2], go[2], pid, fd, got;
	char byte = 0;
	__u32 id;

	if (pipe(ready) || pipe(go))
		die("pipe");
	pid = fork();
	if (!pid) {
		id = begin(open_control(), ETW_START_TIED);
		if (write(ready[1], &id, sizeof(id)) != sizeof(id) || read(go[0], &byte, 1) != 1)
			_exit(1);
		_exit(0);	/* closes what the session is tied to */
	}
	if (read(ready[0], &id, sizeof(id)) != sizeof(id))
		die("START of another");
	fd = open_filled(id);
	get_stuck(&reader, fd);
	if (write(go[1], &byte, 1) != 1)
		die("pipe");
	got = wait_for(pid);
	result(!got,
	       "a process that tied a session to a file ends, though its reader is stuck # %d", got);
	answer(&reader);
	close(fd);
	result(!list_sessions(control), "the tied session goes with its reader");
}

static void on_signal(int signal)
{
	(void)signal;
}

/* One buffer after the other is there: a signal ends the read() after this one. */
static void test_signal(void)
{
	struct sigaction action = { .sa_handler = on_signal };
	struct reader reader;
	__u32 id = begin(control, 0);
	int fd = open_filled(id);

	sigaction(SIGUSR1, &action, NULL);
	get_stuck(&reader, fd);
	pthread_kill(reader.thread, SIGUSR1);
	answer(&reader);
	result(reader.n == SIZE,
	       "a signal ends a long read() between two buffers # %zd of %lu bytes",
	       reader.n, PAGES * SIZE);
	if (discard(id))
		die("STOP");
	close(fd);
}

int main(void)
{
	control = open_control();
	watch_memory();
	test_signal();
	test_control();
	test_tied();
	return !!failures;
}
