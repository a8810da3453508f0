/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The etw authors */
/* Abuse: readers that never read, and users that make events as fast as they can. */
#ifndef ETW_TEST_ABUSE_FLOOD_H
#define ETW_TEST_ABUSE_FLOOD_H

#include <pthread.h>
#include "memory.h"

#define PROCESSES	0x813	/* processes, threads, context swaps, dispatcher */
#define FLOOD_SECONDS	6
#define DRAIN		(1U << 20)

/**
 * struct drain - a steady reader
 * @fd: stream
 * @bytes: that it got
 * @err: errno
 */
struct drain {
	pthread_t thread;
	int fd;
	__u64 bytes;
	int err;
};

static void *drain_it(void *arg)
{
	struct drain *drain = arg;
	char *buffer = malloc(DRAIN);
	ssize_t n;

	while ((n = read(drain->fd, buffer, DRAIN)) > 0)
		drain->bytes += n;
	drain->err = n < 0 ? errno : 0;
	free(buffer);
	return NULL;
}

static void start_drain(struct drain *drain, __u32 id)
{
	*drain = (struct drain){ .fd = open_node(id, 0) };
	if (drain->fd < 0 || pthread_create(&drain->thread, NULL, drain_it, drain))
		die("reader");
}

/* Two that wake each other, and children that end at once, until @end */
static void flood_once(double end)
{
	int a[2], b[2];
	char x = 0;

	if (pipe(a) || pipe(b))
		_exit(1);
	if (!fork()) {
		close(a[1]);
		while (read(a[0], &x, 1) == 1 && write(b[1], &x, 1) == 1)
			;
		_exit(0);
	}
	while (now() < end) {
		int i;

		for (i = 0; i < 20; i++)
			if (write(a[1], &x, 1) != 1 || read(b[0], &x, 1) != 1)
				_exit(1);
		if (!fork())
			_exit(0);
		while (waitpid(-1, NULL, WNOHANG) > 0)
			;
	}
	_exit(0);
}

/* As uid 65534; the caller collects the process that is returned. */
static pid_t flood(double seconds)
{
	double end = now() + seconds;
	pid_t pid = fork();
	int i;

	if (pid)
		return pid;
	close(control);
	nobody();
	for (i = 0; i < 3; i++)
		if (!fork())
			flood_once(end);
	while (wait(NULL) > 0)
		;
	_exit(0);
}

/**
 * struct load - what was seen while a flood went on
 * @slab: kB of Slab more
 * @vmalloc: kB of VmallocUsed more
 * @slowest: s that LIST took at most
 */
struct load {
	long slab;
	long vmalloc;
	double slowest;
};

static void watch(pid_t pid, struct load *load)
{
	long slab = 0, vmalloc = 0, n;
	double begin;
	int rounds = 0;

	*load = (struct load){ 0 };
	while (!waitpid(pid, NULL, WNOHANG)) {
		begin = now();
		list_sessions(control);
		if (now() - begin > load->slowest)
			load->slowest = now() - begin;
		if (++rounds == 10) {	/* the flood is under way */
			slab = meminfo("Slab");
			vmalloc = meminfo("VmallocUsed");
		}
		n = meminfo("Slab") - slab;
		if (rounds > 10 && n > load->slab)
			load->slab = n;
		n = meminfo("VmallocUsed") - vmalloc;
		if (rounds > 10 && n > load->vmalloc)
			load->vmalloc = n;
		usleep(50000);
	}
}

/* The law of a stopped session with a stream that was not read to its end */
static int adds_up(const struct etw_statistics *all, __u32 id)
{
	struct etw_statistics s;
	__u64 sum = 0, lost = 0;
	__u32 cpu;

	for (cpu = 0; cpu < all->processors; cpu++) {
		s = (struct etw_statistics){ .size = sizeof(s), .logger_id = id, .processor = cpu };
		if (ioctl(control, ETW_IOC_STATISTICS, &s))
			continue;
		sum += s.read + s.buffered + s.overwritten + s.discarded;
		lost += all_lost(&s);
	}
	/* the last buffer, which belongs to no CPU, is in the sum alone */
	return lost == all_lost(all) && sum <= all->read + all->buffered + all->overwritten &&
	       all->read + all->buffered + all->overwritten <= sum + 64;
}

static void tell_flood(const char *what, const struct etw_statistics *s, const struct load *load)
{
	printf("# %s: %llu lost, %llu overwritten, %llu buffered; Slab +%ld kB, vmalloc +%ld kB, LIST %.3f s at most\n",
	       what, (unsigned long long)all_lost(s), (unsigned long long)s->overwritten,
	       (unsigned long long)s->buffered, load->slab, load->vmalloc, load->slowest);
}

/* A session with a reader that opened it and does nothing, in both modes */
static void lazy_reader(__u32 mode, const char *what)
{
	struct wish lazy = { .name = "lazy", .kb = 4, .buffers = 8, .flags = PROCESSES,
			     .mode = mode, .start = ETW_START_NO_RUNDOWN };
	struct wish big = { .name = "big", .kb = 256, .buffers = 128, .flags = PROCESSES };
	__u32 id = start_or_die(&lazy), other = start_or_die(&big);
	int fd = open_node(id, 0), err, gone;
	struct etw_statistics s, t;
	struct drain drain;
	struct load load;
	__u64 lost;

	start_drain(&drain, other);
	watch(flood(FLOOD_SECONDS), &load);
	err = on_session(control, ETW_IOC_STOP, other, 0);
	pthread_join(drain.thread, NULL);
	gone = session_statistics(control, other, &t);
	result(!err && !drain.err && !gone && !all_lost(&t) && !t.overwritten && t.read > 1000,
	       "flood by uid 65534, %s: a session with larger buffers keeps all # %llu read, %llu lost",
	       what, (unsigned long long)t.read, (unsigned long long)all_lost(&t));
	close(drain.fd);
	err = on_session(control, ETW_IOC_STOP, id, 0);
	session_statistics(control, id, &s);
	tell_flood(what, &s, &load);
	lost = mode ? s.overwritten : all_lost(&s);
	result(!err && lost && adds_up(&s, id),
	       "%s: what it missed is counted, STOP works # %llu, %s",
	       what, (unsigned long long)lost, error_name(err));
	result(load.slab < 32768 && load.vmalloc < 1024,
	       "%s: memory does not grow # Slab %ld kB, vmalloc %ld kB", what, load.slab,
	       load.vmalloc);
	result(load.slowest < 5, "%s: the machine answers # %.3f s at most", what, load.slowest);
	err = discard_session(control, id);
	result(!err && !list_sessions(control), "%s: discard works while the reader is there # %s",
	       what, error_name(err));
	close(fd);
}

static void test_floods(void)
{
	lazy_reader(0, "a reader that never reads");
	lazy_reader(EVENT_TRACE_BUFFERING_MODE, "a reader that never reads, overwrite mode");
}

#endif /* ETW_TEST_ABUSE_FLOOD_H */
