/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The etw authors */
/* Pool tags: four characters that identify the kind of a slab object. */
#ifndef ETW_SLAB_TAG_H
#define ETW_SLAB_TAG_H

#include <linux/types.h>

struct kmem_cache;

void etw_slab_tags_learn(void);
u32 etw_slab_cache_tag(const struct kmem_cache *cache);
u32 etw_slab_object_tag(const void *object);

#endif /* ETW_SLAB_TAG_H */
