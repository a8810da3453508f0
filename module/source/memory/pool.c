// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* Kernel memory: slab allocations 0x0E20, frees 0x0E22. */
#include <linux/percpu.h>
#include <linux/sched.h>
#include <linux/slab.h>
#include <trace/events/kmem.h>
#include "compat.h"
#include "source/opaque_key.h"
#include "source/probe.h"
#include "slab_tag.h"
#include "source/source.h"
#include "source/write.h"

/*
 * Probes run wherever memory is allocated or freed: in tasks, in interrupts, and from 6.18
 * on in NMIs. They do not allocate, so no probe triggers another one.
 */

/* PERFINFO_POOL as three u64 */
static_assert(sizeof(struct perfinfo_pool) == 24);

static int prepare(struct etw_source *source)
{
	etw_slab_tags_learn();
	return 0;
}

static noinline bool takes_tag(const struct etw_filter *filter, u32 tag)
{
	return !filter || etw_filter_takes_tag(filter, tag);
}

/* Preemption is off */
static __always_inline void write_event(const struct etw_listeners *listeners, u16 hook_id,
					const void *object, u32 tag, size_t bytes)
{
	const struct etw_listener *listener, *end = listeners->listener + listeners->count;
	struct etw_small_event event = {
		.hook_id = hook_id,
		.version = PERFINFO_POOL_VERSION,
		.size = sizeof(struct perfinfo_pool),
		.word0 = ETW_POOL_NON_PAGED_NX | (u64)tag << 32,
		.word1 = bytes,
	};
	struct etw_moment moment = etw_moment_of_event();

	for (listener = listeners->listener; listener != end; listener++) {
		if (unlikely(listener >= listeners->bare_end) && !takes_tag(listener->filter, tag))
			continue;
		/* memory that is freed is often the next that is allocated */
		event.word2 = etw_opaque_key_cached(listener->sink, (unsigned long)object);
		etw_write_current(listeners, listener, &event, &moment);
	}
}

/* @cache: if NULL, the object's own cache is used */
static __always_inline void happened(const struct etw_source *source, u16 hook_id,
				     const void *object, const struct kmem_cache *cache,
				     size_t bytes)
{
	const struct etw_listeners *listeners;

	/* failed allocations and kfree(NULL) have no object */
	if (unlikely(ZERO_OR_NULL_PTR(object)))
		return;
	listeners = etw_listeners_of(source);
	if (likely(listeners))
		write_event(listeners, hook_id, object,
			    cache ? etw_slab_cache_tag(cache) : etw_slab_object_tag(object), bytes);
}

ETW_PROBE(kmalloc,
	  TP_PROTO(unsigned long call_site, const void *ptr, size_t bytes_req,
		   size_t bytes_alloc, gfp_t gfp_flags, int node),
	  TP_ARGS(call_site, ptr, bytes_req, bytes_alloc, gfp_flags, node))
{
	happened(source, PERFINFO_LOG_TYPE_ALLOCATEPOOL, ptr, NULL, bytes_req);
}

ETW_PROBE(kmem_cache_alloc,
	  TP_PROTO(unsigned long call_site, const void *ptr, struct kmem_cache *s,
		   gfp_t gfp_flags, int node),
	  TP_ARGS(call_site, ptr, s, gfp_flags, node))
{
	happened(source, PERFINFO_LOG_TYPE_ALLOCATEPOOL, ptr, s, kmem_cache_size(s));
}

/* Sizes are not stored: consumers use that of the allocation (kernel-events.rst 5.14) */
ETW_PROBE(kfree, TP_PROTO(unsigned long call_site, const void *ptr), TP_ARGS(call_site, ptr))
{
	happened(source, PERFINFO_LOG_TYPE_FREEPOOL, ptr, NULL, 0);
}

ETW_PROBE(kmem_cache_free,
	  TP_PROTO(unsigned long call_site, const void *ptr, const struct kmem_cache *s),
	  TP_ARGS(call_site, ptr, s))
{
	happened(source, PERFINFO_LOG_TYPE_FREEPOOL, ptr, s, 0);
}

ETW_SOURCE(ETW_ORDER_ANY, pool) = {
	.name = "pool",
	.groups = ETW_GROUPS(PERF_POOL),
	.hooks = ETW_HOOKS(PERFINFO_LOG_TYPE_ALLOCATEPOOL, PERFINFO_LOG_TYPE_FREEPOOL),
	.points = ETW_POINTS({ .probe = &probe_kmalloc },
			     { .probe = &probe_kmem_cache_alloc },
			     { .probe = &probe_kfree },
			     { .probe = &probe_kmem_cache_free }),
	.prepare = prepare,
};
