// SPDX-License-Identifier: GPL-2.0
/* What StartTrace() makes of EnableFlags: the block that a device of the test's own was sent. */
#define INITGUID
#include <windows.h>
#include <wmistr.h>
#include <evntrace.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include "check.h"
#include "../../uapi/etw_extension.h"

/* Of events that test modules write: the one that a session without kernel events may have */
#define TEST	0x08000000
#define OPTIONS	ETW_EXT_VND_PROVIDER_OPTIONS << 16 | 3, ETW_PROVIDER_TIMESTAMPS, 0

struct block {
	EVENT_TRACE_PROPERTIES p;
	ULONG dwords[8];
	char name[64];
};

/* @length: of the extension; 0: the first dword is EnableFlags themselves */
static void start(ULONG mode, BYTE length, const ULONG *dwords, size_t size)
{
	TRACE_ENABLE_FLAG_EXTENSION extension = {
		.Offset = offsetof(struct block, dwords), .Length = length, .Flag = 0x80,
	};
	struct block block = {
		.p = {
			.Wnode = { .BufferSize = sizeof(block), .Flags = WNODE_FLAG_TRACED_GUID },
			.LogFileMode = EVENT_TRACE_REAL_TIME_MODE | mode,
			.LoggerNameOffset = offsetof(struct block, name),
		},
	};
	TRACEHANDLE handle = 0;

	memcpy(block.dwords, dwords, size);
	if (length)
		memcpy(&block.p.EnableFlags, &extension, sizeof(extension));
	else
		block.p.EnableFlags = dwords[0];
	check_error("StartTrace()", StartTraceA(&handle, "x", &block.p), 0);
}

/* Return: whether the block pointed at these, at its end, with this length */
static int sent(BYTE length, const ULONG *dwords, size_t size)
{
	FILE *file = fopen(getenv("ETW_FAKE_SENT"), "rb");
	BYTE bytes[4096];
	size_t n = file ? fread(bytes, 1, sizeof(bytes), file) : 0;
	TRACE_ENABLE_FLAG_EXTENSION extension;

	if (file)
		fclose(file);
	if (n < 0xB0 + size)
		return 0;
	memcpy(&extension, bytes + 0x48, sizeof(extension));
	return extension.Flag == 0x80 && extension.Length == length &&
	       extension.Offset == n - size && !memcmp(bytes + n - size, dwords, size);
}

int main(void)
{
	static const ULONG masks[] = { TEST, 0 };
	static const ULONG items[] = { 0x00010004, 0x00010003, TEST, 0 };
	static const ULONG with_options[] = { 0x00020007, 0x00010003, TEST, 0, OPTIONS };
	static const ULONG options_alone[] = { 0x00010004, OPTIONS };

	setvbuf(stdout, NULL, _IONBF, 0);
	start(0, 0xFF, items, sizeof(items));
	check("items of a program's session: its options are one more",
	      sent(0xFF, with_options, sizeof(with_options)));
	start(0, 2, masks, sizeof(masks));
	check("masks alone, of such a session: an item, and its options",
	      sent(0xFF, with_options, sizeof(with_options)));
	start(0, 0, masks, sizeof(masks));
	check("plain flags of such a session: its options alone",
	      sent(0xFF, options_alone, sizeof(options_alone)));
	start(EVENT_TRACE_SYSTEM_LOGGER_MODE, 2, masks, sizeof(masks));
	check("masks of a session with kernel events stay what they are",
	      sent(2, masks, sizeof(masks)));
	start(EVENT_TRACE_SYSTEM_LOGGER_MODE, 0xFF, items, sizeof(items));
	check("and so do items", sent(0xFF, items, sizeof(items)));
	return failures != 0;
}
