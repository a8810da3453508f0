// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* Pool tags: the name of a cache, or the size for kmalloc(). */
#define pr_fmt(fmt) KBUILD_MODNAME ": " fmt
#include <linux/mm.h>
#include <linux/slab.h>
#include <linux/string.h>
#include <linux/uaccess.h>
#include <linux/workqueue.h>
#include "compat.h"
#include "slab_tag.h"

/*
 * Only the allocator knows the offset of a cache's name, and of the cache pointer in an
 * object's page, and they differ between kernels. So two caches with known names are
 * created, and the two offsets are searched at which both caches have the expected value.
 * Once found, the offsets are valid until the next boot. Otherwise tags contain less, but
 * are still the same for an object's allocation and its free.
 */
static const char *const names[] = { "etw_known_cache_of_56", "etw_other_known_cache_of_72" };
static const unsigned int sizes[] = { 56, 72 };

#define KNOWN	ARRAY_SIZE(names)

/**
 * struct known - a cache with a known name
 * @cache: the cache
 * @object: an object of @cache
 */
struct known {
	struct kmem_cache *cache;
	void *object;
};

/* Offsets in bytes; 0: unknown. Neither is the first word, which has other uses in both */
static u32 cache_in_page, name_in_cache;

#define TAG(a, b, c, d)	((u32)(a) | (u32)(b) << 8 | (u32)(c) << 16 | (u32)(d) << 24)
#define TAG_UNKNOWN	TAG('s', 'l', 'a', 'b')
#define TAG_KMALLOC	TAG('k', 'm', 'a', 'l')
#define TAG_DMA		TAG('d', 'm', 'a', '-')

static void *word_at(const void *object, u32 at)
{
	void *word;

	return copy_from_kernel_nofault(&word, object + at, sizeof(word)) ? NULL : word;
}

static u32 find_cache_in_page(const struct known *known)
{
	u32 at, i, found = 0;

	for (at = sizeof(long); at < sizeof(struct page); at += sizeof(long)) {
		for (i = 0; i < KNOWN; i++)
			if (word_at(etw_head_page(known[i].object), at) != known[i].cache)
				break;
		if (i < KNOWN)
			continue;
		if (found)
			return 0;
		found = at;
	}
	return found;
}

static bool is_text(const void *address, const char *text)
{
	char copy[32];
	size_t size = strlen(text) + 1;

	return address && size <= sizeof(copy) &&
	       !copy_from_kernel_nofault(copy, address, size) && !memcmp(copy, text, size);
}

/* @size: of a struct kmem_cache */
static u32 find_name_in_cache(const struct known *known, u32 size)
{
	u32 at, i;

	for (at = sizeof(long); at + sizeof(long) <= size; at += sizeof(long)) {
		for (i = 0; i < KNOWN; i++)
			if (!is_text(word_at(known[i].cache, at), names[i]))
				break;
		if (i == KNOWN)
			return at;
	}
	return 0;
}

/* NULL if the object has no cache, or if the offset is unknown. Any context. */
static const struct kmem_cache *cache_of(const void *object)
{
	/* the allocator reads this word as well, before it frees the object */
	struct page *page = etw_head_page(object);

	if (!cache_in_page || !folio_test_slab((struct folio *)page))
		return NULL;
	return *(const struct kmem_cache *const *)((const void *)page + cache_in_page);
}

static void learn_from(const struct known *known)
{
	const struct kmem_cache *caches;

	cache_in_page = find_cache_in_page(known);
	/* caches are objects of a cache, too, and its object size is their size */
	caches = cache_of(known[0].cache);
	if (caches)
		name_in_cache = find_name_in_cache(known, kmem_cache_size((void *)caches));
}

/* A constructor prevents merging with another cache, under that cache's name */
static void construct(void *object)
{
}

static void learn_work(struct work_struct *work)
{
	struct known known[KNOWN] = { };
	u32 i;

	for (i = 0; i < KNOWN; i++) {
		known[i].cache = kmem_cache_create(names[i], sizes[i], 0, 0, construct);
		if (!known[i].cache)
			break;
		known[i].object = kmem_cache_alloc(known[i].cache, GFP_KERNEL);
		if (!known[i].object)
			break;
	}
	if (i == KNOWN) {
		learn_from(known);
		if (!name_in_cache)
			pr_info("no names of slab caches on this kernel: their tag is \"slab\"\n");
	}
	for (i = 0; i < KNOWN; i++) {
		if (known[i].object)
			kmem_cache_free(known[i].cache, known[i].object);
		kmem_cache_destroy(known[i].cache);
	}
}

/**
 * etw_slab_tags_learn() - find the offsets that tags need
 *
 * If memory is short, nothing is found, and the next call tries again. The kernel logs a
 * failed cache creation with a stack, like a bug. It would fail in a task that is being
 * killed for lack of memory, or that has fault injection, so a worker creates the caches.
 *
 * User Mode Linux learns nothing. There, copy_from_kernel_nofault() panics in a kernel thread
 * if the address is mapped without access, and the search reads any word as an address.
 *
 * Context: process; sleeps.
 */
void etw_slab_tags_learn(void)
{
	struct work_struct work;

	if (name_in_cache || IS_ENABLED(CONFIG_UML))
		return;
	INIT_WORK_ONSTACK(&work, learn_work);
	queue_work(etw_unbound_wq, &work);
	flush_work(&work);
	destroy_work_on_stack(&work);
}

/*
 * A size as a tag: "km64", "k128", "km1k", "km8k", "k16k", "128k", "km4M": the size at the
 * end, after as much of "km" as fits.
 */
static u32 size_tag(size_t bytes)
{
	static const char units[] = { 0, 'k', 'M', 'G' };
	u32 unit = 0, left = 4, tag = 0;

	while (bytes >= 1024 && !(bytes % 1024) && unit < ARRAY_SIZE(units) - 1) {
		bytes /= 1024;
		unit++;
	}
	if (!bytes || bytes > (unit ? 999 : 9999))
		return TAG_KMALLOC;
	if (unit)
		tag |= (u32)units[unit] << 8 * --left;
	for (; bytes; bytes /= 10)
		tag |= (u32)('0' + bytes % 10) << 8 * --left;
	if (left == 3)		/* one character, then a blank */
		return tag >> 8 | TAG('k', 'm', 0, ' ');
	if (left == 2)
		return tag | TAG('k', 'm', 0, 0);
	return left ? tag | 'k' : tag;
}

/*
 * size_tag() of the sizes of kmalloc()'s caches, computed once: the size, and the tag above it.
 * The sizes are powers of two, or half as large again: no two of these share a place. Another size
 * that finds its place taken is computed each time.
 */
static u64 kept_tags[66];	/* two for each result of fls() */

static u32 kmalloc_tag(u32 bytes)
{
	u32 order = fls(bytes), at = 2 * order + (order > 1 ? bytes >> (order - 2) & 1 : 0);
	u64 kept = READ_ONCE(kept_tags[at]);

	if (likely(kept && (u32)kept == bytes))
		return kept >> 32;
	if (!kept)
		WRITE_ONCE(kept_tags[at], (u64)size_tag(bytes) << 32 | bytes);
	return size_tag(bytes);
}

/* The name begins with "kmal" or "dma-". Reads no further than the name. */
static bool is_kmalloc(const char *name)
{
	if (name[0] == 'd')
		name += 4;
	return name[0] == 'k' && name[1] == 'm' && name[2] == 'a' && name[3] == 'l' &&
	       name[4] == 'l' && name[5] == 'o' && name[6] == 'c' && name[7] == '-';
}

/* The first four characters, padded with blanks */
static u32 tag_of_name(const char *name)
{
	u32 i, tag = TAG(' ', ' ', ' ', ' ');

	if (likely(name[0] && name[1] && name[2] && name[3]))
		return TAG((u8)name[0], (u8)name[1], (u8)name[2], (u8)name[3]);
	for (i = 0; name[i]; i++)
		tag = (tag & ~(0xFFU << 8 * i)) | (u32)(u8)name[i] << 8 * i;
	return tag;
}

/**
 * etw_slab_cache_tag() - the tag of a cache's objects
 * @cache: alive: one of its objects is allocated or freed now
 *
 * Context: any. Return: the first four characters of its name, padded with blanks; for
 * kmalloc()'s caches the size, see size_tag(). Four characters in memory order.
 */
u32 etw_slab_cache_tag(const struct kmem_cache *cache)
{
	const char *name;
	u32 tag;

	if (unlikely(!name_in_cache))
		return TAG_UNKNOWN;
	name = *(const char *const *)((const void *)cache + name_in_cache);
	tag = tag_of_name(name);
	if ((tag == TAG_KMALLOC || tag == TAG_DMA) && is_kmalloc(name))
		return kmalloc_tag(kmem_cache_size((struct kmem_cache *)cache));
	return tag;
}

/**
 * etw_slab_object_tag() - the tag of an object of kmalloc() or kfree()
 * @object: allocated, neither NULL nor ZERO_SIZE_PTR
 *
 * Context: any. Return: the tag of its cache; for an object too large for a cache, a tag
 * of its pages' size. The same for an object's allocation and its free.
 */
u32 etw_slab_object_tag(const void *object)
{
	const struct kmem_cache *cache = cache_of(object);

	if (unlikely(!cache_in_page))
		return TAG_UNKNOWN;
	if (likely(cache))
		return etw_slab_cache_tag(cache);
	return size_tag(PAGE_SIZE << folio_order((struct folio *)etw_head_page(object)));
}
