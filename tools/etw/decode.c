// SPDX-License-Identifier: GPL-2.0
/* Payloads of known events to named fields. */
#include "cursor.h"
#include "decode.h"
#include "etw_hooks.h"
#include "names.h"
#include "text.h"

static void named(struct cursor *cursor, const char *name, uint64_t value,
		  const char *(*name_of)(unsigned int value))
{
	const char *text = name_of(value);

	if (text)
		fields_string(cursor->fields, name, text);
	else
		fields_unsigned(cursor->fields, name, value);
}

static void decode_header(struct cursor *cursor)
{
	U("BufferSize", 4);
	X("Version", 4);
	U("ProviderVersion", 4);
	U("NumberOfProcessors", 4);
	U("EndTime", 8);
	U("TimerResolution", 4);
	U("MaximumFileSize", 4);
	X("LogFileMode", 4);
	U("BuffersWritten", 4);
	U("StartBuffers", 4);
	U("PointerSize", 4);
	U("EventsLost", 4);
	U("CPUSpeed", 4);
	skip(cursor, 0x10 + sizeof(struct etw_time_zone) + 4);
	U("BootTime", 8);
	U("PerfFreq", 8);
	U("StartTime", 8);
	U("ReservedFlags", 4);
	U("BuffersLost", 4);
	take_utf16(cursor, "LoggerName");
	take_utf16(cursor, "LogFileName");
}

static void decode_masks(struct cursor *cursor)
{
	static const char *const name[ETW_MASKS] = {
		"Mask0", "Mask1", "Mask2", "Mask3", "Mask4", "Mask5", "Mask6", "Mask7",
	};
	int i;

	for (i = 0; i < ETW_MASKS; i++)
		X(name[i], 4);
	U("KernelEventVersion", 4);
}

static void decode_sid(struct fields *fields, const uint8_t *sid, uint32_t size)
{
	uint64_t authority = 0;
	char text[256];
	uint32_t i;
	int n;

	for (i = 0; i < 6; i++)
		authority = authority << 8 | sid[2 + i];
	n = snprintf(text, sizeof(text), "S-%u-%llu", sid[0], (unsigned long long)authority);
	for (i = 8; i + 4 <= size && n < (int)sizeof(text); i += 4)
		n += snprintf(text + n, sizeof(text) - n, "-%u", get32(sid + i));
	fields_string(fields, "UserSID", text);
}

static bool string8(const uint8_t *payload, uint32_t size, uint32_t *at, uint32_t *bytes)
{
	const uint8_t *end = memchr(payload + *at, 0, size - *at);

	if (!end)
		return false;
	*bytes = end - (payload + *at);
	return true;
}

static bool string16(const uint8_t *payload, uint32_t size, uint32_t at, uint32_t *bytes)
{
	for (*bytes = 0; size - at >= *bytes + 2; *bytes += 2)
		if (!payload[at + *bytes] && !payload[at + *bytes + 1])
			return true;
	return false;
}

bool parse_process(const uint8_t *payload, uint32_t size, struct process_record *process)
{
	uint32_t at = sizeof(struct wmi_process_information);
	int i;

	memset(process, 0, sizeof(*process));
	if (size < at + 4)
		return false;
	if (!get32(payload + at)) {
		at += 4;
	} else {
		at += 16;	/* an image of TOKEN_USER */
		if (size < at + 8 || payload[at + 1] > 15 ||
		    size - at < 8u + 4 * payload[at + 1])
			return false;
		process->sid = at;
		process->sid_size = 8 + 4 * payload[at + 1];
		at += process->sid_size;
	}
	process->image = at;
	if (at >= size || !string8(payload, size, &at, &process->image_size))
		return false;
	at += process->image_size + 1;
	for (i = 0; i < 3; i++) {
		process->strings[i] = at;
		if (!string16(payload, size, at, &process->sizes[i]))
			return false;
		at += process->sizes[i] + 2;
	}
	process->end = at;
	return true;
}

static void decode_process(const struct etl_record *record, struct cursor *cursor)
{
	static const char *const name[] = { "CommandLine", "PackageFullName", "ApplicationId" };
	const uint8_t *payload = record->payload;
	struct process_record process;
	int i;

	X("UniqueProcessKey", 8);
	U("ProcessId", 4);
	U("ParentId", 4);
	fields_signed(cursor->fields, "SessionId", (int32_t)take(cursor, 4));
	X("ExitStatus", 4);
	X("DirectoryTableBase", 8);
	X("Flags", 4);
	if (!parse_process(payload, record->payload_size, &process)) {
		cursor->fields->truncated = true;
		fields_dump(cursor->fields, "Rest", cursor->at, cursor->left);
		return;
	}
	if (process.sid)
		decode_sid(cursor->fields, payload + process.sid, process.sid_size);
	fields_bytes(cursor->fields, "ImageFileName", payload + process.image,
		     process.image_size);
	for (i = 0; i < 3; i++)
		fields_utf16(cursor->fields, name[i], payload + process.strings[i],
			     process.sizes[i]);
	if (record->hook_id == WMI_LOG_TYPE_PROCESS_DEFUNCT &&
	    record->payload_size - process.end >= 8)
		fields_unsigned(cursor->fields, "ExitTime", get64(payload + process.end));
}

static void decode_thread(struct cursor *cursor)
{
	U("ProcessId", 4);
	U("ThreadId", 4);
	X("StackBase", 8);
	X("StackLimit", 8);
	X("UserStackBase", 8);
	X("UserStackLimit", 8);
	X("Affinity", 8);
	X("Win32StartAddr", 8);
	X("TebBase", 8);
	U("SubProcessTag", 4);
	U("BasePriority", 1);
	U("PagePriority", 1);
	U("IoPriority", 1);
	X("ThreadFlags", 1);
	if (cursor->left)
		take_utf16(cursor, "ThreadName");
}

static void decode_terminate(struct cursor *cursor)
{
	U("ProcessId", 4);
}

static void decode_set_name(struct cursor *cursor)
{
	U("ProcessId", 4);
	U("ThreadId", 4);
	take_utf16(cursor, "ThreadName");
}

static void decode_cswitch(struct cursor *cursor)
{
	U("NewThreadId", 4);
	U("OldThreadId", 4);
	S8("NewThreadPriority");
	S8("OldThreadPriority");
	U("PreviousCState", 1);
	S8("NewThreadPriorityDecrement");
	named(cursor, "OldThreadWaitReason", take(cursor, 1), wait_reason_name);
	X("ThreadFlags", 1);
	named(cursor, "OldThreadState", take(cursor, 1), thread_state_name);
	U("OldThreadIdealProcessor", 1);
	U("NewThreadWaitTime", 4);
	U("OldThreadRemainingQuantum", 4);
}

static void decode_ready(struct cursor *cursor)
{
	U("ThreadId", 4);
	S8("AdjustReason");
	S8("AdjustIncrement");
	X("Flag", 1);
	skip(cursor, 1);
}

static void decode_anchor(struct cursor *cursor)
{
	U("Qpc", 8);
	U("FileTime", 8);
	U("Monotonic", 8);
	U("MonotonicRaw", 8);
	U("BootTime", 8);
	U("Uncertainty", 8);
	named(cursor, "Reason", take(cursor, 4), anchor_reason_name);
	skip(cursor, 4);
}

static void decode_loss(struct cursor *cursor)
{
	U("Processor", 4);
	named(cursor, "Cause", take(cursor, 4), loss_cause_name);
	U("Count", 8);
	U("Total", 8);
	U("First", 8);
	U("Last", 8);
}

struct decoder {
	uint16_t hook_id;
	uint8_t from;		/* versions of the payload */
	uint8_t to;
	void (*decode)(struct cursor *cursor);
};

static const struct decoder decoders[] = {
	{ WMI_LOG_TYPE_HEADER, 0, 2, decode_header },
	{ WMI_LOG_TYPE_HEADER_EXTENSION, 2, 2, decode_masks },
	{ WMI_LOG_TYPE_GROUP_MASKS_END, 2, 2, decode_masks },
	{ WMI_LOG_TYPE_PROCESS_TERMINATED, 2, 2, decode_terminate },
	{ WMI_LOG_TYPE_THREAD_CREATE, 3, 3, decode_thread },
	{ WMI_LOG_TYPE_THREAD_DELETE, 3, 3, decode_thread },
	{ WMI_LOG_TYPE_THREAD_DC_START, 3, 3, decode_thread },
	{ WMI_LOG_TYPE_THREAD_DC_END, 3, 3, decode_thread },
	{ PERFINFO_LOG_TYPE_CONTEXTSWAP, 2, 4, decode_cswitch },
	{ PERFINFO_LOG_TYPE_READYTHREAD, 2, 2, decode_ready },
	{ PERFINFO_LOG_TYPE_THREAD_SET_NAME, 2, 2, decode_set_name },
	{ WMI_LOG_TYPE_CONFIG_CPU, 3, 3, decode_cpu },
	{ WMI_LOG_TYPE_CONFIG_PHYSICALDISK, 2, 2, decode_physical_disk },
	{ WMI_LOG_TYPE_CONFIG_LOGICALDISK, 2, 2, decode_logical_disk },
	{ WMI_LOG_TYPE_CONFIG_PROCESSOR, 2, 2, decode_processor },
};

static bool is_process(const struct etl_record *record)
{
	uint16_t id = record->hook_id;

	return (id >= WMI_LOG_TYPE_PROCESS_CREATE && id <= WMI_LOG_TYPE_PROCESS_DC_END &&
		record->version == WMI_PROCESS_VERSION) ||
	       (id == WMI_LOG_TYPE_PROCESS_DEFUNCT &&
		record->version == WMI_PROCESS_DEFUNCT_VERSION);
}

/* Return: false when there is no decoder for it */
static bool decode_hook(const struct etl_record *record, struct cursor *cursor)
{
	size_t i;

	if (record->hook_id == WMI_LOG_TYPE_RUNDOWN_COMPLETE && !record->payload_size)
		return true;
	if (record->pointer_size != 8)
		return false;	/* those layouts hold pointers of 4 bytes */
	if (is_process(record)) {
		decode_process(record, cursor);
		return true;
	}
	for (i = 0; i < sizeof(decoders) / sizeof(decoders[0]); i++) {
		if (decoders[i].hook_id != record->hook_id ||
		    record->version < decoders[i].from || record->version > decoders[i].to)
			continue;
		decoders[i].decode(cursor);
		return true;
	}
	return false;
}

void decode_payload(const struct etl_record *record, struct fields *fields)
{
	struct cursor cursor = { record->payload, record->payload_size, fields };
	bool hook = record->header == ETL_SYSTEM || record->header == ETL_COMPACT ||
		    record->header == ETL_PERFINFO;
	bool ours = etl_is_ours(record) && !record->version;

	if (hook && decode_hook(record, &cursor))
		return;
	if (ours && record->id == ETW_LINUX_EVENT_ANCHOR)
		decode_anchor(&cursor);
	else if (ours && record->id == ETW_LINUX_EVENT_LOSS)
		decode_loss(&cursor);
	else if (record->payload_size)
		fields_dump(fields, "Payload", record->payload, record->payload_size);
}
