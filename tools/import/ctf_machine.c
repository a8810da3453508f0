// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* The machine of a CTF trace, which decides on the numbers of system calls. */
#include "ctf.h"
#if defined(ETW_HAVE_BABELTRACE) && defined(ETW_HAVE_DLOPEN)
#include <string.h>
#include "import.h"
#include "libetl/system_calls.h"

#define ENTRY	"syscall_entry_"

/* Return: NULL: the trace has no such text */
static const char *environment(const struct ctf_library *ctf, const bt_trace *trace,
			       const char *name)
{
	const bt_value *value;

	value = ctf->trace_borrow_environment_entry_value_by_name_const(trace, name);
	return value && ctf->value_get_type(value) == BT_VALUE_TYPE_STRING ?
	       ctf->value_string_get(value) : NULL;
}

/* The machine of a kernel whose release is @release, as "6.1.0-18-amd64"; may be NULL */
static uint16_t machine_of_release(const char *release)
{
	static const struct {
		const char *word;
		uint16_t machine;
	} words[] = {
		{ "amd64", MACHINE_AMD64 }, { "x86_64", MACHINE_AMD64 },
		{ "arm64", MACHINE_ARM64 }, { "aarch64", MACHINE_ARM64 },
	};
	size_t i;

	for (i = 0; release && i < sizeof(words) / sizeof(words[0]); i++)
		if (strstr(release, words[i].word))
			return words[i].machine;
	return 0;
}

/* The machine that has the 64-bit system call @name, if only one has it */
static uint16_t machine_of_name(const char *name)
{
	const struct system_call *call = system_call_named(name);

	if (!call)
		return 0;
	if (system_call_number(call, MACHINE_ARM64) == SYSTEM_CALL_NONE)
		return MACHINE_AMD64;
	return system_call_number(call, MACHINE_AMD64) == SYSTEM_CALL_NONE ? MACHINE_ARM64 : 0;
}

/* Calls of other machines with the old calls of x86_64: i386, arm, powerpc, s390, mips */
static bool is_of_other_machine(const char *name)
{
	static const char *const names[] = {
		"fcntl64", "ipc", "llseek", "mmap_pgoff", "old_mmap", "socketcall", "sysmips",
	};
	size_t i;

	for (i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		if (!strcmp(name, names[i]))
			return true;
	return false;
}

/* LTTng's metadata describe all system calls that were traced. */
static uint16_t machine_of_calls(const struct ctf_library *ctf, const bt_stream_class *class)
{
	uint64_t count = ctf->stream_class_get_event_class_count(class), i;
	uint16_t machine = 0;
	const char *name;

	for (i = 0; i < count; i++) {
		name = ctf->event_class_get_name(
			ctf->stream_class_borrow_event_class_by_index_const(class, i));
		if (!name || strncmp(name, ENTRY, strlen(ENTRY)))
			continue;
		name += strlen(ENTRY);
		if (is_of_other_machine(name))
			return 0;
		if (!machine)
			machine = machine_of_name(name);
	}
	return machine;
}

void ctf_find_machine(struct ctf_reading *reading, const bt_stream *stream)
{
	const struct ctf_library *ctf = reading->ctf;
	const bt_trace *trace = ctf->stream_borrow_trace_const(stream);
	const char *domain = environment(ctf, trace, "domain");
	uint16_t *machine = &reading->importing->machine;

	if (*machine || !domain || strcmp(domain, "kernel"))
		return;
	*machine = machine_of_release(environment(ctf, trace, "kernel_release"));
	if (!*machine)
		*machine = machine_of_calls(ctf, ctf->stream_borrow_class_const(stream));
}

#endif
