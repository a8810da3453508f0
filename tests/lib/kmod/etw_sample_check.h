/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The etw authors */
/* For etw_sample: every documented result of the exported functions, a line each. */
#ifndef ETW_SAMPLE_CHECK_H
#define ETW_SAMPLE_CHECK_H

#include <linux/string.h>

static bool options;
module_param(options, bool, 0600);
MODULE_PARM_DESC(options, "the session of \"check\" takes time stamps and WNODE_HEADERs");

static char check_lines[PAGE_SIZE - 1];
static unsigned int check_end;

static int sample_check_show(char *text, const struct kernel_param *kp)
{
	memcpy(text, check_lines, check_end);
	return check_end;
}

static void result(const char *name, int err, int due)
{
	check_end += scnprintf(check_lines + check_end, sizeof(check_lines) - check_end,
			       "%s - %s", err == due ? "ok" : "not ok", name);
	if (err != due)
		check_end += scnprintf(check_lines + check_end, sizeof(check_lines) - check_end,
				       ": %d", err);
	check_end += scnprintf(check_lines + check_end, sizeof(check_lines) - check_end, "\n");
}

static int try_event(u64 handle, u32 size, u32 flags)
{
	static u8 block[0x30 + 0x110] __aligned(8);
	struct event_trace_header *header = (void *)block;

	*header = (struct event_trace_header){
		.size = size, .header_type = size >> 16, .type = SAMPLE_CHECKED,
		.thread_id = handle, .process_id = handle >> 32, .flags = flags,
		.time_stamp = SAMPLE_TIME, .guid = SAMPLE_GUID,
	};
	return etw_trace_event(block);
}

static void check_events(u64 handle)
{
	const u32 event = WNODE_FLAG_TRACED_GUID, wnode = WNODE_FLAG_LOG_WNODE;

	result("TRACED_GUID: an EVENT_TRACE_HEADER", try_event(handle, 0x30, event), 0);
	result("no event: EINVAL", etw_trace_event(NULL), -EINVAL);
	result("neither flag: EBADRQC", try_event(handle, 0x30, 0), -EBADRQC);
	result("Size below the header: EINVAL", try_event(handle, 0x2F, event), -EINVAL);
	result("BufferSize below the header: EINVAL", try_event(handle, 0x2F, wnode), -EINVAL);
	result("both flags, low word of BufferSize: EINVAL",
	       try_event(handle, 0x10020, event | wnode), -EINVAL);
	result("logger id 0: EBADF", try_event(0, 0x30, event), -EBADF);
	result("logger id 0xFFFF: EBADF", try_event(0xFFFF, 0x30, event), -EBADF);
	result("the private logger's bit: EBADF",
	       try_event(handle | ETW_HANDLE_PRIVATE, 0x30, event), -EBADF);
	result("a logger id alone", try_event((u16)handle, 0x30, event), 0);
	result("the handle of another session that has had this id: EBADF",
	       try_event(handle | ~0ULL << 32, 0x30, event), -EBADF);
	result("no such session: EBADF", try_event(64, 0x30, event), -EBADF);
	result("NO_HEADER: not looked at", try_event(handle, 0x30, event | WNODE_FLAG_NO_HEADER),
	       0);
	result("0x100 bytes of MOF_FIELD",
	       try_event(handle, 0x130, event | WNODE_FLAG_USE_MOF_PTR), 0);
	result("0x101 bytes of MOF_FIELD: E2BIG",
	       try_event(handle, 0x131, event | WNODE_FLAG_USE_MOF_PTR), -E2BIG);
	result("a BufferSize over 64 KB: EMSGSIZE", try_event(handle, 0x10040, wnode), -EMSGSIZE);
}

static void check_fields(u64 handle)
{
	static u8 data[64];
	struct {
		struct event_trace_header header;
		struct mof_field field[2];
	} mof = {
		.header = {
			.size = sizeof(mof), .type = SAMPLE_CHECKED, .thread_id = handle,
			.flags = WNODE_FLAG_TRACED_GUID | WNODE_FLAG_USE_MOF_PTR,
			.guid = SAMPLE_GUID,
		},
		.field = {
			{ .data_ptr = (unsigned long)data, .length = sizeof(data) },
			{ .data_ptr = (unsigned long)data, .length = 0xFFFF },
		},
	};

	result("MOF data over 64 KB: EMSGSIZE", etw_trace_event(&mof), -EMSGSIZE);
	mof.field[1].length = U32_MAX;
	result("MOF data over 4 GB: EMSGSIZE", etw_trace_event(&mof), -EMSGSIZE);
	mof.field[1].length = 0;
	result("an empty MOF_FIELD", etw_trace_event(&mof), 0);
}

static void check_options(u64 handle)
{
	const u32 stamped = WNODE_FLAG_TRACED_GUID | WNODE_FLAG_USE_TIMESTAMP;

	result(options ? "a time stamp, where such are taken" :
			 "a time stamp where none is taken: EACCES",
	       try_event(handle, 0x30, stamped), options ? 0 : -EACCES);
	result(options ? "a WNODE_HEADER, where such are taken" :
			 "a WNODE_HEADER where none is taken: EACCES",
	       try_event(handle, 0x30, WNODE_FLAG_LOG_WNODE), options ? 0 : -EACCES);
}

static void check_messages(u64 handle)
{
	static u8 data[64];
	const u32 id = TRACE_MESSAGE_COMPONENT_ID, guid = TRACE_MESSAGE_GUID;
	const size_t most = ETW_MAX_RECORD - sizeof(struct message_trace_header);

	result("a message without anything", etw_trace_message(handle, 0, NULL, 0, NULL), 0);
	result("POINTER64 is not the caller's to say: EINVAL",
	       etw_trace_message(handle, 0x80, NULL, 0, NULL), -EINVAL);
	result("unknown flags: EINVAL", etw_trace_message(handle, 0x100, NULL, 0, NULL), -EINVAL);
	result("no GUID: EINVAL", etw_trace_message(handle, guid, NULL, 0, NULL), -EINVAL);
	result("no component id: EINVAL", etw_trace_message(handle, id, NULL, 0, NULL), -EINVAL);
	result("message to logger id 0: EBADF", etw_trace_message(0, 0, NULL, 0, NULL), -EBADF);
	result("message to 0xFFFF: EBADF", etw_trace_message(0xFFFF, 0, NULL, 0, NULL), -EBADF);
	result("message to no session: EBADF", etw_trace_message(64, 0, NULL, 0, NULL), -EBADF);
	result("an argument over 64 KB: EMSGSIZE",
	       etw_trace_message(handle, 0, NULL, 0, data, most + 1, NULL), -EMSGSIZE);
	result("arguments over 64 KB: EMSGSIZE",
	       etw_trace_message(handle, 0, NULL, 0, data, most, data, (size_t)1, NULL),
	       -EMSGSIZE);
	result("a size that is no size: EMSGSIZE",
	       etw_trace_message(handle, 0, NULL, 0, data, SIZE_MAX, data, SIZE_MAX, NULL),
	       -EMSGSIZE);
	result("larger than a buffer: EMSGSIZE, counted",
	       etw_trace_message(handle, 0, NULL, 0, data, most, NULL), -EMSGSIZE);
}

static void sample_check(u64 handle)
{
	check_end = 0;
	check_events(handle);
	check_fields(handle);
	check_options(handle);
	check_messages(handle);
}

#endif /* ETW_SAMPLE_CHECK_H */
