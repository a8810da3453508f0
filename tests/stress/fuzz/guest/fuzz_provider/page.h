/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The etw authors */
/* REGISTER, UNREGISTER, ACK, SET_RULES, mmap() and the page, and calls that are none. */
#ifndef ETW_FUZZ_PROVIDER_PAGE_H
#define ETW_FUZZ_PROVIDER_PAGE_H

#include <poll.h>
#include "calls.h"

static inline void count(struct worker *w, enum kind kind, int err)
{
	w->tally->calls++;
	if (err)
		w->tally->err[kind]++;
	else
		w->tally->ok[kind]++;
}

static inline void expect(struct worker *w, enum kind kind, int err, errors must)
{
	char names[256];

	count(w, kind, err);
	if (must & E(err))
		return;
	name_errors(must, names, sizeof(names));
	finding(w, "%s: %s, instead of%s", kind_name[kind], error_name(err), names);
}

/* What ENABLE of a GUID sets: flags follow from level and session. */
static inline __u32 flags_of(__u32 level, __u32 logger)
{
	return mix(level << 16 | logger);
}

/* An entry, as a program reads it */
static inline struct etw_provider_state read_state(const volatile struct etw_provider_state *from)
{
	struct etw_provider_state state;
	__u32 i;

	for (i = 0; i < 1000000; i++)
		if (read_entry(from, &state))
			break;
	return state;
}

static inline int is_consistent(const struct etw_provider_state *s)
{
	if (s->sequence & 1)
		return 0;
	if (!s->enabled || !s->registered)
		return !s->enabled && !s->level && !s->logger_id && !s->flags;
	return s->enabled == 1 && s->logger_id && s->flags == flags_of(s->level, s->logger_id);
}

/* Whatever ENABLE does meanwhile, an entry is never half of one and half of another. */
static void page_step(struct worker *w)
{
	__u32 file = below(w, FILES), i = below(w, ETW_MAX_REGISTRATIONS), times;
	const struct etw_provider_page *page = w->page[file];
	struct etw_provider_state state;

	if (!page)
		return;
	if (page->version != 1 || page->reserved)
		finding(w, "page: version %u", page->version);
	/* there are more of them at the beginning */
	if (one_in(w, 4))
		i = below(w, 16);
	for (times = 1000; times--;) {
		state = read_state(&page->state[i]);
		if (state.registered == !!w->registered[file][i] && is_consistent(&state))
			continue;
		finding(w, "page: entry %u: %u registered %u enabled %u level %u logger %u, %x",
			i, state.sequence, state.registered, state.enabled, state.level,
			state.logger_id, state.flags);
		break;
	}
}

static inline __u32 lowest_free(const __u8 *registered)
{
	__u32 i = 0;

	while (i < ETW_MAX_REGISTRATIONS && registered[i])
		i++;
	return i;
}

/* A request with its size first, which is wrong now and then. Return: where it is */
static inline __u64 put_request(struct worker *w, void *request, __u32 size)
{
	__u32 *first = request;
	__u64 at;

	if (one_in(w, 8))
		*first = below(w, 64);
	w->used = 0;
	at = place(w, size);
	put(w, at, request, size);
	return at;
}

static void register_step(struct worker *w)
{
	struct etw_provider_register r = { .size = sizeof(r), .index = draw(w) };
	__u32 file = below(w, FILES), guid = below(w, POOL), index;
	__u64 at;
	errors must = 0;
	int err;

	index = lowest_free(w->registered[file]);
	r.guid = pool_guid(guid);
	at = put_request(w, &r, sizeof(r));
	if (!peek(w, at, sizeof(r)))
		must = E(EFAULT);
	else if (r.size != sizeof(r))
		must = E(EINVAL);
	else if (index == ETW_MAX_REGISTRATIONS)
		must = E(ENOSPC);
	else if (!writable(w, at, sizeof(r)))
		must = E(EFAULT);
	err = ioctl(w->fd[file], ETW_PROVIDER_REGISTER, at) ? errno : 0;
	expect(w, REGISTER, err, must ?: E(0));
	if (err)
		return;
	look(w, at, &r, sizeof(r));
	if (r.index != index)
		finding(w, "REGISTER: entry %u, not %u", r.index, index);
	if (index < ETW_MAX_REGISTRATIONS)
		w->registered[file][index] = guid + 1;
}

static void unregister_step(struct worker *w)
{
	struct etw_provider_unregister u = { .size = sizeof(u) };
	__u32 file = below(w, FILES), last = lowest_free(w->registered[file]);
	errors must = 0;
	__u64 at;
	int err;

	/* many at once now and then, so that there are few and many */
	u.index = one_in(w, 8) ? below(w, 300) : last ? below(w, last) : 0;
	at = put_request(w, &u, sizeof(u));
	if (!peek(w, at, sizeof(u)))
		must = E(EFAULT);
	else if (u.size != sizeof(u) || u.index >= ETW_MAX_REGISTRATIONS ||
		 !w->registered[file][u.index])
		must = E(EINVAL);
	err = ioctl(w->fd[file], ETW_PROVIDER_UNREGISTER, at) ? errno : 0;
	expect(w, UNREGISTER, err, must ?: E(0));
	if (!err && u.index < ETW_MAX_REGISTRATIONS)
		w->registered[file][u.index] = 0;
}

static void rules_step(struct worker *w)
{
	struct etw_provider_rules r = {
		.size = sizeof(r), .version = one_in(w, 2) ? ETW_RULES_5_0 : ETW_RULES_5_1,
	};
	__u32 file = below(w, FILES);
	errors must = 0;
	__u64 at;
	int err;

	if (one_in(w, 4))
		r.version = below(w, 0x600);
	at = put_request(w, &r, sizeof(r));
	if (!peek(w, at, sizeof(r)))
		must = E(EFAULT);
	else if (r.size != sizeof(r) ||
		 (r.version != ETW_RULES_5_0 && r.version != ETW_RULES_5_1))
		must = E(EINVAL);
	err = ioctl(w->fd[file], ETW_PROVIDER_SET_RULES, at) ? errno : 0;
	expect(w, RULES, err, must ?: E(0));
	if (!err)
		w->version[file] = r.version;
}

/* What was seen and acknowledged isn't news, unless something changed since. */
static void ack_step(struct worker *w)
{
	__u32 file = below(w, FILES), seen;
	struct pollfd p = { .fd = w->fd[file], .events = POLLPRI | POLLOUT };
	unsigned long number = draw(w) >> below(w, 64);
	int err, news;

	err = ioctl(w->fd[file], ETW_PROVIDER_ACK, number) ? errno : 0;
	expect(w, ACK, err, number >> 32 ? E(EINVAL) : E(0));
	if (!w->page[file])
		return;
	seen = __atomic_load_n(&w->page[file]->changes, __ATOMIC_ACQUIRE);
	err = ioctl(w->fd[file], ETW_PROVIDER_ACK, (unsigned long)seen) ? errno : 0;
	expect(w, ACK, err, E(0));
	if (poll(&p, 1, 0) != 1 || !(p.revents & POLLOUT))
		finding(w, "poll: %x", p.revents);
	news = !!(p.revents & POLLPRI);
	if (news && __atomic_load_n(&w->page[file]->changes, __ATOMIC_ACQUIRE) == seen)
		finding(w, "poll: news, but nothing changed");
}

/* Only as it is meant to be; and never to be written to, nor later */
static void map_step(struct worker *w)
{
	static const int protections[] = {
		PROT_READ, PROT_READ, PROT_READ, PROT_NONE, PROT_READ | PROT_WRITE,
		PROT_READ | PROT_EXEC, PROT_WRITE, PROT_EXEC,
	};
	__u32 file = below(w, FILES), pages = one_in(w, 4) ? 1 + below(w, 3) : 1;
	int protection = protections[below(w, 8)], flags = one_in(w, 8) ? MAP_PRIVATE : MAP_SHARED;
	off_t offset = one_in(w, 8) ? PAGE * (off_t)below(w, 3) : 0;
	const int events = offset == PAGE && pages == 2;
	errors must = 0;
	void *p;

	if ((!events && (pages != 1 || offset)) || flags == MAP_PRIVATE)
		must = E(EINVAL);
	else if (protection & (PROT_WRITE | PROT_EXEC))
		must = E(EPERM);
	p = mmap(NULL, pages * PAGE, protection, flags, w->fd[file], offset);
	expect(w, MAP, p == MAP_FAILED ? errno : 0, must ?: E(0));
	if (p == MAP_FAILED)
		return;
	if (!mprotect(p, PAGE, PROT_READ | PROT_WRITE) || !mprotect(p, PAGE, PROT_EXEC))
		finding(w, "mprotect of the page");
	if (events) {
		munmap(p, 2 * PAGE);
		return;
	}
	mprotect(p, PAGE, PROT_READ);
	if (w->page[file])
		munmap((void *)w->page[file], PAGE);
	w->page[file] = p;
}

/* Open anew: nothing stays registered, but an old mapping stays readable. */
static void open_step(struct worker *w)
{
	__u32 file = below(w, FILES);
	int fd = open(PROVIDER_NODE, O_RDWR | O_CLOEXEC);

	if (fd < 0) {
		finding(w, "open: %s", strerror(errno));
		return;
	}
	/* these have rights that a new file does not get */
	if (w->control && !w->opener) {
		close(fd);
		return;
	}
	close(w->fd[file]);
	w->fd[file] = fd;
	w->version[file] = ETW_RULES_5_1;
	memset(w->registered[file], 0, sizeof(w->registered[file]));
	if (w->page[file])
		munmap((void *)w->page[file], PAGE);
	w->page[file] = NULL;
}

static void other_step(struct worker *w)
{
	unsigned long cmd;
	int err;

	switch (below(w, 4)) {
	case 0:
		open_step(w);
		return;
	case 1:
		page_step(w);
		return;
	case 2:		/* a direction, a size */
		cmd = (ETW_PROVIDER_TRACE_EVENT + below(w, 7)) | (1 + below(w, 0xffff)) << 16;
		break;
	default:
		cmd = (one_in(w, 2) ? ETW_IOC_MAGIC : ETW_PROVIDER_MAGIC) << 8 |
		      (8 + below(w, 248));
	}
	err = ioctl(w->fd[below(w, FILES)], cmd, one_in(w, 2) ? wild(w) :
						 (unsigned long)w->rw) ? errno : 0;
	expect(w, OTHER, err, E(ENOTTY));
}

#endif /* ETW_FUZZ_PROVIDER_PAGE_H */
