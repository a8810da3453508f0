// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* System configuration: records of the machine that a trace is from. */
#define pr_fmt(fmt) KBUILD_MODNAME ": " fmt
#include <linux/cpumask.h>
#include <linux/dmi.h>
#include <linux/mm.h>
#include <linux/nodemask.h>
#include <linux/of.h>
#include <linux/slab.h>
#include <linux/string.h>
#include <linux/topology.h>
#include <linux/utsname.h>
#include "context/sink.h"
#include "record/utf16.h"
#include "user_end.h"
#include "system_config.h"

/* Windows' processor groups: CPU n is number n % 64 of group n / 64 */
#define GROUP_CPUS	64U
#define GROUPS		DIV_ROUND_UP(NR_CPUS, GROUP_CPUS)

/**
 * etw_system_config_text() - write text into a field of fixed size
 * @to: field
 * @units: UTF-16 code units of it
 * @text: UTF-8; cut so that a terminator remains
 */
void etw_system_config_text(u16 *to, u32 units, const char *text)
{
	u32 used = etw_utf8_to_utf16(to, units - 1, text, strlen(text));

	memset(to + used, 0, (units - used) * sizeof(*to));
}

/**
 * etw_system_config_wide() - write text as a terminated string
 * @to: destination; need not be aligned
 * @space: bytes in @to, at least 2
 * @text: UTF-8; cut to fit
 *
 * Return: bytes with the terminator.
 */
u32 etw_system_config_wide(u8 *to, u32 space, const char *text)
{
	u32 size = 2 * etw_utf8_to_utf16(to, space / 2 - 1, text, strlen(text));

	to[size] = 0;
	to[size + 1] = 0;
	return size + 2;
}

static u64 sibling_mask(void)
{
	unsigned int cpu;
	u64 mask = 0;

	for_each_online_cpu(cpu)
		if (cpu < 64 && cpumask_weight(topology_sibling_cpumask(cpu)) > 1)
			mask |= 1ULL << cpu;
	return mask;
}

static void write_cpu(struct etw_rundown *rundown, void *payload)
{
	struct wmi_cpu_record *record = payload;

	memset(record, 0, sizeof(*record));
	record->mhz = etw_system_config_mhz(cpumask_first(cpu_online_mask));
	record->number_of_processors = num_online_cpus();
	record->mem_size = totalram_pages() >> (20 - PAGE_SHIFT);
	record->page_size = PAGE_SIZE;
	record->allocation_granularity = max_t(u32, PAGE_SIZE, 65536);
	etw_system_config_wide((u8 *)record->computer_name, sizeof(record->computer_name),
			       init_utsname()->nodename);
	if (strcmp(init_utsname()->domainname, "(none)"))
		etw_system_config_wide((u8 *)record->domain_name, sizeof(record->domain_name),
				       init_utsname()->domainname);
	record->hyper_threading_flag = sibling_mask();
	record->highest_user_address = ETW_USER_END - 1;
	etw_system_config_cpu_model(record);
	record->pae_enabled = 1;
	record->nx_enabled = 1;
	etw_rundown_write(rundown, WMI_LOG_TYPE_CONFIG_CPU, WMI_CPU_VERSION, ETW_RUNDOWN_SYSTEM,
			  record, sizeof(*record));
}

/* Names from the firmware; a device tree contains only the model. */
static void write_platform(struct etw_rundown *rundown, u8 *payload)
{
	static const enum dmi_field field[] = {
		DMI_SYS_VENDOR, DMI_PRODUCT_NAME, DMI_BIOS_DATE, DMI_BIOS_VERSION,
	};
	const u32 space = ETW_SYSTEM_CONFIG_PAYLOAD / ARRAY_SIZE(field);
	struct device_node *root = of_find_node_by_path("/");
	const char *model = NULL;
	u32 i, size = 0;

	if (root)
		of_property_read_string(root, "model", &model);
	for (i = 0; i < ARRAY_SIZE(field); i++) {
		const char *text = dmi_get_system_info(field[i]);

		if (!text && field[i] == DMI_PRODUCT_NAME)
			text = model;
		size += etw_system_config_wide(payload + size, space, text ? text : "");
	}
	of_node_put(root);
	etw_rundown_write(rundown, WMI_LOG_TYPE_CONFIG_PLATFORM, WMI_CONFIG_VERSION,
			  ETW_RUNDOWN_SYSTEM, payload, size);
}

static u64 group_mask(u32 group, int node)
{
	unsigned int cpu;
	u64 mask = 0;

	for_each_online_cpu(cpu)
		if (cpu / GROUP_CPUS == group && (node < 0 || cpu_to_node(cpu) == node))
			mask |= 1ULL << cpu % GROUP_CPUS;
	return mask;
}

/* An entry of 0B18: 16 bytes in real traces, 8 in the MOF (kernel-events.rst 5.16) */
struct node_entry {
	u64 mask;
	u16 group;
	u16 reserved[3];
};

/* A node with CPUs in several groups has an entry for each group. */
static void write_nodes(struct etw_rundown *rundown, u8 *payload)
{
	const u32 most = (ETW_SYSTEM_CONFIG_PAYLOAD - sizeof(u32)) / sizeof(struct node_entry);
	u32 group, count = 0;
	int node;

	for_each_online_node(node) {
		for (group = 0; group < DIV_ROUND_UP(nr_cpu_ids, GROUP_CPUS); group++) {
			struct node_entry entry = { .mask = group_mask(group, node) };

			if (!entry.mask || count == most)
				continue;
			entry.group = group;
			memcpy(payload + sizeof(u32) + count * sizeof(entry), &entry,
			       sizeof(entry));
			count++;
		}
	}
	memcpy(payload, &count, sizeof(count));
	etw_rundown_write(rundown, WMI_LOG_TYPE_CONFIG_NUMANODE, WMI_CONFIG_VERSION,
			  ETW_RUNDOWN_PERFINFO, payload,
			  sizeof(count) + count * sizeof(struct node_entry));
}

static void write_groups(struct etw_rundown *rundown, u8 *payload)
{
	u32 group, count = DIV_ROUND_UP(nr_cpu_ids, GROUP_CPUS);

	BUILD_BUG_ON(sizeof(u32) + GROUPS * sizeof(u64) > ETW_SYSTEM_CONFIG_PAYLOAD);
	memcpy(payload, &count, sizeof(count));
	for (group = 0; group < count; group++) {
		u64 mask = group_mask(group, -1);

		memcpy(payload + sizeof(u32) + group * sizeof(mask), &mask, sizeof(mask));
	}
	etw_rundown_write(rundown, WMI_LOG_TYPE_CONFIG_PROCESSORGROUP, WMI_CONFIG_VERSION,
			  ETW_RUNDOWN_PERFINFO, payload, sizeof(count) + count * sizeof(u64));
}

/* A trace without them is better than none, but the log reports it. */
static void warn_missing(const struct etw_rundown *rundown)
{
	pr_warn("session %u: no memory for the system configuration\n", rundown->sink->id);
}

/* Every CPU index that may be in buffer headers, online or not */
static void write_numbers(struct etw_rundown *rundown, u32 space)
{
	u32 cpu, count = min_t(u32, nr_cpu_ids, space / sizeof(u32) - 1);
	u32 size = (1 + count) * sizeof(u32);
	u32 *payload = kvmalloc(size, GFP_KERNEL);

	if (!payload) {
		warn_missing(rundown);
		return;
	}
	payload[0] = count;
	/* u16 group, u8 number, u8 0 */
	for (cpu = 0; cpu < count; cpu++)
		payload[1 + cpu] = cpu / GROUP_CPUS | (cpu % GROUP_CPUS) << 16;
	etw_rundown_write(rundown, WMI_LOG_TYPE_CONFIG_PROCESSORNUMBER, WMI_CONFIG_VERSION,
			  ETW_RUNDOWN_PERFINFO, payload, size);
	kvfree(payload);
}

/* A buffer for any of the payloads; NULL: the session wants none, or no memory */
static void *make_space(const struct etw_rundown *rundown)
{
	void *payload;

	if (rundown->masks.masks[0] & EVENT_TRACE_FLAG_NO_SYSCONFIG)
		return NULL;
	payload = kmalloc(ETW_SYSTEM_CONFIG_PAYLOAD, GFP_KERNEL);
	if (!payload)
		warn_missing(rundown);
	return payload;
}

/**
 * etw_system_config_topology() - write 0B1B, 0B1A, 0B18
 * @rundown: destination
 *
 * With PERFINFO headers, as in real traces. (kernel-events.rst 5.16, 10.1)
 * Context: process; sleeps.
 */
void etw_system_config_topology(struct etw_rundown *rundown)
{
	const u32 space = rundown->sink->buffer_size - sizeof(struct wmi_buffer_header) -
			 sizeof(struct perfinfo_trace_header);
	u8 *payload = make_space(rundown);

	if (!payload)
		return;
	write_numbers(rundown, min_t(u32, space, 32768));
	write_groups(rundown, payload);
	write_nodes(rundown, payload);
	kfree(payload);
}

/**
 * etw_system_config_machine() - write 0B0A, 0B0D, 0B19, 0B23
 * @rundown: destination
 *
 * With SYSTEM headers. (kernel-events.rst 5.16)
 * Context: process; sleeps.
 */
void etw_system_config_machine(struct etw_rundown *rundown)
{
	void *payload = make_space(rundown);

	if (!payload)
		return;
	write_cpu(rundown, payload);
	etw_system_config_nics(rundown, payload);
	write_platform(rundown, payload);
	etw_system_config_processors(rundown, payload);
	kfree(payload);
}

/**
 * etw_system_config_log() - write a record that user space prepared
 * @rundown: destination
 * @hook_id: WMI_LOG_TYPE_CONFIG_PHYSICALDISK or _LOGICALDISK
 * @version: of the payload, 1..255
 * @payload: kernel copy of the payload
 * @size: bytes of @payload
 *
 * block_class is not exported, so the module cannot list disks itself.
 * (kernel-events.rst 5.16, 8.3)
 * Context: process; sleeps.
 * Return: 0; -EINVAL for other hooks or versions; -EMSGSIZE if no buffer can hold the
 * record; -ENOBUFS if no buffer was free: the record is lost, and counted.
 */
int etw_system_config_log(struct etw_rundown *rundown, u16 hook_id, u16 version,
			  const void *payload, u32 size)
{
	if (hook_id != WMI_LOG_TYPE_CONFIG_PHYSICALDISK &&
	    hook_id != WMI_LOG_TYPE_CONFIG_LOGICALDISK)
		return -EINVAL;
	if (!version || version > 0xFF)
		return -EINVAL;
	return etw_rundown_write(rundown, hook_id, version, ETW_RUNDOWN_SYSTEM, payload, size);
}
