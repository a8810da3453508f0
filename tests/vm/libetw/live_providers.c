// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* Registrations: when control callbacks are called, with what, and when no more. */
#include "live.h"
#include "tests/unit/libetw/child.h"

static const GUID guid = { 0x53, 2, 3, { 4, 5, 6, 7, 8, 9, 10, 11 } };

/**
 * struct seen - what a callback received
 * @enables: times
 * @disables: times
 * @handle: of the last one
 * @thread: that called it
 * @unregister: it shall do that
 * @registration: what it may unregister
 */
struct seen {
	volatile int enables;
	volatile int disables;
	volatile TRACEHANDLE handle;
	DWORD thread;
	int unregister;
	TRACEHANDLE registration;
};

static ULONG WINAPI control(WMIDPREQUESTCODE code, PVOID context, ULONG *size, PVOID buffer)
{
	struct seen *seen = context;

	(void)size;
	seen->handle = GetTraceLoggerHandle(buffer);
	seen->thread = GetCurrentThreadId();
	if (code == WMI_ENABLE_EVENTS)
		seen->enables++;
	else if (code == WMI_DISABLE_EVENTS)
		seen->disables++;
	if (seen->unregister)
		UnregisterTraceGuids(seen->registration);
	return 0;
}

static int wait_for(const struct seen *seen, int enables, int disables)
{
	int i;

	for (i = 0; i < 500; i++) {
		if (seen->enables == enables && seen->disables == disables)
			return 1;
		Sleep(10);
	}
	printf("   %d enables, %d disables\n", seen->enables, seen->disables);
	return 0;
}

static void add(struct seen *seen)
{
	check_error("RegisterTraceGuids()",
		    RegisterTraceGuidsA(control, seen, &guid, 0, NULL, NULL, NULL,
					&seen->registration), 0);
}

static void check_before(TRACEHANDLE session)
{
	struct seen seen = { };

	check_error("EnableTrace(), to disable what is not enabled: 4201",
		    EnableTrace(0, 0, 0, &guid, session), 4201);
	check_error("EnableTrace() of what is not registered yet",
		    EnableTrace(1, 0x80000001, 4, &guid, session), 0);
	add(&seen);
	check("a provider that is enabled learns it before RegisterTraceGuids() returns",
	      seen.enables == 1 && !seen.disables && seen.thread == GetCurrentThreadId());
	check("the handle has the session, its level and flags",
	      (USHORT)seen.handle == session && GetTraceEnableLevel(seen.handle) == 4 &&
	      GetTraceEnableFlags(seen.handle) == 0x80000001);
	check_error("EnableTrace(FALSE)", EnableTrace(0, 0, 0, &guid, session), 0);
	check("the callback is called for the disable", wait_for(&seen, 1, 1));
	UnregisterTraceGuids(seen.registration);
	EnableTrace(1, 1, 1, &guid, session);
	Sleep(100);
	check("an unregistered provider is not called", seen.enables == 1 && seen.disables == 1);
	EnableTrace(0, 0, 0, &guid, session);
}

static void check_after(TRACEHANDLE session)
{
	struct seen seen = { }, twin = { };

	add(&seen);
	add(&twin);
	EnableTrace(1, 1, 2, &guid, session);
	check("a provider learns it from another thread", wait_for(&seen, 1, 0) &&
	      seen.thread != GetCurrentThreadId());
	check("two registrations of one GUID learn it both", wait_for(&twin, 1, 0));
	EnableTrace(1, 3, 5, &guid, session);
	check("another level is another call, without a disable", wait_for(&seen, 2, 0) &&
	      GetTraceEnableLevel(seen.handle) == 5 && GetTraceEnableFlags(seen.handle) == 3);
	UnregisterTraceGuids(twin.registration);
	EnableTrace(0, 0, 0, &guid, session);
	check("the other one stays when one is gone", wait_for(&seen, 2, 1));
	check("and it alone is called", !twin.disables);
	UnregisterTraceGuids(seen.registration);
}

static ULONG WINAPI end_thread(WMIDPREQUESTCODE code, PVOID context, ULONG *size, PVOID buffer)
{
	(void)code;
	(void)context;
	(void)size;
	(void)buffer;
	pthread_exit(NULL);
}

/* Callbacks are called in the order of their registrations. */
static void check_ended(TRACEHANDLE session)
{
	TRACEHANDLE ending = 0;
	struct seen seen = { };

	RegisterTraceGuidsA(end_thread, NULL, &guid, 0, NULL, NULL, NULL, &ending);
	add(&seen);
	EnableTrace(1, 1, 1, &guid, session);
	check("after a callback that calls pthread_exit(), the next callback is called",
	      wait_for(&seen, 1, 0));
	EnableTrace(0, 0, 0, &guid, session);
	check("and so are later ones", wait_for(&seen, 1, 1));
	UnregisterTraceGuids(ending);
	UnregisterTraceGuids(seen.registration);
}

static void check_second_session(TRACEHANDLE session)
{
	TRACEHANDLE second = start_session("second");
	struct seen seen = { };

	add(&seen);
	EnableTrace(1, 1, 1, &guid, session);
	check("the first session", wait_for(&seen, 1, 0) && (USHORT)seen.handle == session);
	EnableTrace(1, 1, 1, &guid, second);
	check("a second session takes over", wait_for(&seen, 2, 1) &&
	      (USHORT)seen.handle == second);
	stop_session(second);
	check("when it stops, the first one has the provider again", wait_for(&seen, 3, 2) &&
	      (USHORT)seen.handle == session);
	EnableTrace(0, 0, 0, &guid, session);
	check("until it, too, has no use for it", wait_for(&seen, 3, 3));
	UnregisterTraceGuids(seen.registration);
}

static void check_in_callback(TRACEHANDLE session)
{
	static struct seen ended[300];
	struct seen seen = { .unregister = 1 };
	int i, late = 0;

	add(&seen);
	EnableTrace(1, 1, 1, &guid, session);
	check("a callback may unregister itself", wait_for(&seen, 1, 0));
	check_error("it is gone then: 87", UnregisterTraceGuids(seen.registration), 87);
	EnableTrace(0, 0, 0, &guid, session);
	for (i = 0; i < 300; i++) {
		RegisterTraceGuidsA(control, &ended[i], &guid, 0, NULL, NULL, NULL,
				    &ended[i].registration);
		EnableTrace(i & 1, 1, i, &guid, session);
		UnregisterTraceGuids(ended[i].registration);
		/* a callback that came later would write here */
		memset(&ended[i], 0xFF, sizeof(ended[i]));
	}
	Sleep(100);
	for (i = 0; i < 300 * (int)sizeof(ended[0]); i++)
		late += ((unsigned char *)ended)[i] != 0xFF;
	check("no callback outlives its registration", !late);
}

/* As daemons do: it is notified of what comes next, at a descriptor that is new. */
static void check_descriptors(TRACEHANDLE session)
{
	struct seen seen = { }, later = { };
	int fd;

	/* else it is enabled as the tests before left it, and then once more */
	EnableTrace(0, 0, 0, &guid, session);
	add(&seen);
	EnableTrace(1, 1, 1, &guid, session);
	check("a callback before all descriptors are closed", wait_for(&seen, 1, 0));
	for (fd = 3; fd < 1024; fd++)
		close(fd);
	EnableTrace(0, 0, 0, &guid, session);
	check("the next one after that", wait_for(&seen, 1, 1));
	EnableTrace(1, 2, 2, &guid, session);
	check("and the one after that", wait_for(&seen, 2, 1));
	for (fd = 3; fd < 1024; fd++)
		close(fd);
	add(&later);
	check("a provider that registers then learns it, too", later.enables == 1);
	EnableTrace(0, 0, 0, &guid, session);
	check("and all go on", wait_for(&seen, 2, 2) && wait_for(&later, 1, 1));
	UnregisterTraceGuids(seen.registration);
	UnregisterTraceGuids(later.registration);
}

static struct seen inherited;

static int is_logged(void)
{
	int i;

	for (i = 0; i < 500 && !inherited.enables; i++)
		Sleep(10);
	return inherited.enables;
}

/*
 * It registers again what was registered when it finds the node gone. Both providers are
 * enabled before it looks, which is one after another in the order of their registrations:
 * the one of the parent's would come first.
 */
static void child_registers_again(void)
{
	static const GUID own_guid = { 0x54, 2, 3, { 4, 5, 6, 7, 8, 9, 10, 11 } };
	struct seen own = { }, last = { };
	TRACEHANDLE session = start_session("child's");
	int fd;

	inherited.enables = 0;
	RegisterTraceGuidsA(control, &own, &own_guid, 0, NULL, NULL, NULL, &own.registration);
	EnableTrace(1, 1, 1, &own_guid, session);
	check("a child registers", wait_for(&own, 1, 0));
	EnableTrace(0, 0, 0, &own_guid, session);
	check("and its callback is called", wait_for(&own, 1, 1));
	for (fd = 3; fd < 1024; fd++)
		close(fd);
	EnableTrace(1, 1, 1, &guid, session);
	EnableTrace(1, 1, 1, &own_guid, session);
	RegisterTraceGuidsA(control, &last, &own_guid, 0, NULL, NULL, NULL, &last.registration);
	check("after it closed all descriptors, too", wait_for(&own, 2, 1));
	check("what its parent registered is not", !inherited.enables);
	stop_session(session);
}

static void check_child(TRACEHANDLE session)
{
	memset(&inherited, 0, sizeof(inherited));
	add(&inherited);
	check("a child that registers again ended in order", !child_of(child_registers_again));
	EnableTrace(1, 1, 1, &guid, session);
	check("its parent goes on", is_logged());
	UnregisterTraceGuids(inherited.registration);
	EnableTrace(0, 0, 0, &guid, session);
}

static void check_enumerate(TRACEHANDLE session)
{
	TRACE_GUID_PROPERTIES properties[8] = { }, *array[8];
	struct seen seen = { };
	ULONG count = 0, i, found = 0;

	for (i = 0; i < 8; i++)
		array[i] = &properties[i];
	EnableTrace(1, 6, 3, &guid, session);
	add(&seen);
	check_error("EnumerateTraceGuids()", EnumerateTraceGuids(array, 8, &count), 0);
	for (i = 0; i < count && i < 8; i++)
		found += IsEqualGUID(&properties[i].Guid, &guid) && properties[i].IsEnable &&
			 properties[i].LoggerId == session && properties[i].EnableLevel == 3 &&
			 properties[i].EnableFlags == 6;
	check("it returns each provider and its session", found == 1);
	UnregisterTraceGuids(seen.registration);
	EnableTrace(0, 0, 0, &guid, session);
}

void check_providers(void)
{
	TRACEHANDLE session = start_session("controller");

	check_before(session);
	check_after(session);
	check_ended(session);
	check_second_session(session);
	check_in_callback(session);
	check_descriptors(session);
	check_child(session);
	check_enumerate(session);
	stop_session(session);
}
