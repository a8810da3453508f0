// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/*
 * A task that waits for another one in a session can be killed, however long that takes: a STOP
 * that waits for its reader, here one that etw_held.ko holds for as long as we say.
 */
#define _GNU_SOURCE
#include <sched.h>
#include "tests/lib/guest/held.h"

static const struct wish wish = {
	.name = "waits", .kb = 4, .buffers = 8, .mode = EVENT_TRACE_BUFFERING_MODE,
};

static int stop(__u32 id)
{
	return on_session(control, ETW_IOC_STOP, id, 0);
}

static int flush(__u32 id)
{
	return on_session(control, ETW_IOC_FLUSH, id, 0);
}

static int rundown(__u32 id)
{
	return on_session(control, ETW_IOC_RUNDOWN, id, 0);
}

static int update(__u32 id)
{
	return update_session(control, id, &wish);
}

static int counting(__u32 id)
{
	struct etw_counting c = {
		.size = sizeof(c), .logger_id = id, .processor = ETW_ALL_PROCESSORS,
	};

	return ioctl(control, ETW_IOC_COUNTING, &c);
}

static int snapshot(__u32 id)
{
	return snapshot_session(control, id) < 0;
}

static int open_it(__u32 id)
{
	return open_node(id, 0) < 0;
}

static void move_to(int cpu)
{
	cpu_set_t set;

	CPU_ZERO(&set);
	CPU_SET(cpu, &set);
	if (sched_setaffinity(0, sizeof(set), &set))
		die("sched_setaffinity");
}

static int write_event(__u32 id)
{
	struct event_trace_header event = event_of(sizeof(event), 0);

	move_to(1);
	return trace_to(provider, id, &event, 0);
}

static __u32 start(void)
{
	__u32 id;

	if (start_session(control, &wish, &id))
		die("START");
	return id;
}

/* Behind the lock of all that changes a session */
static void test_changes(void)
{
	struct owner owner;
	__u32 id = start();

	hold(&owner, "a STOP", stop, id, "function=etw_trailer_build");
	must_go(&owner, "a FLUSH", flush, id);
	must_go(&owner, "a RUNDOWN", rundown, id);
	must_go(&owner, "an UPDATE", update, id);
	must_go(&owner, "a COUNTING", counting, id);
	must_go(&owner, "a SNAPSHOT", snapshot, id);
	must_go(&owner, "another STOP", stop, id);
	let_go(&owner, id);
}

/* Behind the lock of readers */
static void test_readers(void)
{
	struct owner owner;
	__u32 id = start();

	hold(&owner, "an open()", open_it, id, "function=etw_fill_header_buffer");
	must_go(&owner, "another open()", open_it, id);
	must_go(&owner, "a SNAPSHOT", snapshot, id);
	let_go(&owner, id);
}

/*
 * Behind a record under way, in a buffer that is sealed; on the other CPU, which does nothing else
 */
static void test_writer(void)
{
	static const struct wish taker = { .name = "writer", .kb = 4, .buffers = 8 };
	__u32 id = start_taker(&taker, 0, 0);
	struct owner owner;

	hold(&owner, "a writer", write_event, id, "function=etw_encode_event turns=1");
	must_go(&owner, "a FLUSH", flush, id);
	let_go(&owner, id);
}

int main(void)
{
	control = open_control();
	provider = open(PROVIDER, O_RDWR | O_CLOEXEC);
	if (provider < 0)
		die(PROVIDER);
	move_to(0);
	test_changes();
	test_readers();
	test_writer();
	return !!failures;
}
