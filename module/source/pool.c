// SPDX-License-Identifier: GPL-2.0
/* Kernel memory: allocations 0x0E20, frees 0x0E22 of the slab allocator. */
#include <linux/percpu.h>
#include <linux/sched.h>
#include <linux/slab.h>
#include <trace/events/kmem.h>
#include "../compat.h"
#include "../decorate/decoration.h"
#include "../decorate/filter.h"
#include "../record/records.h"
#include "opaque_key.h"
#include "probe.h"
#include "slab_tag.h"
#include "source.h"

/*
 * Probes run wherever memory is allocated or freed: in tasks, interrupts, from 6.18
 * on in NMIs. They allocate nothing themselves, so none calls another one.
 */

struct pool_record {
	u64 word;
	u64 tick;
	struct perfinfo_pool payload;
};

static_assert(sizeof(struct pool_record) ==
	      sizeof(struct perfinfo_trace_header) + sizeof(struct perfinfo_pool));

static int prepare(struct etw_source *source)
{
	etw_slab_tags_learn();
	return 0;
}

static bool takes(const struct etw_filter *filter, u16 hook_id, u32 tag)
{
	return !filter || (etw_filter_takes_hook(filter, hook_id) &&
			   etw_filter_takes_tag(filter, tag) &&
			   etw_filter_takes_process(filter, etw_process_id(current)));
}

static __always_inline void write(const struct etw_listener *listener, u16 hook_id,
				  const struct perfinfo_pool *payload)
{
	struct etw_ring *ring = this_cpu_ptr(listener->rings);
	struct pool_record *record;
	struct etw_place at;

	if (!etw_reserve(ring, sizeof(*record), &at, ETW_RESERVE_COUNT))
		return;
	record = at.data;
	record->word = etw_perfinfo_word(hook_id, PERFINFO_POOL_VERSION, sizeof(*record));
	record->tick = at.tick;
	record->payload = *payload;
	etw_commit(ring, &at, sizeof(*record));
}

static noinline void write_special(const struct etw_listener *listener, u16 hook_id,
				   const struct perfinfo_pool *payload)
{
	const struct etw_payload whole = { .data = payload, .size = sizeof(*payload) };

	if (takes(listener->filter, hook_id, payload->tag))
		etw_record_decorated(this_cpu_ptr(listener->rings), listener->decoration, hook_id,
				     PERFINFO_POOL_VERSION, &whole, ETW_RESERVE_COUNT);
}

/* With preemption off */
static __always_inline void tell(const struct etw_listeners *listeners, u16 hook_id,
				 const void *object, u32 tag, size_t bytes)
{
	const struct etw_listener *listener, *end = listeners->listener + listeners->count;
	struct perfinfo_pool payload = {
		.type = ETW_POOL_NON_PAGED_NX,
		.tag = tag,
		.number_of_bytes = bytes,
	};

	for (listener = listeners->listener; listener != end; listener++) {
		payload.entry = etw_opaque_key(listener->sink, (unsigned long)object);
		if (likely(listener < listeners->plain))
			write(listener, hook_id, &payload);
		else
			write_special(listener, hook_id, &payload);
	}
}

/* @cache: NULL: that of the object */
static __always_inline void happened(const struct etw_source *source, u16 hook_id,
				     const void *object, const struct kmem_cache *cache,
				     size_t bytes)
{
	const struct etw_listeners *listeners;

	/* what could not be allocated, and kfree(NULL): no object */
	if (unlikely(ZERO_OR_NULL_PTR(object)))
		return;
	listeners = etw_listeners_of(source);
	if (likely(listeners))
		tell(listeners, hook_id, object,
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

/* Nobody keeps sizes: consumers know it from the allocation (kernel-events.rst 5.14) */
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

static const u32 groups[] = { PERF_POOL };
static const u16 hooks[] = { PERFINFO_LOG_TYPE_ALLOCATEPOOL, PERFINFO_LOG_TYPE_FREEPOOL };
static struct etw_hook_point points[] = {
	{ .probe = &probe_kmalloc },
	{ .probe = &probe_kmem_cache_alloc },
	{ .probe = &probe_kfree },
	{ .probe = &probe_kmem_cache_free },
};

struct etw_source etw_source_pool = {
	.name = "pool",
	.groups = groups,
	.nr_groups = ARRAY_SIZE(groups),
	.hooks = hooks,
	.nr_hooks = ARRAY_SIZE(hooks),
	.points = points,
	.nr_points = ARRAY_SIZE(points),
	.prepare = prepare,
};
