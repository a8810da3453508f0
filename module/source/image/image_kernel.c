// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* Addresses of the kernel and its modules. */
#include <linux/atomic.h>
#include <linux/kallsyms.h>
#include <linux/kernel.h>
#include <linux/kobject.h>
#include <linux/math.h>
#include <linux/mm.h>
#include <linux/spinlock.h>
#include <linux/string.h>
#include <linux/uaccess.h>
#ifdef CONFIG_ARM64
#include <asm/boot.h>
#endif
#include "compat.h"
#include "ring/ring.h"
#include "image_kernel.h"
#include "source/kernel_address.h"

/* Number of module unloads, each counted before its record; readers only check for changes */
static atomic_t gone;

/* Most symbols that are visited to find the kernel's end */
#define MOST_SYMBOLS	16384

/**
 * etw_module_image() - get the image of a module
 * @module: loaded, or about to be freed
 * @image: out
 * @name: out: name with ".ko"
 *
 * Context: any.
 */
void etw_module_image(const struct module *module, struct etw_image *image,
		      char name[ETW_KERNEL_IMAGE_NAME])
{
	*image = (struct etw_image){ .stamp = etw_module_stamp(module) };
	etw_module_text(module, &image->base, &image->size);
	snprintf(name, ETW_KERNEL_IMAGE_NAME, "%s.ko", module->name);
}

/*
 * Kernels without CONFIG_KALLSYMS_ALL have only function symbols. Then the code begins some
 * pages after the start of the image, which arm64's boot protocol aligns to 2 MB.
 */
static u64 find_base(void)
{
	u64 base = etw_kernel_address("_text");

	if (base)
		return base;
	base = etw_kernel_address("_stext");
#ifdef CONFIG_ARM64
	base = round_down(base, MIN_KIMG_ALIGN);
#endif
	return base;
}

/* Skip the symbols from an address on, one after another, to the end of the kernel */
static u64 behind_symbols(u64 address)
{
	char text[KSYM_SYMBOL_LEN];
	unsigned long offset, size;
	const char *place;
	u32 i;

	for (i = 0; i < MOST_SYMBOLS; i++) {
		sprint_symbol(text, address);
		place = strrchr(text, '+');
		if (!place || sscanf(place, "+%lx/%lx", &offset, &size) != 2 || size <= offset)
			break;
		address += size - offset;
	}
	return address;
}

/*
 * _end is past the kernel, and _etext and _einittext are past its code, and lookups find
 * nothing there. So the search starts at a symbol near the end. Without data symbols the
 * result is the end of the boot code, which the first CPU's idle thread has on its stack.
 */
static u64 find_end(void)
{
	static const char * const near_end[] = { "__bss_stop", "_sinittext", "__kprobes_text_end" };
	u64 end = 0;
	u32 i;

	for (i = 0; !end && i < ARRAY_SIZE(near_end); i++)
		end = etw_kernel_address(near_end[i]);
	return end ? behind_symbols(end) : 0;
}

/**
 * etw_vmlinux_image() - get the image of the kernel
 * @image: out
 *
 * Context: process; sleeps. Return: whether its addresses are known.
 */
bool etw_vmlinux_image(struct etw_image *image)
{
	unsigned long id = etw_kernel_address("vmlinux_build_id");
	u64 end = find_end();

	*image = (struct etw_image){ .base = find_base() };
	if (!image->base || end <= image->base)
		return false;
	image->size = end - image->base;
	if (id && copy_from_kernel_nofault(&image->stamp, (void *)id, sizeof(image->stamp)))
		image->stamp = 0;
	return true;
}

/*
 * The modules in sysfs, which contains each module from before its first function to after
 * its last. The kernel's own list is not exported, and a walk that starts at a module passes
 * the list head, which looks like any other entry.
 */
static struct kset *modules(void)
{
	return THIS_MODULE->mkobj.kobj.kset;
}

static u32 collect(struct etw_kernel_images *images, u32 capacity)
{
	struct kobject *object;
	u32 count = 0;

	images->count = 0;
	spin_lock(&modules()->list_lock);
	list_for_each_entry(object, &modules()->list, entry) {
		const struct module *module = container_of(object, struct module_kobject,
							   kobj)->mod;
		struct etw_kernel_image *entry;

		if (!module)	/* built-in, with parameters */
			continue;
		if (count++ >= capacity)
			continue;
		entry = &images->entries[images->count++];
		etw_module_image(module, &entry->image, entry->name);
	}
	spin_unlock(&modules()->list_lock);
	return count;
}

/* Whether it is that module, its exit not called and its init not failed. */
static bool is_module(const struct module *module, const struct etw_kernel_image *entry)
{
	struct etw_kernel_image now;

	if (!module || READ_ONCE(module->state) == MODULE_STATE_GOING)
		return false;
	etw_module_image(module, &now.image, now.name);
	return now.image.base == entry->image.base && !strcmp(now.name, entry->name);
}

/**
 * etw_module_is_loaded() - whether a module that was listed is still loaded
 * @entry: of etw_kernel_images_take()
 *
 * A module that has begun to unload does not count. It begins before etw_module_goes(), so
 * a caller that reads etw_modules_gone() first can detect an unload since then.
 * Context: process.
 */
bool etw_module_is_loaded(const struct etw_kernel_image *entry)
{
	struct kobject *object;
	bool loaded = false;

	smp_rmb();	/* pairs with etw_module_goes(): the state is read after the count */
	spin_lock(&modules()->list_lock);
	list_for_each_entry(object, &modules()->list, entry) {
		loaded = is_module(container_of(object, struct module_kobject, kobj)->mod, entry);
		if (loaded)
			break;
	}
	spin_unlock(&modules()->list_lock);
	return loaded;
}

/**
 * etw_module_goes() - count a module unload, before it is recorded
 *
 * Context: any.
 */
void etw_module_goes(void)
{
	smp_mb__before_atomic();	/* see etw_module_is_loaded() */
	atomic_inc(&gone);
}

/**
 * etw_modules_gone() - number of module unloads so far
 *
 * Context: any.
 */
u32 etw_modules_gone(void)
{
	return atomic_read(&gone);
}

/**
 * etw_kernel_images_take() - list all loaded modules
 * @images: out
 *
 * Context: process; sleeps. Return: 0 or -ENOMEM.
 */
int etw_kernel_images_take(struct etw_kernel_images *images)
{
	u32 capacity;

	*images = (struct etw_kernel_images){ };
	if (!modules())
		return 0;
	for (capacity = collect(images, 0); capacity; ) {
		u32 count;

		capacity += 8;
		images->entries = kvcalloc(capacity, sizeof(*images->entries), ETW_GFP_BUFFER);
		if (!images->entries)
			return -ENOMEM;
		count = collect(images, capacity);
		if (count <= capacity)
			break;
		etw_kernel_images_drop(images);
		capacity = count;
	}
	return 0;
}

/**
 * etw_kernel_images_drop() - undo etw_kernel_images_take()
 * @images: taken
 */
void etw_kernel_images_drop(struct etw_kernel_images *images)
{
	kvfree(images->entries);
	*images = (struct etw_kernel_images){ };
}
