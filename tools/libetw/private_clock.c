// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* Clocks of the private logger: the counter where the kernel trusts it, else the kernel's. */
#include <errno.h>
#include <fcntl.h>
#include <linux/perf_event.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>
#include "private.h"

#define CLOCKSOURCE	"/sys/devices/system/clocksource/clocksource0/current_clocksource"
#define FILETIME_OF_UNIX_EPOCH	116444736000000000ULL
#define NSEC_PER_SEC	1000000000ULL
/* How often all clocks are read until they are that close together */
#define READ_TRIES	8
#define READ_CLOSE_NS	500

/* The counter goes on as it is: what the kernel adds after a suspend is not to be had */
u64 etw_counter_offset;

static enum etw_ticks qpc_ticks = ETW_TICKS_MONOTONIC;
static u64 qpc_frequency = NSEC_PER_SEC;
static bool frequency_is_exact = true;

static u64 clock_ns(clockid_t id)
{
	struct timespec now;

	clock_gettime(id, &now);
	return now.tv_sec * NSEC_PER_SEC + now.tv_nsec;
}

static u64 scale(u64 value, u64 by, u64 per)
{
	return (unsigned __int128)value * by / per;
}

/*
 * Context: any thread, any signal handler. CLOCK_BOOTTIME never goes back, on no
 * CPU: there is nothing to clamp.
 */
u64 etw_tick_slow(enum etw_ticks ticks, struct etw_clamp *clamp, u64 *boottime)
{
	u64 now = boottime && *boottime ? *boottime : clock_ns(CLOCK_BOOTTIME);

	if (boottime)
		*boottime = now;
	return ticks == ETW_TICKS_SYSTEM ? clamp->base + now / 100 : now;
}

u64 private_clock_base(const struct etw_reading *reading)
{
	return reading->filetime - reading->boottime / 100;
}

u64 private_tick(const struct private_session *session)
{
	struct etw_clamp clamp = { .base = private_clock_base(&session->start) };

	return etw_tick(session->ticks, &clamp);
}

u64 private_frequency(void)
{
	return qpc_frequency;
}

u32 private_mhz(void)
{
	u32 mhz = qpc_frequency / 1000000;

	return mhz ? mhz : 1;
}

/* To be compared with other clocks */
static u64 qpc_now(void)
{
	struct etw_clamp none = { };

	if (qpc_ticks == ETW_TICKS_COUNTER)
		return etw_counter_ordered();
	return etw_tick_slow(qpc_ticks, &none, NULL);
}

static void read_once(struct etw_reading *reading)
{
	u64 before = qpc_now(), after;

	reading->filetime = FILETIME_OF_UNIX_EPOCH + clock_ns(CLOCK_REALTIME) / 100;
	reading->monotonic = clock_ns(CLOCK_MONOTONIC);
	reading->monotonic_raw = clock_ns(CLOCK_MONOTONIC_RAW);
	reading->boottime = clock_ns(CLOCK_BOOTTIME);
	after = qpc_now();
	reading->qpc = before + (after - before) / 2;
	reading->uncertainty = after - before;
}

/* A switch of threads in the middle pulls them apart: the closest reading counts. */
void private_clock_read(struct etw_reading *reading)
{
	u64 close = scale(READ_CLOSE_NS, qpc_frequency, NSEC_PER_SEC);
	struct etw_reading again;
	int tries = READ_TRIES;

	read_once(reading);
	while (reading->uncertainty > close && --tries) {
		read_once(&again);
		if (again.uncertainty < reading->uncertainty)
			*reading = again;
	}
}

/* Whether the kernel itself keeps time by it, and lets programs read it */
static bool counter_is_trusted(void)
{
	char name[32] = "";
	int fd = open(CLOCKSOURCE, O_RDONLY | O_CLOEXEC);

	if (fd < 0)
		return false;
	if (read(fd, name, sizeof(name) - 1) <= 0)
		name[0] = 0;
	close(fd);
#if defined(__x86_64__)
	int may = PR_TSC_ENABLE;

	return !strcmp(name, "tsc\n") && !prctl(PR_GET_TSC, &may) && may == PR_TSC_ENABLE;
#elif defined(__aarch64__)
	return !strcmp(name, "arch_sys_counter\n");
#else
	return false;
#endif
}

/* The kernel's value for perf events. Return: 0: the kernel does not report it */
static u64 kernel_frequency(void)
{
#if defined(__x86_64__)
	struct perf_event_attr attr = {
		.type = PERF_TYPE_SOFTWARE, .size = sizeof(attr),
		.config = PERF_COUNT_SW_DUMMY, .exclude_kernel = 1, .exclude_hv = 1,
	};
	int fd = syscall(SYS_perf_event_open, &attr, 0, -1, -1, PERF_FLAG_FD_CLOEXEC);
	struct perf_event_mmap_page *page;
	u64 frequency = 0;

	if (fd < 0)
		return 0;
	page = mmap(NULL, sysconf(_SC_PAGESIZE), PROT_READ, MAP_SHARED, fd, 0);
	close(fd);
	if (page == MAP_FAILED)
		return 0;
	if (page->cap_user_time && page->time_mult)
		frequency = (NSEC_PER_SEC << page->time_shift) / page->time_mult;
	munmap(page, sysconf(_SC_PAGESIZE));
	return frequency;
#else
	return 0;
#endif
}

/* Against the kernel's raw clock, which ticks by the same counter */
static u64 measured(const struct etw_reading *from, const struct etw_reading *to)
{
	u64 ns = to->monotonic_raw - from->monotonic_raw;

	return ns ? scale(to->qpc - from->qpc, NSEC_PER_SEC, ns) : qpc_frequency;
}

static void find_frequency(void)
{
	struct timespec pause = { .tv_nsec = 10000000 };
	struct etw_reading from, to;

#if defined(__aarch64__)
	asm volatile("mrs %0, cntfrq_el0" : "=r" (qpc_frequency));
	return;
#endif
	qpc_frequency = kernel_frequency();
	if (qpc_frequency)
		return;
	frequency_is_exact = false;
	qpc_frequency = NSEC_PER_SEC;
	private_clock_read(&from);
	nanosleep(&pause, NULL);
	private_clock_read(&to);
	qpc_frequency = measured(&from, &to);
}

/*
 * Over the whole session the measurement is better than over the first 10 ms.
 * Return: ticks per second of clock 1
 */
u64 private_frequency_refined(const struct etw_reading *start)
{
	struct etw_reading now;

	private_clock_read(&now);
	if (frequency_is_exact || now.monotonic_raw - start->monotonic_raw < NSEC_PER_SEC)
		return qpc_frequency;
	return measured(start, &now);
}

static void choose(void)
{
	if (!counter_is_trusted())
		return;
	qpc_ticks = ETW_TICKS_COUNTER;
	find_frequency();
}

static pthread_once_t chosen = PTHREAD_ONCE_INIT;

/* Return: 0; -EINVAL: no such clock; -EOPNOTSUPP: there is none here */
int private_clock_init(struct private_session *session, u32 clock_type)
{
	pthread_once(&chosen, choose);
	if (clock_type > ETW_CLOCK_CYCLE)
		return -EINVAL;
	session->clock_type = clock_type ? clock_type : ETW_CLOCK_QPC;
	session->ticks = clock_type == ETW_CLOCK_SYSTEM ? ETW_TICKS_SYSTEM : qpc_ticks;
	session->cpu_period = (clock_type == ETW_CLOCK_SYSTEM ? 10000000 : qpc_frequency) / 1000;
#if !defined(__x86_64__)
	if (clock_type == ETW_CLOCK_CYCLE)
		return -EOPNOTSUPP;
#endif
	if (clock_type == ETW_CLOCK_CYCLE && qpc_ticks != ETW_TICKS_COUNTER)
		return -EOPNOTSUPP;
	private_clock_read(&session->start);
	session->last_wall = private_clock_base(&session->start);
	session->start_tick = session->ticks == ETW_TICKS_SYSTEM ? session->start.filetime :
								   session->start.qpc;
	return 0;
}

/* ProcessorTime of the events that follow. Context: inside an event of the stream's. */
void private_cpu_time(struct private_stream *stream, u64 tick)
{
	struct private_memory *memory = private_memory();

	/* a child of fork() that goes on where its parent was */
	if (!memory)
		return;
	WRITE_ONCE(stream->cpu_time, scale(clock_ns(CLOCK_THREAD_CPUTIME_ID), qpc_frequency,
					   NSEC_PER_SEC));
	WRITE_ONCE(stream->cpu_until, tick + memory->session.cpu_period);
}
