// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* Bad addresses where no session is, while one comes and goes, and over its end. */
#include <errno.h>
#include <fcntl.h>
#include <linux/userfaultfd.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>
#include "one.h"

#define BAD	((void *)16)

static void test_none(const char *when)
{
	EVENT_INSTANCE_HEADER instance = { .Size = sizeof(instance) };
	EVENT_INSTANCE_INFO info = { BAD, 1 };

	printf("# %s\n", when);
	check_code("event at 16, no session", send(BAD), ERROR_INVALID_HANDLE);
	check_code("a message's argument at 16, no session",
		   TraceMessage(handle, 0, NULL, 1, BAD, 3, NULL), ERROR_INVALID_HANDLE);
	check_code("a message's class at 16, no session",
		   TraceMessage(handle, TRACE_MESSAGE_GUID, BAD, 1, NULL), ERROR_INVALID_HANDLE);
	check_code("an instance's event at 16, no session",
		   TraceEventInstance(handle, BAD, &info, NULL), ERROR_INVALID_HANDLE);
	check_code("an instance at 16, no session",
		   TraceEventInstance(handle, &instance, BAD, NULL), ERROR_INVALID_HANDLE);
}

static atomic_bool over;
static atomic_uint strange;

/* The handle of whatever session there is */
static void *write_badly(void *argument)
{
	ULONG error;

	(void)argument;
	while (!over) {
		error = send(BAD);
		strange += error != ERROR_NOACCESS && error != ERROR_INVALID_HANDLE;
	}
	return NULL;
}

static void test_sessions_come_and_go(void)
{
	pthread_t thread;
	int i;

	pthread_create(&thread, NULL, write_badly, NULL);
	for (i = 0; i < 200; i++) {
		session_clear(&session, file_of("often"));
		if (session_start(&session, &handle))
			strange++;
		session_control(&session, handle, EVENT_TRACE_CONTROL_STOP);
	}
	over = true;
	pthread_join(thread, NULL);
	check("a thread with a bad address, while sessions come and go", !strange);
}

static void *write_there(void *event)
{
	return (void *)(uintptr_t)send(event);
}

static void *stop_it(void *argument)
{
	(void)argument;
	return (void *)(uintptr_t)session_control(&session, handle, EVENT_TRACE_CONTROL_STOP);
}

/* A thread that touches the page waits for us. Return: -1 where that can't be had */
static int watch(void *page, size_t size)
{
	struct uffdio_api api = { .api = UFFD_API };
	struct uffdio_register range = {
		.range = { (uintptr_t)page, size }, .mode = UFFDIO_REGISTER_MODE_MISSING,
	};
	/* of one that blocks poll() says POLLERR at once */
	int fd = syscall(SYS_userfaultfd, O_CLOEXEC | O_NONBLOCK | UFFD_USER_MODE_ONLY);

	return fd < 0 || ioctl(fd, UFFDIO_API, &api) || ioctl(fd, UFFDIO_REGISTER, &range) ? -1 : fd;
}

/*
 * A thread stands at an address, the session is stopped, and only then does the address
 * turn out to be bad.
 */
static void test_stop(void)
{
	size_t size = sysconf(_SC_PAGESIZE);
	void *page = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	struct uffdio_range range = { (uintptr_t)page, size };
	int fd = watch(page, size);
	pthread_t thread, stopper;
	struct pollfd arrival = { .fd = fd, .events = POLLIN };
	void *error = NULL, *stopped = NULL;

	if (fd < 0) {
		skip("an address turns bad over the stop # userfaultfd: %s",
		       strerror(errno));
		return;
	}
	start("stop", 0, 0, 0);
	pthread_create(&thread, NULL, write_there, page);
	check("a thread stands at an address", poll(&arrival, 1, 20000) == 1 &&
	      (arrival.revents & POLLIN));
	pthread_create(&stopper, NULL, stop_it, NULL);
	event_fill(&event, 1, 0);
	while (!send(&event.header))
		usleep(100);
	/* a call that would not wait for the thread is through by then */
	usleep(200000);
	mprotect(page, size, PROT_NONE);
	ioctl(fd, UFFDIO_WAKE, &range);
	pthread_join(thread, &error);
	check_code("the address turns bad over the stop", (uintptr_t)error, ERROR_NOACCESS);
	pthread_join(stopper, &stopped);
	check_code("the session stops", (uintptr_t)stopped, 0);
	close(fd);
	munmap(page, size);
}

int main(int argc, char **argv)
{
	struct sigaction now;

	if (argc != 2)
		return 2;
	directory = argv[1];
	handle = 0x01000001;
	test_none("before the first session");
	start("some", 0, 0, 0);
	stop();
	test_none("after the last one");
	test_sessions_come_and_go();
	test_stop();
	sigaction(SIGSEGV, NULL, &now);
	check("no handler of faults is left", now.sa_handler == SIG_DFL);
	return 0;
}
