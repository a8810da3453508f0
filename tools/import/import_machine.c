// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* The machine of an imported trace: readers take the names of system calls by its architecture. */
#include "etw_hooks.h"
#include "import.h"
#include "libetl/system_calls.h"
#include "libetl/text.h"

/* With an unsupported architecture, readers would otherwise use that of their own machine */
static uint16_t machine_of(const struct importing *importing)
{
	const char *name = importing->file.machine;

	if (importing->machine)
		return importing->machine;
	if (!strcmp(name, "x86_64"))
		return MACHINE_AMD64;
	return !strcmp(name, "aarch64") ? MACHINE_ARM64 : MACHINE_UNKNOWN;
}

int import_machine(struct importing *importing)
{
	const struct perf_file *file = &importing->file;
	uint64_t megabytes = file->memory_kb >> 10;
	uint16_t name[sizeof(((struct wmi_cpu_record *)0)->computer_name) / 2] = { };
	struct wmi_cpu_record cpu = {
		.mhz = importing->mhz,
		.number_of_processors = file->online ? file->online : file->processors,
		.mem_size = megabytes > UINT32_MAX ? UINT32_MAX : megabytes,
	};

	if (!importing->machine && !file->machine[0])
		return 0;
	cpu.processor_architecture = machine_of(importing);
	/* the last unit stays 0; the field of the packed record may be unaligned */
	text_to_utf16(file->host, name, sizeof(name) / 2 - 1);
	memcpy(cpu.computer_name, name, sizeof(name));
	import_system(importing, WMI_LOG_TYPE_CONFIG_CPU, WMI_CPU_VERSION, 0, 0);
	import_bytes(importing, &cpu, sizeof(cpu));
	return import_write(importing);
}
