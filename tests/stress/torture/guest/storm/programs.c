// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* Storm: programs that write events, that register, and learn of listeners. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stddef.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/signal.h>
#include <sys/wait.h>
#include <unistd.h>
#include "etw_provider.h"
#include "storm.h"

#define PROVIDER	"/dev/etw/provider"
#define GUIDS		8	/* that are registered and enabled */
#define MOST_DATA	12000

static int open_provider(void)
{
	int fd = open(PROVIDER, O_RDWR | O_CLOEXEC);

	if (fd < 0 && errno != ENOMEM)
		storm_fail(PROVIDER ": %s", strerror(errno));
	return fd;
}

static struct {
	struct event_trace_header header;
	__u8 data[MOST_DATA];
} event;

/* As an event by ioctl or write(), or as a message; 0 or a negative errno */
static int write_one(int fd, __u32 id, struct random *random)
{
	__u32 size = sizeof(struct torture_program) + any(random, one_in(random, 64) ? 9000 : 300);
	struct etw_trace_event t = {
		.size = sizeof(t), .session_handle = id, .event = (unsigned long)&event,
	};
	struct etw_message_argument argument = { (unsigned long)event.data, size };
	struct etw_trace_message m = {
		.size = sizeof(m), .message_flags = TRACE_MESSAGE_TIMESTAMP, .session_handle = id,
		.arguments = (unsigned long)&argument, .nr_arguments = 1,
	};

	torture_program_fill(event.data, size, any(random, ~0U));
	event.header = (struct event_trace_header){ .size = sizeof(event.header) + size };
	if (one_in(random, 3))
		return ioctl(fd, ETW_PROVIDER_TRACE_MESSAGE, &m) ? -errno : 0;
	if (one_in(random, 2))
		return ioctl(fd, ETW_PROVIDER_TRACE_EVENT, &t) ? -errno : 0;
	event.header.thread_id = id;
	return write(fd, &event, event.header.size) < 0 ? -errno : 0;
}

/* Until it has to stop, or the session takes nothing any more */
static void write_events(__u32 id, struct programs *programs, struct random random)
{
	int fd = open_provider(), err = 0;
	__u32 burst;

	while (fd >= 0 && !__atomic_load_n(&programs->stop, __ATOMIC_ACQUIRE)) {
		for (burst = any(&random, 32); burst-- && err != -EBADF; ) {
			err = write_one(fd, id, &random);
			if (!err)
				programs->written++;
			else if (err == -ENOBUFS || err == -EMSGSIZE || err == -EDQUOT)
				programs->refused++;
			else if (err != -EBADF && err != -ENOMEM)
				storm_fail("an event into %u: %s", id, strerror(-err));
		}
		if (err == -EBADF)
			break;
		sleep_us(any(&random, 5000));
	}
}

/**
 * start_programs() - a process that writes events
 * @id: where to; not to be another's before stop_programs()
 * @random: seeds it
 * @programs: what it counts, in shared memory
 */
void start_programs(__u32 id, struct random *random, struct programs *programs)
{
	struct random its = { .state = ((__u64)any(random, ~0U) << 32 | any(random, ~0U)) | 1 };
	int pid;

	if (programs->pid)
		return;
	programs->stop = 0;
	pid = fork();
	if (!pid) {
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		take_part("a program", 0);
		write_events(id, programs, its);
		_exit(0);
	}
	if (pid > 0)
		programs->pid = pid;
	else if (errno != EAGAIN && errno != ENOMEM)
		storm_fail("fork: %s", strerror(errno));
}

/**
 * stop_programs() - no program writes into the session any more
 * @programs: of start_programs()
 */
void stop_programs(struct programs *programs)
{
	int status;

	if (!programs->pid)
		return;
	__atomic_store_n(&programs->stop, 1, __ATOMIC_RELEASE);
	awaits(programs->pid);
	if (waitpid(programs->pid, &status, 0) != programs->pid)
		storm_fail("waitpid: %s", strerror(errno));
	else if (WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL)
		programs->inexact = 1;	/* the OOM killer: an event may be uncounted */
	else if (status)
		storm_fail("a program ended with %x", status);
	programs->pid = 0;
	awaits(0);
}

/* 0 or a negative errno; ENOSPC: eight other sessions have it */
int enable_provider(__u32 id, struct random *random)
{
	struct etw_enable e = {
		.size = sizeof(e), .logger_id = id, .guid.data1 = 1 + any(random, GUIDS),
		.enabled = !one_in(random, 3), .level = any(random, 256),
	};

	if (!ioctl(control, ETW_IOC_ENABLE, &e))
		return 0;
	return errno == (e.enabled ? ENOSPC : ENOENT) ? 0 : -errno;
}

/* What changes while we look has an odd number, or another one afterwards. */
static void check_page(volatile struct etw_provider_page *page, const __u8 *registered)
{
	struct etw_provider_state state;
	__u32 i;

	for (i = 0; i < ETW_MAX_REGISTRATIONS; i++) {
		state.sequence = page->state[i].sequence;
		__atomic_thread_fence(__ATOMIC_ACQUIRE);
		state.enabled = page->state[i].enabled;
		state.logger_id = page->state[i].logger_id;
		state.registered = page->state[i].registered;
		__atomic_thread_fence(__ATOMIC_ACQUIRE);
		if (state.sequence & 1 || state.sequence != page->state[i].sequence)
			continue;
		if (state.enabled > 1 || !state.logger_id != !state.enabled ||
		    state.logger_id > 64 || state.registered != registered[i])
			storm_fail("entry %u: enabled %u, by %u, registered %u", i, state.enabled,
				   state.logger_id, state.registered);
	}
}

static void register_some(int fd, struct random *random, __u8 *registered)
{
	struct etw_provider_register r = {
		.size = sizeof(r), .guid.data1 = 1 + any(random, GUIDS),
	};
	struct etw_provider_unregister u = {
		.size = sizeof(u), .index = any(random, ETW_MAX_REGISTRATIONS),
	};

	if (!ioctl(fd, ETW_PROVIDER_REGISTER, &r)) {
		registered[r.index]++;
		add(C_REGISTERED, 1);
	} else if (errno != ENOMEM && errno != ENOSPC) {
		storm_fail("REGISTER: %s", strerror(errno));
	}
	if (one_in(random, 3) && r.index < ETW_MAX_REGISTRATIONS)
		u.index = r.index;
	if (ioctl(fd, ETW_PROVIDER_UNREGISTER, &u) != registered[u.index] - 1)
		storm_fail("UNREGISTER of %u: %s", u.index, strerror(errno));
	registered[u.index] = 0;
}

static void listen_for_a_while(int fd, struct random *random)
{
	__u8 registered[ETW_MAX_REGISTRATIONS] = { 0 };
	struct pollfd pollfd = { .fd = fd, .events = POLLPRI };
	volatile struct etw_provider_page *page;
	int steps = any(random, 60);

	page = mmap(NULL, 4096, PROT_READ, MAP_SHARED, fd, 0);
	if (page == MAP_FAILED) {
		if (errno != ENOMEM)
			storm_fail("mmap of " PROVIDER ": %s", strerror(errno));
		return;
	}
	while (steps-- && !is_over()) {
		register_some(fd, random, registered);
		check_page(page, registered);
		if (poll(&pollfd, 1, any(random, 20)) == 1 && pollfd.revents & POLLPRI)
			ioctl(fd, ETW_PROVIDER_ACK, (unsigned long)page->changes);
		step();
	}
	munmap((void *)page, 4096);
}

/**
 * listen_to_sessions() - registrations come and go while sessions enable them
 * @process: seeds it
 */
void listen_to_sessions(unsigned long long process)
{
	struct random random = random_of(process);
	int fd;

	while (!is_over()) {
		fd = open_provider();
		if (fd < 0) {
			sleep_us(10000);
			continue;
		}
		listen_for_a_while(fd, &random);
		close(fd);
	}
}
