/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The etw authors */
/* ENABLE and PROVIDERS: requests, what must come of them, and what they return. */
#ifndef ETW_TEST_FUZZ_PROVIDERS_H
#define ETW_TEST_FUZZ_PROVIDERS_H

#include "verdict.h"

/* Few GUIDs, so that they are given again; more than a session may enable */
#define GUIDS		80U
#define PROVIDERS_VER0		16
#define PROVIDER_INFO_VER0	32
#define MAX_INFOS	(ETW_MAX_LOGGERS * ETW_MAX_ENABLED)

/* As PROVIDERS returns them; no program registers any here, so these are all */
struct enabled {
	struct etw_provider_info info[MAX_INFOS];
	__u32 count;
};

/* Outside of what is fuzzed */
static inline void list_enabled(struct worker *w, struct enabled *all)
{
	struct etw_providers p = {
		.size = sizeof(p), .count = MAX_INFOS, .providers = (unsigned long)all->info,
		.entry_size = sizeof(all->info[0]),
	};
	int err = ask(w, PROVIDERS, &p);

	if (err || p.count > MAX_INFOS)
		finding(w, "PROVIDERS: %s, %u entries", error_name(err), p.count);
	all->count = err || p.count > MAX_INFOS ? 0 : p.count;
}

/* The entry of a session and a GUID, or NULL; @count: out: how many the session has */
static inline const struct etw_provider_info *find_enabled(const struct enabled *all, __u32 id,
							   const struct etw_guid *guid,
							   __u32 *count)
{
	const struct etw_provider_info *found = NULL;
	__u32 i;

	*count = 0;
	for (i = 0; i < all->count; i++) {
		if (all->info[i].logger_id != id)
			continue;
		++*count;
		if (!memcmp(&all->info[i].guid, guid, sizeof(*guid)))
			found = &all->info[i];
	}
	return found;
}

/* Sessions that have the GUID enabled */
static inline __u32 count_sessions(const struct enabled *all, const struct etw_guid *guid)
{
	__u32 i, count = 0;

	for (i = 0; i < all->count; i++)
		count += all->info[i].logger_id && !memcmp(&all->info[i].guid, guid, sizeof(*guid));
	return count;
}

/* @size: bytes of the argument that the kernel knows; those behind them are 0 */
static inline errors model_enable(struct worker *w, struct verdict *v, const __u8 *p, __u32 size)
{
	static struct enabled all;
	const struct etw_provider_info *had;
	struct etw_enable e = { 0 };
	errors good;
	__u32 count;

	memcpy(&e, p, size);
	v->id = e.logger_id;
	if (e.enabled > ETW_ENABLE_CAPTURE_STATE || e.level > 255 || e.reserved ||
	    (e.properties & ~ETW_ENABLE_PROPERTIES) ||
	    (e.nr_filters && (e.enabled != 1 || e.nr_filters > ETW_MAX_EVENT_FILTERS)))
		return E(EINVAL);
	good = e.enabled == 1 ? E(0) | E(ENOSPC) : E(0) | E(ENOENT);
	if (w->alone) {
		list_enabled(w, &all);
		had = find_enabled(&all, e.logger_id, &e.guid, &count);
		if (e.enabled == 1)
			good = had || (count < ETW_MAX_ENABLED &&
				       count_sessions(&all, &e.guid) < ETW_MAX_LISTENERS) ?
			       E(0) : E(ENOSPC);
		else
			good = had ? E(0) : E(ENOENT);
	}
	/* the filters are any bytes, and checked before the session is looked up */
	if (e.nr_filters)
		return exists(w, e.logger_id, good | E(EALREADY) | E(ENOMEM)) |
		       E(EINVAL) | E(EFAULT) | E(EOPNOTSUPP) | E(ENOMEM);
	return exists(w, e.logger_id, good | E(EALREADY) | (e.enabled == 1 ? E(ENOMEM) : 0));
}

/* No other worker does anything: PROVIDERS returns what it said, or no entry. */
static inline void check_enabled(struct worker *w, const struct etw_enable *e)
{
	static struct enabled all;
	const struct etw_provider_info *has;
	__u32 count;

	list_enabled(w, &all);
	has = find_enabled(&all, e->logger_id, &e->guid, &count);
	if (!has != !e->enabled || count > ETW_MAX_ENABLED ||
	    count_sessions(&all, &e->guid) > ETW_MAX_LISTENERS ||
	    (has && e->enabled == 1 &&
	     (has->level != e->level || has->enable_flags != e->enable_flags)))
		finding(w, "ENABLE %u by %u: PROVIDERS has level %u, flags 0x%x of %u",
			e->enabled, e->logger_id, has ? has->level : 0,
			has ? has->enable_flags : 0, count);
}

/* @known: bytes of the argument that the kernel knows */
static inline errors model_providers(struct worker *w, struct request *r, struct verdict *v,
				     const __u8 *p, __u32 known)
{
	static struct enabled all;
	struct etw_providers list = { 0 };
	__u64 size;
	errors good = E(0) | E(EFAULT);

	memcpy(&list, p, known);
	if (list.size == PROVIDERS_VER0)
		list.entry_size = PROVIDER_INFO_VER0;
	if (list.entry_size > sizeof(struct etw_provider_info))
		return E(E2BIG);
	if ((list.entry_size != PROVIDER_INFO_VER0 &&
	     list.entry_size != sizeof(struct etw_provider_info)) || list.reserved)
		return E(EINVAL);
	v->information = list.providers;
	size = (__u64)list.count * list.entry_size;
	v->information_size = size < 0x100000 ? size : 0x100000;
	if (w->alone) {
		list_enabled(w, &all);
		if (list.count > all.count)
			size = (__u64)all.count * list.entry_size;
		good = !size || writable(w, list.providers, size) ? E(0) : E(EFAULT);
	} else if (!size || writable(w, list.providers, size)) {
		good = E(0);
	}
	if (!writable(w, r->arg, known))
		good = E(EFAULT);
	return good | E(ENOMEM);
}

/* @room: bytes that there was room for. What is returned was so at one moment. */
static inline void check_providers(struct worker *w, const struct etw_providers *list, __u32 room)
{
	const __u32 entry = list->size == PROVIDERS_VER0 ? PROVIDER_INFO_VER0 : list->entry_size;
	__u32 i, count[ETW_MAX_LOGGERS + 1] = { 0 };
	struct etw_provider_info info = { 0 };
	const __u8 *at;

	if (entry != PROVIDER_INFO_VER0 && entry != sizeof(info))
		return;
	for (i = 0; i < list->count && i < room / entry; i++) {
		at = peek(w, list->providers + i * entry, entry);
		if (!at)
			return;
		memcpy(&info, at, entry);
		if (!info.logger_id || info.logger_id > ETW_MAX_LOGGERS || info.level > 255 ||
		    info.registrations || ++count[info.logger_id] > ETW_MAX_ENABLED)
			finding(w, "PROVIDERS: entry %u of %u: logger %u, level %u, %u times", i,
				list->count, info.logger_id, info.level, info.registrations);
	}
}

#endif /* ETW_TEST_FUZZ_PROVIDERS_H */
