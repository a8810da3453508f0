// SPDX-License-Identifier: GPL-2.0
/* What StartTrace() makes of EnableFlags: the block that a device of the test's own was sent. */
#define INITGUID
#include <windows.h>
#include <wmistr.h>
#include <evntrace.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "check.h"
#include "../../../uapi/etw_extension.h"

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

/* What was sent is what the session says of itself from now on; then UpdateTrace() of plain flags */
static void update(ULONG flags)
{
	struct block block = {
		.p = {
			.Wnode = { .BufferSize = sizeof(block), .Flags = WNODE_FLAG_TRACED_GUID },
			.LoggerNameOffset = offsetof(struct block, name),
			.EnableFlags = flags,
		},
	};
	char copy[256];

	snprintf(copy, sizeof(copy), "%s.block", getenv("ETW_FAKE_SENT"));
	check("what was sent is kept", !rename(getenv("ETW_FAKE_SENT"), copy));
	setenv("ETW_FAKE_BLOCK", copy, 1);
	check_error("UpdateTrace()", UpdateTraceA(5, NULL, &block.p), 0);
	unsetenv("ETW_FAKE_BLOCK");
}

static void check_updates(void)
{
	static const ULONG items[] = {
		0x00020006, 0x00010003, 0x1, 0x10, ETW_EXT_PIDS << 16 | 2, 1
	};
	static const ULONG updated[] = {
		0x00020006, 0x00010003, 0x2, 0, ETW_EXT_PIDS << 16 | 2, 1
	};
	static const ULONG options[] = { 0x00010004, OPTIONS };

	start(EVENT_TRACE_SYSTEM_LOGGER_MODE, 0xFF, items, sizeof(items));
	update(2);
	check("plain flags take the place of all masks, and filters stay",
	      sent(0xFF, updated, sizeof(updated)));
	start(0, 0, items, sizeof(ULONG));
	update(2);
	check("without kernel events they change nothing", sent(0xFF, options, sizeof(options)));
}

/* As the module refuses a session without kernel events: what would have no effect */
static ULONG start_private(BYTE length, const ULONG *dwords, size_t size, ULONG *flags)
{
	TRACE_ENABLE_FLAG_EXTENSION extension = {
		.Offset = offsetof(struct block, dwords), .Length = length, .Flag = 0x80,
	};
	struct block block = {
		.p = {
			.Wnode = { .BufferSize = sizeof(block), .Flags = WNODE_FLAG_TRACED_GUID },
			.LogFileMode = EVENT_TRACE_PRIVATE_LOGGER_MODE,
			.LogFileNameOffset = offsetof(struct block, name),
		},
		.name = "private.etl",
	};
	TRACEHANDLE handle;
	ULONG error;

	memcpy(block.dwords, dwords, size);
	memcpy(&block.p.EnableFlags, length ? (const void *)&extension : dwords, 4);
	error = StartTraceA(&handle, "x", &block.p);
	if (error)
		return error;
	*flags = block.p.EnableFlags;
	StopTraceA(handle, NULL, &block.p);
	unlink(block.name);
	return error;
}

static void check_private(void)
{
	static const ULONG unknown[] = { 0x00010003, 0x77770002, 0 };
	static const ULONG pids[] = { 0x00010003, ETW_EXT_PIDS << 16 | 2, 1 };
	static const ULONG options[] = { 0x00010004, OPTIONS };
	static const ULONG test[] = { 0x00010004, 0x00010003, TEST, 0 };
	static const ULONG switches[] = { 0x00010003, 0x00010002, 0x10 };
	static const ULONG masks[] = { TEST, 0 }, kernel[] = { 0, 0x10 }, plain[] = { 0x12345 };
	static const ULONG long_item[] = { 0x00010003, 0x00010009, 0 };
	ULONG flags = 0;

	check("a private session: an unknown item is 50",
	      start_private(0xFF, unknown, sizeof(unknown), &flags) == ERROR_NOT_SUPPORTED);
	check("one for kernel events is 87",
	      start_private(0xFF, pids, sizeof(pids), &flags) == ERROR_INVALID_PARAMETER);
	check("one that only the module heeds is 87",
	      start_private(0xFF, options, sizeof(options), &flags) == ERROR_INVALID_PARAMETER);
	check("one that is longer than the rest is 87",
	      start_private(0xFF, long_item, sizeof(long_item), &flags) == ERROR_INVALID_PARAMETER);
	check("kernel events are 87, as an item and as masks alone",
	      start_private(0xFF, switches, sizeof(switches), &flags) == ERROR_INVALID_PARAMETER &&
	      start_private(2, kernel, sizeof(kernel), &flags) == ERROR_INVALID_PARAMETER);
	check("masks without any are taken, and returned as flags",
	      !start_private(0xFF, test, sizeof(test), &flags) && flags == TEST);
	check("the older form, too",
	      !start_private(2, masks, sizeof(masks), &flags) && flags == TEST);
	check("plain flags are taken, whatever they are",
	      !start_private(0, plain, sizeof(plain), &flags) && flags == 0x12345);
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
	check_updates();
	check_private();
	return failures != 0;
}
