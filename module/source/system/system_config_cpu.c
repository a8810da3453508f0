// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* Processor records: 0B23 and parts of 0B0A; declared in system_config.h. */
#include <linux/cpufreq.h>
#include <linux/cpumask.h>
#include <linux/kernel.h>
#include <linux/smp.h>
#include <linux/string.h>
#if defined(CONFIG_ARM64)
#include <asm/cputype.h>
#elif defined(CONFIG_X86)
#include <asm/processor.h>
#endif
#include "etw_hooks.h"
#include "ring/clock.h"
#include "system_config.h"

#define PROCESSOR_ARCHITECTURE_AMD64	9
#define PROCESSOR_ARCHITECTURE_ARM64	12

/**
 * struct cpu_model - a CPU's identification
 * @architecture: PROCESSOR_ARCHITECTURE_*
 * @family: family; 8 on arm64
 * @revision: x86: model << 8 | stepping; arm64: part << 8 | variant and
 *	revision, cut to 16 bits as Windows does
 * @name: brand
 * @identifier: in Windows' form
 * @vendor: vendor
 */
struct cpu_model {
	u16 architecture;
	u16 family;
	u16 revision;
	char name[64];
	char identifier[128];
	char vendor[16];
};

#if defined(CONFIG_ARM64)
static void read_midr(void *midr)
{
	*(u32 *)midr = read_cpuid_id();
}

static const char *implementer(u32 midr)
{
	switch (MIDR_IMPLEMENTOR(midr)) {
	case ARM_CPU_IMP_ARM:
		return "ARM Limited";
	case ARM_CPU_IMP_APM:
		return "Ampere";
	case ARM_CPU_IMP_QCOM:
		return "Qualcomm";
	case ARM_CPU_IMP_NVIDIA:
		return "NVIDIA";
	case ARM_CPU_IMP_APPLE:
		return "Apple";
	default:
		return "";
	}
}

/* The kernel's per-CPU copies of MIDR_EL1 aren't exported. */
static void get_model(unsigned int cpu, struct cpu_model *model)
{
	u32 midr = 0;

	smp_call_function_single(cpu, read_midr, &midr, 1);
	model->architecture = PROCESSOR_ARCHITECTURE_ARM64;
	model->family = 8;
	model->revision = MIDR_PARTNUM(midr) << 8 | MIDR_VARIANT(midr) << 4 | MIDR_REVISION(midr);
	strscpy(model->vendor, implementer(midr), sizeof(model->vendor));
	snprintf(model->identifier, sizeof(model->identifier),
		 "ARMv8 (64-bit) Family 8 Model %3X Revision %3X", MIDR_PARTNUM(midr),
		 MIDR_VARIANT(midr) << 8 | MIDR_REVISION(midr));
	snprintf(model->name, sizeof(model->name), "%s part %03X", model->vendor,
		 MIDR_PARTNUM(midr));
}
#elif defined(CONFIG_X86)
static void get_model(unsigned int cpu, struct cpu_model *model)
{
	const struct cpuinfo_x86 *info = &cpu_data(cpu);

	model->architecture = PROCESSOR_ARCHITECTURE_AMD64;
	model->family = info->x86;
	model->revision = info->x86_model << 8 | info->x86_stepping;
	strscpy(model->name, info->x86_model_id, sizeof(model->name));
	strscpy(model->vendor, info->x86_vendor_id, sizeof(model->vendor));
	snprintf(model->identifier, sizeof(model->identifier),
		 "%s Family %u Model %u Stepping %u",
		 info->x86_vendor == X86_VENDOR_AMD ? "AMD64" : "Intel64",
		 info->x86, info->x86_model, info->x86_stepping);
}
#else
/* User Mode Linux: the host's CPU is not known */
static void get_model(unsigned int cpu, struct cpu_model *model)
{
	model->architecture = PROCESSOR_ARCHITECTURE_AMD64;
	strscpy(model->name, "User Mode Linux", sizeof(model->name));
}
#endif

/**
 * etw_system_config_mhz() - nominal clock of a CPU
 * @cpu: CPU number
 *
 * Context: process.
 * Return: cpufreq's highest frequency, else that of the architectural counter, MHz.
 */
u32 etw_system_config_mhz(unsigned int cpu)
{
	u32 khz = cpufreq_quick_get_max(cpu);

	return khz ? khz / 1000 : etw_clock_mhz();
}

/**
 * etw_system_config_cpu_model() - fill in the model fields of 0B0A
 * @record: destination
 *
 * Uses the first online CPU. (kernel-events.rst 5.16)
 * Context: process; sleeps.
 */
void etw_system_config_cpu_model(struct wmi_cpu_record *record)
{
	struct cpu_model model = {};

	get_model(cpumask_first(cpu_online_mask), &model);
	record->processor_architecture = model.architecture;
	record->processor_level = model.family;
	record->processor_revision = model.revision;
}

/**
 * etw_system_config_processors() - write one 0B23 per online CPU
 * @rundown: destination
 * @payload: ETW_SYSTEM_CONFIG_PAYLOAD bytes to build them in
 *
 * A CPU that goes offline meanwhile may have a record or not. (kernel-events.rst 5.16)
 * Context: process; sleeps.
 */
void etw_system_config_processors(struct etw_rundown *rundown, void *payload)
{
	struct wmi_processor_record *record = payload;
	unsigned int cpu;

	for_each_online_cpu(cpu) {
		struct cpu_model model = {};

		get_model(cpu, &model);
		memset(record, 0, sizeof(*record));
		record->index = cpu;
		record->mhz = etw_system_config_mhz(cpu);
		etw_system_config_text(record->name, ARRAY_SIZE(record->name), model.name);
		etw_system_config_text(record->identifier, ARRAY_SIZE(record->identifier),
				       model.identifier);
		etw_system_config_text(record->vendor, ARRAY_SIZE(record->vendor), model.vendor);
		etw_rundown_write(rundown, WMI_LOG_TYPE_CONFIG_PROCESSOR, WMI_CONFIG_VERSION,
				  ETW_RUNDOWN_SYSTEM, record, sizeof(*record));
	}
}
