// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/*
 * Memory of known pools: writes to the parameter "round" allocate and free so much. A write to
 * "mark" does that once on each CPU, of a size that no other code uses.
 */
#include <linux/cpu.h>
#include <linux/mm.h>
#include <linux/module.h>
#include <linux/slab.h>
#include <linux/workqueue.h>

/* Tag "ew7p"; no other code uses the size */
#define NAME	"ew7pool_of_the_test"
#define BYTES	184
#define LARGE	40000	/* too large for a cache: tag "k64k" */
#define MOST	4096
#define MARK	7777

static struct kmem_cache *cache;
static void *object[MOST];

/* With it the cache is never merged with others */
static void construct(void *memory)
{
}

static int free_all(unsigned int count)
{
	unsigned int i;
	int err = 0;

	for (i = 0; i < count; i++) {
		if (!object[i])
			err = -ENOMEM;
		else
			kmem_cache_free(cache, object[i]);
		object[i] = NULL;
	}
	return err;
}

/* So many of the cache, all of them there at once; a tenth as many large ones */
static int round_set(const char *text, const struct kernel_param *param)
{
	unsigned int count, i;
	int err = kstrtouint(text, 0, &count);

	if (err)
		return err;
	if (!cache || count > MOST)
		return -EINVAL;
	for (i = 0; i < count; i++)
		object[i] = kmem_cache_alloc(cache, GFP_KERNEL);
	for (i = 0; i < count / 10; i++) {
		void *large = kmalloc(LARGE, GFP_KERNEL);

		if (!large)
			err = -ENOMEM;
		kfree(large);
	}
	kfree(NULL);	/* is no event */
	return free_all(count) ? : err;
}

static const struct kernel_param_ops round_ops = { .set = round_set };
module_param_cb(round, &round_ops, NULL, 0200);

/*
 * Two tracers with a probe each agree about what came before it and what after: nothing may
 * interrupt it between them, and, as the work of a thread, it interrupts no other event.
 */
static long mark(void *unused)
{
	unsigned long flags = 0;
	void *memory;

	/* locks of an allocation sleep on PREEMPT_RT, where interrupts allocate nothing */
	if (!IS_ENABLED(CONFIG_PREEMPT_RT))
		local_irq_save(flags);
	memory = kmalloc(MARK, GFP_ATOMIC);
	kfree(memory);
	if (!IS_ENABLED(CONFIG_PREEMPT_RT))
		local_irq_restore(flags);
	return memory ? 0 : -ENOMEM;
}

static int mark_set(const char *text, const struct kernel_param *param)
{
	int err = 0;
	int cpu;

	cpus_read_lock();
	for_each_online_cpu(cpu) {
		err = work_on_cpu(cpu, mark, NULL);
		if (err)
			break;
	}
	cpus_read_unlock();
	return err;
}

static const struct kernel_param_ops mark_ops = { .set = mark_set };
module_param_cb(mark, &mark_ops, NULL, 0200);

static int __init pool_load_init(void)
{
	cache = kmem_cache_create(NAME, BYTES, 0, 0, construct);
	return cache ? 0 : -ENOMEM;
}

static void __exit pool_load_exit(void)
{
	kmem_cache_destroy(cache);
}

module_init(pool_load_init);
module_exit(pool_load_exit);
MODULE_DESCRIPTION("Memory of known pools, for tests");
MODULE_LICENSE("GPL");
