// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* The machine of a CTF trace, which decides on the numbers of system calls. */
#include "ctf.h"
#if defined(ETW_HAVE_BABELTRACE) && defined(ETW_HAVE_DLOPEN)
#include <string.h>
#include "import.h"

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

/* LTTng's metadata describe all system calls that were traced. */
static enum call_machine machine_of_calls(const struct ctf_library *ctf,
					  const bt_stream_class *class)
{
	uint64_t count = ctf->stream_class_get_event_class_count(class), i;
	enum call_machine machine = CALL_MACHINE_UNKNOWN;
	const char *name;

	for (i = 0; i < count && machine == CALL_MACHINE_UNKNOWN; i++) {
		name = ctf->event_class_get_name(
			ctf->stream_class_borrow_event_class_by_index_const(class, i));
		if (name && !strncmp(name, ENTRY, strlen(ENTRY)))
			machine = call_machine_of_name(name + strlen(ENTRY));
	}
	return machine;
}

void ctf_find_machine(struct ctf_reading *reading, const bt_stream *stream)
{
	const struct ctf_library *ctf = reading->ctf;
	const bt_trace *trace = ctf->stream_borrow_trace_const(stream);
	const char *domain = environment(ctf, trace, "domain");
	enum call_machine *machine = &reading->importing->machine;

	if (*machine != CALL_MACHINE_UNKNOWN || !domain || strcmp(domain, "kernel"))
		return;
	*machine = call_machine_of_release(environment(ctf, trace, "kernel_release"));
	if (*machine == CALL_MACHINE_UNKNOWN)
		*machine = machine_of_calls(ctf, ctf->stream_borrow_class_const(stream));
}

#endif
