// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* Providers that a private session enabled: what ends, fails or comes next leaves them right. */
#include <pthread.h>
#include <stdatomic.h>
#include <sys/resource.h>
#include <unistd.h>
#include "one.h"

static const GUID first = { 0x61, 2, 3, { 4, 5, 6, 7, 8, 9, 10, 11 } };
static const GUID second = { 0x62, 2, 3, { 4, 5, 6, 7, 8, 9, 10, 11 } };

/**
 * struct provider - one that is registered, and its last callback
 * @registration: handle of it
 * @enabled: handle of the session; 0: none
 * @in_callback: what it does once when it is enabled
 */
struct provider {
	TRACEHANDLE registration;
	_Atomic TRACEHANDLE enabled;
	void (*in_callback)(void);
};

static ULONG WINAPI control(WMIDPREQUESTCODE code, PVOID context, ULONG *size, PVOID buffer)
{
	struct provider *provider = context;
	void (*once)(void) = provider->in_callback;

	(void)size;
	provider->enabled = code == WMI_ENABLE_EVENTS ? GetTraceLoggerHandle(buffer) : 0;
	provider->in_callback = NULL;
	if (once)
		once();
	return 0;
}

static void add(struct provider *provider, const GUID *guid)
{
	RegisterTraceGuidsA(control, provider, guid, 0, NULL, NULL, NULL,
			    &provider->registration);
}

static bool is_enabled_by(const struct provider *provider, TRACEHANDLE by)
{
	return (provider->enabled & 0x0100FFFF) == by;
}

/* The file takes no more, and STOP says so; the session has ended all the same. */
static void test_failing_stop(void)
{
	struct rlimit limit, none;
	struct provider provider = { };
	ULONG error;

	add(&provider, &first);
	start("failing", 0, 0, 0);
	check_code("EnableTrace()", EnableTrace(1, 1, 1, &first, handle), 0);
	event_fill(&event, 1, 8);
	send(&event.header);
	getrlimit(RLIMIT_FSIZE, &limit);
	none = limit;
	none.rlim_cur = 0;
	setrlimit(RLIMIT_FSIZE, &none);
	error = session_control(&session, handle, EVENT_TRACE_CONTROL_STOP);
	setrlimit(RLIMIT_FSIZE, &limit);
	check_code("STOP that can't write the file", error, ERROR_DISK_FULL);
	check("it returns what was lost", session.fixed.EventsLost == 1);
	check("the provider's callback is called for the disable", !provider.enabled);
	UnregisterTraceGuids(provider.registration);
}

static struct provider witness;
static TRACEHANDLE before, after;
static pthread_t other;

static void *stop_before(void *argument)
{
	struct session of_before;

	(void)argument;
	session_clear(&of_before, "");
	return (void *)(uintptr_t)session_control(&of_before, before, EVENT_TRACE_CONTROL_STOP);
}

/* The next session, as soon as there can be one; @second is its provider */
static void start_after(void)
{
	session_clear(&session, file_of("after"));
	while (session_start(&session, &after) == ERROR_ALREADY_EXISTS)
		usleep(100);
	EnableTrace(1, 2, 2, &second, after);
}

/* Callbacks run one at a time: that thread can't call any provider before this returns. */
static void stop_meanwhile(void)
{
	pthread_create(&other, NULL, stop_before, NULL);
	start_after();
}

/* A session with a provider that does that once it is enabled. Return: what the other thread got */
static ULONG enable_first(struct provider *provider, const char *name)
{
	void *error;

	add(provider, &first);
	add(&witness, &second);
	start(name, 0, 0, 0);
	before = handle;
	EnableTrace(1, 1, 1, &first, before);
	pthread_join(other, &error);
	return (uintptr_t)error;
}

static void unregister_both(const struct provider *provider)
{
	UnregisterTraceGuids(provider->registration);
	UnregisterTraceGuids(witness.registration);
}

static void test_late_end(void)
{
	struct provider provider = { .in_callback = stop_meanwhile };

	check_code("STOP while the next session starts", enable_first(&provider, "before"), 0);
	check("what the next one enabled stays so", is_enabled_by(&witness, after));
	check("what the one before did does not", !provider.enabled);
	handle = after;
	stop();
	check("until that one ends", !witness.enabled);
	unregister_both(&provider);
}

static void *enable_late(void *argument)
{
	(void)argument;
	return (void *)(uintptr_t)EnableTrace(1, 1, 1, &second, before);
}

/* It has found its session by then, and waits for our return. */
static void end_meanwhile(void)
{
	pthread_create(&other, NULL, enable_late, NULL);
	usleep(200000);
	stop_before(NULL);
}

static void test_late_enable(void)
{
	struct provider provider = { .in_callback = end_meanwhile };

	check_code("EnableTrace() over the session's end", enable_first(&provider, "late"),
		   ERROR_INVALID_HANDLE);
	check("no provider has that session", !witness.enabled && !provider.enabled);
	unregister_both(&provider);
}

/* The session enables a provider that is loaded later, and no longer than it lasts. */
static void test_early_enable(void)
{
	struct provider provider = { }, again = { };

	start("early", 0, 0, 0);
	check_code("EnableTrace() of what is not registered", EnableTrace(1, 7, 3, &first, handle),
		   0);
	add(&provider, &first);
	check("its callback is called when it registers", is_enabled_by(&provider, handle) &&
	      GetTraceEnableLevel(provider.enabled) == 3 &&
	      GetTraceEnableFlags(provider.enabled) == 7);
	check_code("EnableTrace() that disables it", EnableTrace(0, 0, 0, &first, handle), 0);
	check("its callback is called", !provider.enabled);
	check_code("once more", EnableTrace(0, 0, 0, &first, handle), ERROR_WMI_INSTANCE_NOT_FOUND);
	EnableTrace(1, 7, 3, &second, handle);
	stop();
	add(&again, &second);
	check("what a session enabled that is gone is not", !again.enabled);
	UnregisterTraceGuids(provider.registration);
	UnregisterTraceGuids(again.registration);
}

int main(int argc, char **argv)
{
	if (argc != 2)
		return 2;
	directory = argv[1];
	test_failing_stop();
	test_early_enable();
	test_late_end();
	test_late_enable();
	return 0;
}
