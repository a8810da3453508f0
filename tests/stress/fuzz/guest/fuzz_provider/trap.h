/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The etw authors */
/*
 * Calls that find their last page missing: while the kernel waits for it, all that
 * it has looked at becomes something else. A second look is detected, each time.
 */
#ifndef ETW_FUZZ_PROVIDER_TRAP_H
#define ETW_FUZZ_PROVIDER_TRAP_H

#include <linux/userfaultfd.h>
#include <poll.h>
#include <sys/syscall.h>
#include "race.h"

#define TRAP	(24 * PAGE)	/* where in the arena; everything else stands before it */

static inline int set_rules(int fd, __u32 version)
{
	struct etw_provider_rules rules = { .size = sizeof(rules), .version = version };

	return ioctl(fd, ETW_PROVIDER_SET_RULES, &rules);
}

/* Brings the page, once everything else has changed */
static void *trap_main(void *data)
{
	struct trap *trap = data;
	struct pollfd p = { .fd = trap->fd, .events = POLLIN };
	struct uffdio_copy copy = { .len = PAGE };
	struct uffd_msg msg;
	int ruled;

	for (;;) {
		if (poll(&p, 1, -1) < 0 || read(trap->fd, &msg, sizeof(msg)) != sizeof(msg) ||
		    msg.event != UFFD_EVENT_PAGEFAULT)
			continue;
		flip_all(trap->racer, 1);
		ruled = __atomic_load_n(&trap->ruled, __ATOMIC_ACQUIRE);
		if (ruled >= 0)
			set_rules(ruled, trap->other);
		trap->sprung++;
		copy.dst = msg.arg.pagefault.address & ~(__u64)(PAGE - 1);
		copy.src = (unsigned long)trap->page;
		if (ioctl(trap->fd, UFFDIO_COPY, &copy) && errno != EEXIST)
			printf("fuzz: UFFDIO_COPY: %s\n", strerror(errno));
	}
	return NULL;
}

/* As root: faults of the kernel are not for everybody. Kernels may lack it. */
static void make_trap(struct worker *w, int memory)
{
	struct uffdio_api api = { .api = UFFD_API };
	struct uffdio_register area = {
		.range = { (unsigned long)w->rw + TRAP, PAGE },
		.mode = UFFDIO_REGISTER_MODE_MISSING,
	};
	struct trap *trap = &w->trap;
	pthread_t thread;

	trap->racer = &w->racer;
	trap->memory = memory;
	trap->ruled = -1;
	trap->fd = syscall(SYS_userfaultfd, O_CLOEXEC);
	if (trap->fd < 0)
		return;
	if (ioctl(trap->fd, UFFDIO_API, &api) || ioctl(trap->fd, UFFDIO_REGISTER, &area) ||
	    pthread_create(&thread, NULL, trap_main, trap)) {
		close(trap->fd);
		trap->fd = -1;
	}
}

/* An address of a GUID is followed once all of the event is there, data included. */
static inline void spare_guid(struct worker *w, __u64 at)
{
	struct racer *racer = &w->racer;
	struct event_trace_header h;
	__u8 *guid;
	int i, n = 0;

	if (!look(w, at, &h, sizeof(h)) || !(h.flags & WNODE_FLAG_USE_GUID_PTR) ||
	    h.flags & WNODE_FLAG_USE_MOF_PTR)
		return;
	guid = peek(w, h.guid_ptr, sizeof(struct etw_guid));
	for (i = 0; i < racer->count; i++)
		if (racer->flip[i].at < guid || racer->flip[i].at >= guid + sizeof(h.guid))
			racer->flip[n++] = racer->flip[i];
	racer->count = n;
}

/* What was looked at before the data: any of it, and at once */
static inline void choose_trap_flips(struct worker *w, struct call *c)
{
	int i;

	for (i = 0; i < 3; i++)
		choose_flip(w, c);
	if (c->kind == EVENT)
		spare_guid(w, c->event);
	if (!one_in(w, 2))
		return;
	/* size and handle, of the request or of what is written */
	add_flip(w, c->argument, 4, draw(w));
	add_flip(w, c->argument + 8, 8, draw(w));
}

/* The call, while everything may change; its file's rules, too */
static int make_trapped_call(struct worker *w, const struct call *c)
{
	__u32 version = w->version[c->file];
	struct trap *trap = &w->trap;
	int err;

	trap->other = version == ETW_RULES_5_0 ? ETW_RULES_5_1 : ETW_RULES_5_0;
	__atomic_store_n(&trap->ruled, one_in(w, 2) ? w->fd[c->file] : -1, __ATOMIC_RELEASE);
	err = make_call(w, c);
	if (__atomic_exchange_n(&trap->ruled, -1, __ATOMIC_ACQ_REL) >= 0 &&
	    set_rules(w->fd[c->file], version))
		finding(w, "SET_RULES: %s", strerror(errno));
	return err;
}

static void trap_step(struct worker *w)
{
	struct call c = {
		.kind = raced_kind(w), .file = below(w, FILES), .slot = SLOTS,
	};
	struct trap *trap = &w->trap;
	__u32 before;
	int err;

	if (trap->fd < 0)
		return;
	w->used = 0;
	w->edge = 0;
	w->racer.count = 0;
	memset(w->rw, 0xEE, 5 * PAGE);
	w->data_at = (unsigned long)w->rw + TRAP;
	compose(w, &c, 1);
	w->data_at = 0;
	model_and_mark(w, &c);
	/* one that hasn't all of its data there isn't worth it */
	if (c.must || w->edge)
		return;
	choose_trap_flips(w, &c);
	memcpy(trap->page, w->rw + TRAP, PAGE);
	if (fallocate(trap->memory, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, TRAP, PAGE)) {
		finding(w, "fallocate: %s", strerror(errno));
		return;
	}
	before = __atomic_load_n(&trap->sprung, __ATOMIC_RELAXED);
	err = make_trapped_call(w, &c);
	judge(w, &c, err, allowed(&c));
	flip_all(&w->racer, 0);
	w->tally->trapped += __atomic_load_n(&trap->sprung, __ATOMIC_RELAXED) != before;
}

#endif /* ETW_FUZZ_PROVIDER_TRAP_H */
