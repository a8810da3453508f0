// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* Plays a processor with PEBS and perf's drains, and logs what a switch should see. */
#define pr_fmt(fmt) KBUILD_MODNAME ": " fmt
#include <linux/debugfs.h>
#include <linux/delay.h>
#include <linux/ftrace.h>
#include <linux/kprobes.h>
#include <linux/module.h>
#include <linux/percpu.h>
#include <linux/perf_event.h>
#include <linux/sched.h>
#include <linux/string.h>
#include <linux/tracepoint.h>
#include <linux/vmalloc.h>
#include <trace/events/sched.h>

#if defined(CONFIG_X86_64) && defined(CONFIG_CPU_SUP_INTEL) && defined(CONFIG_KPROBES) && \
	defined(CONFIG_DYNAMIC_FTRACE)
#include <asm/apic.h>
#include <asm/cpu_entry_area.h>
#include <asm/cpufeature.h>
#include <asm/nmi.h>

/*
 * Records are written by moving pebs_index of the kernel's own debug stores,
 * which perf leaves alone on a processor without PEBS. A drain is a call of
 * perf's function, which returns at once there; what it does to the index on
 * others is done here, after it.
 *
 * The index that reaches the threshold raises an interrupt: an NMI to the CPU
 * itself. It comes at once, or is held back until the next drain outside NMIs,
 * and then comes right behind etw's hook, before the index is reset, or after
 * it all; until it comes, nothing is written. Other CPUs send NMIs, too, which
 * mean nothing, and in which records are written.
 *
 * Around each switch's record stand two probes, one before and one after etw's:
 * the index in the record lies between the numbers that they log. They are the
 * same unless an NMI came in between.
 */
static bool run;
module_param(run, bool, 0644);
MODULE_PARM_DESC(run, "write records");
static unsigned int size = 200;
module_param(size, uint, 0444);
MODULE_PARM_DESC(size, "bytes of a record");
static unsigned int room = 29;
module_param(room, uint, 0444);
MODULE_PARM_DESC(room, "records that a buffer holds");
static char *function = "intel_pmu_drain_pebs_nhm";
module_param(function, charp, 0444);
MODULE_PARM_DESC(function, "what drains");
static bool nmi = true;
module_param(nmi, bool, 0444);
MODULE_PARM_DESC(nmi, "CPUs send each other NMIs");

#define LOG_ENTRIES	65536U
#define BUFFER_BASE	0xfffffe0000060000
#define THRESHOLD	(BUFFER_BASE + (room - room / 4) * size)

/**
 * struct switch_log - a context switch
 * @old_thread_id: that leaves
 * @new_thread_id: that comes
 * @before: records written when etw's probe began
 * @after: and when it had ended
 */
struct switch_log {
	u32 old_thread_id;
	u32 new_thread_id;
	u64 before;
	u64 after;
};

/**
 * struct hardware - what one CPU plays
 * @store: its debug store
 * @written: records so far
 * @pmu_off: a drain outside NMIs goes on
 * @held_back: an interrupt is due
 * @random: state of the generator outside NMIs
 * @nmi_random: and in them
 * @drains: drains outside NMIs
 * @nmi_drains: and in them
 * @nested: of these, those over another
 * @used: entries of the log
 * @log: entries
 * @blob: of debugfs
 */
struct hardware {
	struct debug_store *store;
	u64 written;
	bool pmu_off;
	bool held_back;
	u32 random;
	u32 nmi_random;
	u64 drains;
	u64 nmi_drains;
	u64 nested;
	u32 used;
	struct switch_log *log;
	struct debugfs_blob_wrapper blob;
};

static DEFINE_PER_CPU(struct hardware, hardware);
static struct dentry *debugfs;
static struct tracepoint *sched_switch, *sched_waking;
static void (*drain_pebs)(struct pt_regs *regs, struct perf_sample_data *data);

static u32 random_below(u32 *state, u32 limit)
{
	*state = *state * 1664525 + 1013904223;
	return (u64)*state * limit >> 32;
}

static void interrupt(unsigned int cpu)
{
	apic->send_IPI(cpu, NMI_VECTOR);
}

/*
 * perf has one of this name, which is no drain: it calls the one that is, and may be
 * traced, too. A hook in both functions counts twice.
 */
static noinline void intel_pmu_drain_pebs_buffer(void)
{
	drain_pebs(NULL, NULL);
	barrier();	/* a call, and then a return, as in perf */
}

/* As perf does it: nothing is written while it runs. */
static void drain(struct hardware *hw)
{
	WRITE_ONCE(hw->pmu_off, true);
	barrier();
	hw->drains++;
	intel_pmu_drain_pebs_buffer();
	WRITE_ONCE(hw->store->pebs_index, BUFFER_BASE);
	barrier();
	WRITE_ONCE(hw->pmu_off, false);
	if (READ_ONCE(hw->held_back))
		interrupt(smp_processor_id());
}

static void drain_in_nmi(struct hardware *hw)
{
	hw->nmi_drains++;
	drain_pebs(NULL, NULL);
	WRITE_ONCE(hw->store->pebs_index, BUFFER_BASE);
}

/* In drain_pebs(), behind etw's hook: that one was registered later. */
static void notrace window(unsigned long ip, unsigned long parent_ip, struct ftrace_ops *ops,
			   struct ftrace_regs *regs)
{
	struct hardware *hw = this_cpu_ptr(&hardware);

	if (!in_nmi() && READ_ONCE(hw->held_back) && hw->drains % 4)
		interrupt(smp_processor_id());
}

static struct ftrace_ops window_ops = {
	.func = window,
	.flags = FTRACE_OPS_FL_RECURSION,
};

/* An NMI may come at any instruction, and write, too. */
static void write_records(struct hardware *hw, u32 *random, u32 records)
{
	u64 index;

	while (records && !READ_ONCE(hw->held_back)) {
		index = READ_ONCE(hw->store->pebs_index);
		if (index + size > BUFFER_BASE + room * size)
			break;
		if (cmpxchg_local(&hw->store->pebs_index, index, index + size) != index)
			continue;
		this_cpu_inc(hardware.written);
		records--;
		if (index + size < THRESHOLD)
			continue;
		if (random_below(random, 2))
			WRITE_ONCE(hw->held_back, true);
		else
			interrupt(smp_processor_id());
	}
}

static int nmi_handler(unsigned int cmd, struct pt_regs *regs)
{
	struct hardware *hw = this_cpu_ptr(&hardware);

	if (hw->held_back || hw->store->pebs_index >= THRESHOLD) {
		hw->nested += hw->pmu_off;
		hw->held_back = false;
		drain_in_nmi(hw);
	} else if (READ_ONCE(run) && !hw->pmu_off) {
		write_records(hw, &hw->nmi_random, random_below(&hw->nmi_random, 4));
	}
	return NMI_HANDLED;
}

static void disturb_another(void)
{
	unsigned int cpu = cpumask_next(raw_smp_processor_id(), cpu_online_mask);

	if (cpu >= nr_cpu_ids)
		cpu = cpumask_first(cpu_online_mask);
	interrupt(cpu);
}

static void step(struct hardware *hw)
{
	u32 i;

	if (!READ_ONCE(run))
		return;
	if (nmi && !random_below(&hw->random, 3))
		disturb_another();
	for (i = random_below(&hw->random, 4); i; i--) {
		write_records(hw, &hw->random, random_below(&hw->random, 16));
		if (!random_below(&hw->random, 3))
			drain(hw);
	}
	write_records(hw, &hw->random, random_below(&hw->random, 5));
}

static void probe_waking(void *data, struct task_struct *task)
{
	unsigned long flags;

	local_irq_save(flags);
	step(this_cpu_ptr(&hardware));
	local_irq_restore(flags);
}

static void probe_before(void *data, bool preempt, struct task_struct *prev,
			 struct task_struct *next, unsigned int prev_state)
{
	struct hardware *hw = this_cpu_ptr(&hardware);
	struct switch_log *log = &hw->log[hw->used];

	step(hw);
	if (hw->used == LOG_ENTRIES)
		return;
	log->old_thread_id = prev->pid;
	log->new_thread_id = next->pid;
	log->before = this_cpu_read(hardware.written);
}

static void probe_after(void *data, bool preempt, struct task_struct *prev,
			struct task_struct *next, unsigned int prev_state)
{
	struct hardware *hw = this_cpu_ptr(&hardware);

	if (hw->used < LOG_ENTRIES)
		hw->log[hw->used++].after = this_cpu_read(hardware.written);
}

static void find(struct tracepoint *tp, void *unused)
{
	if (!strcmp(tp->name, "sched_switch"))
		sched_switch = tp;
	if (!strcmp(tp->name, "sched_waking"))
		sched_waking = tp;
}

static int hook_drain(void)
{
	unsigned char name[64];
	int err;

	strscpy(name, function, sizeof(name));
	err = ftrace_set_filter(&window_ops, name, strlen(name), 1);
	if (!err)
		err = register_ftrace_function(&window_ops);
	if (err)
		ftrace_set_filter(&window_ops, NULL, 0, 1);
	return err;
}

static void unhook_drain(void)
{
	unregister_ftrace_function(&window_ops);
	ftrace_set_filter(&window_ops, NULL, 0, 1);
}

static int find_drain(void)
{
	struct kprobe probe = { .symbol_name = function };
	int err = register_kprobe(&probe);

	if (err)
		return err;
	drain_pebs = (void *)probe.addr;
	unregister_kprobe(&probe);
	return 0;
}

static int init_hardware(void)
{
	int cpu;

	for_each_possible_cpu(cpu) {
		struct hardware *hw = per_cpu_ptr(&hardware, cpu);

		hw->log = vzalloc(LOG_ENTRIES * sizeof(*hw->log));
		if (!hw->log)
			return -ENOMEM;
		hw->random = cpu + 1;
		hw->nmi_random = cpu + 1000;
		hw->store = &get_cpu_entry_area(cpu)->cpu_debug_store;
		hw->store->pebs_buffer_base = BUFFER_BASE;
		hw->store->pebs_index = BUFFER_BASE;
		hw->store->pebs_absolute_maximum = BUFFER_BASE + room * size;
	}
	return 0;
}

static void exit_hardware(void)
{
	int cpu;

	for_each_possible_cpu(cpu) {
		struct hardware *hw = per_cpu_ptr(&hardware, cpu);

		vfree(hw->log);
		if (hw->store)
			memset(hw->store, 0, sizeof(u64) * 8);
	}
}

static void show_logs(void)
{
	char name[16];
	int cpu;

	debugfs = debugfs_create_dir(KBUILD_MODNAME, NULL);
	for_each_possible_cpu(cpu) {
		struct hardware *hw = per_cpu_ptr(&hardware, cpu);

		hw->blob.data = hw->log;
		hw->blob.size = LOG_ENTRIES * sizeof(*hw->log);
		snprintf(name, sizeof(name), "cpu%d", cpu);
		debugfs_create_blob(name, 0400, debugfs, &hw->blob);
		snprintf(name, sizeof(name), "used%d", cpu);
		debugfs_create_u32(name, 0400, debugfs, &hw->used);
		snprintf(name, sizeof(name), "nested%d", cpu);
		debugfs_create_u64(name, 0400, debugfs, &hw->nested);
	}
}

static void unprobe(void)
{
	tracepoint_probe_unregister(sched_waking, probe_waking, NULL);
	tracepoint_probe_unregister(sched_switch, probe_after, NULL);
	tracepoint_probe_unregister(sched_switch, probe_before, NULL);
	tracepoint_synchronize_unregister();
}

static int probe(void)
{
	int err = tracepoint_probe_register_prio(sched_switch, probe_before, NULL,
						 TRACEPOINT_DEFAULT_PRIO + 10);

	if (!err)
		err = tracepoint_probe_register_prio(sched_switch, probe_after, NULL,
						     TRACEPOINT_DEFAULT_PRIO - 10);
	if (!err)
		err = tracepoint_probe_register(sched_waking, probe_waking, NULL);
	if (err)
		unprobe();
	return err;
}

static int __init pebs_hw_init(void)
{
	int err;

	/* one that has it is not to be played, and others have no debug stores */
	if (boot_cpu_has(X86_FEATURE_DS) || boot_cpu_data.x86_vendor != X86_VENDOR_INTEL)
		return -ENODEV;
	for_each_kernel_tracepoint(find, NULL);
	if (!sched_switch || !sched_waking)
		return -ENOENT;
	err = find_drain();
	if (err)
		return err;
	err = init_hardware();
	if (err)
		goto exit;
	err = hook_drain();
	if (err)
		goto exit;
	err = register_nmi_handler(NMI_LOCAL, nmi_handler, 0, KBUILD_MODNAME);
	if (err)
		goto unhook;
	err = probe();
	if (err)
		goto unregister;
	show_logs();
	return 0;

unregister:
	unregister_nmi_handler(NMI_LOCAL, KBUILD_MODNAME);
unhook:
	unhook_drain();
exit:
	exit_hardware();
	return err;
}

static void __exit pebs_hw_exit(void)
{
	int cpu;

	WRITE_ONCE(run, false);
	debugfs_remove(debugfs);
	unprobe();
	for_each_possible_cpu(cpu) {
		struct hardware *hw = per_cpu_ptr(&hardware, cpu);

		pr_info("cpu%d: %llu records, %llu drains, %llu in NMIs, %llu of them over another\n",
			cpu, hw->written, hw->drains, hw->nmi_drains, hw->nested);
	}
	/* an NMI that was sent has come when the others' interrupts are over */
	synchronize_rcu();
	msleep(50);
	unregister_nmi_handler(NMI_LOCAL, KBUILD_MODNAME);
	unhook_drain();
	exit_hardware();
}
#else
static int __init pebs_hw_init(void)
{
	return -ENODEV;
}

static void __exit pebs_hw_exit(void)
{
}
#endif

module_init(pebs_hw_init);
module_exit(pebs_hw_exit);
MODULE_DESCRIPTION("Plays a processor with PEBS");
MODULE_LICENSE("GPL");
