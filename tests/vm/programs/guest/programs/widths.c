// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/*
 * Programs' events: messages that only a reader with their texts can read, of both widths, for etw
 * dump.
 */
#define _GNU_SOURCE
#include <unistd.h>
#include "programs.h"
#include "tests/vm/programs/compat32.h"

static int write_message(__u32 id, const __u8 *guid, __u16 number, const void *pointer, __u32 size)
{
	static const __u32 value = COMPAT_VALUE;
	struct etw_message_argument arguments[2] = {
		{ (unsigned long)pointer, size }, { (unsigned long)&value, sizeof(value) },
	};
	struct etw_trace_message m = {
		.size = sizeof(m), .message_flags = 0x02, .session_handle = id,
		.message_guid = (unsigned long)guid, .message_number = number,
		.arguments = (unsigned long)arguments, .nr_arguments = 2,
	};

	return trace_message(provider, &m);
}

/* What tests/vm/programs/tool.tmf knows; the text is looked at by tests/vm/programs/tool.sh */
void test_widths(void)
{
	static const __u8 first[16] = COMPAT_GUID;
	struct session session = start(&(struct wish){ .name = "widths" });
	__u64 pointer = 0x123456789ABCULL;
	int err;

	err = write_message(session.id, first, COMPAT_PLAIN_NUMBER, NULL, 0);
	err = err ?: write_message(session.id, class_guid, COMPAT_PLAIN_NUMBER, NULL, 0);
	err = err ?: write_message(session.id, first, COMPAT_POINTER_NUMBER, &pointer, 8);
	if (!access("/w/compat32", X_OK) && !run_compat32(session.id, "pointer"))
		err = -1;
	result(!err, "messages for etw dump --tmf # %d", err);
	close(session.node);
	stop(session.id, 0);
	save(&session, "/tmp/widths.etl");
	free(session.data);
}
