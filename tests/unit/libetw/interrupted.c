// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* libetw in handlers over its own calls, in children forked over them, with calls forbidden. */
#define INITGUID
#include <windows.h>
#include <wmistr.h>
#include <evntrace.h>
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <sys/resource.h>
#include "check.h"
#include "child.h"
#include "filter.h"
#include "ignore_control.h"

#define BAD		((void *)0x1000)
#define NO_CLASS	((HANDLE)0x77)

static const GUID guid = { 0x60, 2, 3, { 4, 5, 6, 7, 8, 9, 10, 11 } };
static TRACE_GUID_REGISTRATION class = { &guid, NULL };
static EVENT_INSTANCE_INFO instance;
static TRACEHANDLE session;
static atomic_bool over;

static VOID WINAPI callback(PEVENT_TRACE event)
{
	(void)event;
}

static ULONG trace(TRACEHANDLE handle)
{
	EVENT_INSTANCE_HEADER event = { .Size = sizeof(event), .Flags = WNODE_FLAG_TRACED_GUID };

	return TraceEventInstance(handle, &event, &instance, &instance);
}

static void look_up(void)
{
	EVENT_INSTANCE_INFO info;

	CreateTraceInstanceId(NO_CLASS, &info);
}

static void close_nothing(void)
{
	CloseTrace(0x7777);
}

static void set_callback(void)
{
	SetTraceCallback(&guid, callback);
}

static atomic_int handled;

static void in_handler(int number)
{
	int saved = errno;

	(void)number;
	look_up();
	trace(session);
	handled++;
	errno = saved;
}

static void *interrupt(void *thread)
{
	/* each wants both threads to run, which many others on the machine make slow */
	while (handled < 2000)
		pthread_kill(*(pthread_t *)thread, SIGUSR1);
	over = true;
	return NULL;
}

static void be_interrupted(void)
{
	struct sigaction action = { .sa_handler = in_handler };
	pthread_t self = pthread_self(), thread;

	sigaction(SIGUSR1, &action, NULL);
	pthread_create(&thread, NULL, interrupt, &self);
	while (!over)
		look_up();
	pthread_join(thread, NULL);
}

static void *repeat(void *call)
{
	while (!over)
		(*(void (**)(void))call)();
	return NULL;
}

/* Another thread is in the call at the time of the fork, sooner or later */
static void check_forks(const char *name, void (*call)(void))
{
	pthread_t thread;
	int i, status = 0;

	over = false;
	pthread_create(&thread, NULL, repeat, &call);
	for (i = 0; i < 300 && !status; i++)
		status = child_of(call);
	over = true;
	pthread_join(thread, NULL);
	check(name, !status);
}

static void check_copies(const char *when)
{
	EVENT_INSTANCE_INFO info = { NULL, 0 };

	printf("# %s\n", when);
	check_error("CreateTraceInstanceId()", CreateTraceInstanceId(class.RegHandle, &info), 0);
	check("it has stored the instance", info.RegHandle == class.RegHandle && info.InstanceId);
	check_error("CreateTraceInstanceId() at a bad address: 998",
		    CreateTraceInstanceId(class.RegHandle, BAD), 998);
}

static void live_without_descriptors(void)
{
	struct rlimit none = { 0, 0 };

	setrlimit(RLIMIT_NOFILE, &none);
	check_copies("no descriptor is free");
}

static void live_without_the_call(void)
{
	if (forbid(SYS_process_vm_readv, SYS_process_vm_readv, EPERM))
		skip("process_vm_readv() is forbidden # seccomp");
	else
		check_copies("process_vm_readv() is forbidden");
}

static ULONG start_private(void)
{
	struct {
		EVENT_TRACE_PROPERTIES p;
		char file[64];
	} block = { .file = "interrupted.etl" };

	block.p.Wnode.BufferSize = sizeof(block);
	block.p.Wnode.Flags = WNODE_FLAG_TRACED_GUID;
	block.p.LogFileMode = EVENT_TRACE_PRIVATE_LOGGER_MODE;
	block.p.LogFileNameOffset = sizeof(block.p);
	return StartTraceA(&session, "interrupted", &block.p);
}

/* Its instances' events are copied as others are: without the kernel */
static void live_with_private(void)
{
	EVENT_INSTANCE_HEADER event = { .Size = sizeof(event), .Flags = WNODE_FLAG_TRACED_GUID };

	check_error("a private session", start_private(), 0);
	be_interrupted();
	check("handlers over the calls that they make: of a private session", 1);
	if (forbid(SYS_process_vm_readv, SYS_pipe2, EPERM)) {
		skip("an instance's event without the kernel # seccomp");
		return;
	}
	check_error("an instance's event into it, without the kernel", trace(session), 0);
	check_error("at a bad address: 998",
		    TraceEventInstance(session, BAD, &instance, NULL), 998);
	check_error("of an instance at a bad address: 998",
		    TraceEventInstance(session, &event, BAD, NULL), 998);
	check_error("with a parent at a bad address: 998",
		    TraceEventInstance(session, &event, &instance, BAD), 998);
}

int main(void)
{
	TRACEHANDLE registration;

	setvbuf(stdout, NULL, _IONBF, 0);
	RegisterTraceGuidsA(ignore_control, NULL, &guid, 1, &class, NULL, NULL, &registration);
	CreateTraceInstanceId(class.RegHandle, &instance);
	check_forks("a child forked over CreateTraceInstanceId()", look_up);
	check_forks("a child forked over CloseTrace()", close_nothing);
	check_forks("a child forked over SetTraceCallback()", set_callback);
	session = 1;
	over = false;
	check("handlers over the calls that they make", !child_of(be_interrupted));
	check("no descriptor is free: copies", !child_of(live_without_descriptors));
	check("process_vm_readv() is forbidden: copies", !child_of(live_without_the_call));
	check("a private session", !child_of(live_with_private));
	return failures != 0;
}
