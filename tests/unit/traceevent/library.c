// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/*
 * What .NET finds in libetw-win32's folder, called as DllImport calls it:
 * library FILE JUNK DESCRIBED; the events of DESCRIBED describe themselves
 */
#include <dlfcn.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <windows.h>
#include <evntrace.h>
#include <evntcons.h>
#include "tests/lib/guest/check.h"

#define TOKEN_ELEVATION	20

static ULONG events;

/* As CoreCLR does: the name with .so behind it, then the function as it is written */
static void *find(const char *dll, const char *function)
{
	char name[64];
	void *library, *found;

	snprintf(name, sizeof(name), "%s.so", dll);
	library = dlopen(name, RTLD_LAZY);
	found = library ? dlsym(library, function) : NULL;
	if (!found)
		check_that(0, "%s has %s # %s", dll, function, dlerror());
	return found;
}

static VOID WINAPI on_record(PEVENT_RECORD event)
{
	(void)event;
	events++;
}

static void widen(const char *text, WCHAR *wide)
{
	do {
		*wide++ = (UCHAR)*text;
	} while (*text++);
}

static void test_files(const char *file, const char *junk)
{
	PROCESSTRACE_HANDLE (*open)(PEVENT_TRACE_LOGFILEW) = find("advapi32.dll", "OpenTraceW");
	ULONG (*process)(PROCESSTRACE_HANDLE *, ULONG, LPFILETIME, LPFILETIME) =
		find("advapi32.dll", "ProcessTrace");
	ULONG (*close)(PROCESSTRACE_HANDLE) = find("advapi32.dll", "CloseTrace");
	EVENT_TRACE_LOGFILEW logfile = { .ProcessTraceMode = PROCESS_TRACE_MODE_EVENT_RECORD };
	PROCESSTRACE_HANDLE handle;
	WCHAR name[4096];

	if (!open || !process || !close)
		return;
	widen(file, name);
	logfile.LogFileName = name;
	logfile.EventRecordCallback = on_record;
	handle = open(&logfile);
	check_that(handle != INVALID_PROCESSTRACE_HANDLE && !process(&handle, 1, NULL, NULL) &&
		   events > 3 && !close(handle), "a file is opened, processed and closed");
	check_that(close(handle) == ERROR_INVALID_HANDLE, "CloseTrace refuses a closed handle");
	widen(junk, name);
	errno = 0;
	check_that(open(&logfile) == INVALID_PROCESSTRACE_HANDLE && errno == ERROR_FILE_CORRUPT,
		   "OpenTraceW: errno has the Win32 code of a file that is no trace");
	widen("/no/such/file", name);
	check_that(open(&logfile) == INVALID_PROCESSTRACE_HANDLE && errno == ERROR_FILE_NOT_FOUND,
		   "OpenTraceW: errno has the Win32 code of a missing file");
}

static PROCESSTRACE_HANDLE closing;
static ULONG (*close_found)(PROCESSTRACE_HANDLE);
static ULONG descriptions, closed_with;

/* CloseTrace() from within ProcessTrace() */
static VOID WINAPI close_at_description(PEVENT_RECORD event)
{
	if (event->EventHeader.ProviderId.Data1 != 0xbbccf6c1)
		return;
	descriptions++;
	closed_with = close_found(closing);
}

/* What a source has got is forgotten with its last trace, also if that is closed while it is read. */
static void test_closing(const char *file)
{
	PROCESSTRACE_HANDLE (*open)(PEVENT_TRACE_LOGFILEW) = find("advapi32.dll", "OpenTraceW");
	ULONG (*process)(PROCESSTRACE_HANDLE *, ULONG, LPFILETIME, LPFILETIME) =
		find("advapi32.dll", "ProcessTrace");
	EVENT_TRACE_LOGFILEW logfile = { .ProcessTraceMode = PROCESS_TRACE_MODE_EVENT_RECORD };
	WCHAR name[4096];
	ULONG i;

	close_found = find("advapi32.dll", "CloseTrace");
	if (!open || !process || !close_found)
		return;
	widen(file, name);
	logfile.LogFileName = name;
	logfile.EventRecordCallback = close_at_description;
	for (i = 1; i <= 2; i++) {
		closing = open(&logfile);
		check_that(closing != INVALID_PROCESSTRACE_HANDLE &&
			   !process(&closing, 1, NULL, NULL) && descriptions == i &&
			   closed_with == ERROR_CTX_CLOSE_PENDING,
			   "the description comes before the trace is closed, time %u", i);
	}
}

static void test_system(void)
{
	struct {
		DWORD size, major, minor, build, platform;
		USHORT service_pack[64];
	} version = { .size = sizeof(version) };
	LONG (*get_version)(void *) = find("ntdll.dll", "RtlGetVersion");
	DWORD (*drives)(void) = find("kernel32.dll", "GetLogicalDrives");
	DWORD (*device)(LPCWSTR, LPWSTR, DWORD) = find("kernel32.dll", "QueryDosDeviceW");
	HANDLE (*load)(LPCSTR, HANDLE, DWORD) = find("kernel32.dll", "LoadLibraryEx");
	WCHAR target[16] = { 'x' };

	if (!get_version || !drives || !device || !load)
		return;
	check_that(sizeof(version) == 148 && !get_version(&version) && version.major == 10 &&
		   !version.minor && version.platform == 2, "RtlGetVersion: 10.0, 148 bytes");
	version.size = 0;
	version.major = 0;
	check_that(!get_version(&version) && version.major == 10 && get_version(NULL) < 0,
		   "RtlGetVersion takes any size, and refuses NULL");
	check_that(!drives() && !device(u"C:", target, 16) && errno == ERROR_FILE_NOT_FOUND &&
		   target[0] == 'x', "there are no drives");
	check_that(!load("KernelTraceControl.dll", NULL, 0) && errno == ERROR_MOD_NOT_FOUND,
		   "LoadLibraryEx: no DLL of Windows is found");
}

/* What TraceEventSession looks up beside libetw's own functions */
static void test_controllers(void)
{
	HANDLE (*load)(LPCWSTR) = find("kernel32", "LoadLibrary");
	ULONG (*start)(TRACEHANDLE *, PEVENT_TRACE_PROPERTIES, CLASSIC_EVENT_ID *, LONG) =
		find("KernelTraceControl.dll", "StartKernelTrace");
	ULONG (*providers)(void *, ULONG *) = find("tdh.dll", "TdhEnumerateProviders");
	ULONG (*fields)(const GUID *, ULONG, void *, ULONG *) =
		find("tdh.dll", "TdhEnumerateProviderFieldInformation");
	ULONG list[256], size = 0;
	TRACEHANDLE session = 7;

	if (!load || !start || !providers || !fields)
		return;
	check_that(load(u"/a/AMD64/KernelTraceControl.dll") && !load(u"msdia140.dll") &&
	      errno == ERROR_MOD_NOT_FOUND && !load(NULL),
	      "LoadLibrary: KernelTraceControl.dll alone is found");
	check_that(start(&session, NULL, NULL, 0) == ERROR_INVALID_PARAMETER && !session,
	      "StartKernelTrace without properties starts no session");
	check_that(providers(NULL, &size) == ERROR_INSUFFICIENT_BUFFER && size <= sizeof(list) &&
	      !providers(list, &size) && list[0] == 2, "the kernel's and the module's provider have names");
	check_that(fields(&(GUID){ 0 }, 0, list, &size) == ERROR_NOT_FOUND,
	      "and no names of their fields");
	check_that(find("advapi32.dll", "EnableTraceEx2") == (void *)EnableTraceEx2 &&
	      find("advapi32.dll", "TraceSetInformation") == (void *)TraceSetInformation,
	      "libetw's functions of controllers are found");
}

/* The class of Thread events; the offsets are those of TRACE_EVENT_INFO */
static void test_descriptions(void)
{
	ULONG (*get)(PEVENT_RECORD, ULONG, PVOID, PVOID, PULONG) =
		find("tdh.dll", "TdhGetEventInformation");
	ULONG (*map)(PEVENT_RECORD, LPCWSTR, PVOID, PULONG) =
		find("tdh.dll", "TdhGetEventMapInformation");
	EVENT_RECORD event = { .EventHeader = {
		.Flags = EVENT_HEADER_FLAG_CLASSIC_HEADER,
		.EventDescriptor = { .Version = 2, .Opcode = 0x3D },
		.ProviderId = { 0x3d6fa8d1, 0xfe05, 0x11d0,
				{ 0x9d, 0xda, 0x00, 0xc0, 0x4f, 0xd7, 0xba, 0x7c } },
	} };
	ULONG info[1024], size = 0, needed;

	if (!get || !map)
		return;
	check_that(get(&event, 0, NULL, NULL, &size) == ERROR_INSUFFICIENT_BUFFER && size > 0x70,
		   "TdhGetEventInformation returns the size that it needs");
	needed = size;
	size = sizeof(info);
	check_that(!get(&event, 0, NULL, info, &size) && size == needed && info[0x64 / 4] == 6 &&
		   !memcmp((char *)info + info[0x48 / 4], u"Migration", sizeof(u"Migration")),
		   "and the name and the fields of an event");
	event.EventHeader.EventDescriptor.Opcode = 0xFE;
	check_that(get(&event, 0, NULL, info, &size) == ERROR_NOT_FOUND &&
		   get(NULL, 0, NULL, info, &size) == ERROR_INVALID_PARAMETER,
		   "an unknown event is not found, and none is an error");
	check_that(map(&event, u"a map", info, &size) == ERROR_NOT_FOUND,
		   "there are no names of values");
}

static void test_token(void)
{
	BOOL (*open)(HANDLE, DWORD, HANDLE *) = find("advapi32.dll", "OpenProcessToken");
	BOOL (*get)(HANDLE, ULONG, void *, DWORD, DWORD *) =
		find("advapi32.dll", "GetTokenInformation");
	BOOL (*adjust)(HANDLE, BOOL, void *, DWORD, void *, DWORD *) =
		find("advapi32.dll", "AdjustTokenPrivileges");
	BOOL (*close)(HANDLE) = find("kernel32.dll", "CloseHandle");
	DWORD elevated = 12345, filled = 0;
	HANDLE token = NULL;

	if (!open || !get || !adjust || !close)
		return;
	check_that(open(NULL, 8, &token) && token &&
		   get(token, TOKEN_ELEVATION, &elevated, 4, &filled) &&
		   filled == 4 && (elevated == 1 || geteuid()),
		   "the superuser's token is elevated");
	check_that(adjust(token, FALSE, NULL, 0, NULL, NULL), "AdjustTokenPrivileges succeeds");
	check_that(!get(token, TOKEN_ELEVATION, &elevated, 3, &filled) &&
		   errno == ERROR_BAD_LENGTH &&
		   !get(token, 1, &elevated, 4, &filled) && errno == ERROR_INVALID_PARAMETER,
		   "GetTokenInformation refuses a short answer and other classes");
	check_that(close(token) && !close((HANDLE)4) && errno == ERROR_INVALID_HANDLE &&
		   !get((HANDLE)4, TOKEN_ELEVATION, &elevated, 4, &filled) &&
		   errno == ERROR_INVALID_HANDLE && !open(NULL, 8, NULL) && errno == ERROR_NOACCESS,
		   "wrong handles and NULL are refused");
}

static void test_sessions(void)
{
	ULONG (*control)(TRACEHANDLE, LPCWSTR, PEVENT_TRACE_PROPERTIES, ULONG) =
		find("advapi32.dll", "ControlTrace");
	ULONG (*query_all)(PEVENT_TRACE_PROPERTIES *, ULONG, ULONG *) =
		find("advapi32.dll", "QueryAllTraces");
	struct {
		EVENT_TRACE_PROPERTIES fixed;
		WCHAR names[2048];
	} block = { .fixed.Wnode.BufferSize = sizeof(block) };
	PEVENT_TRACE_PROPERTIES array = &block.fixed;
	ULONG count = 0;

	block.fixed.LoggerNameOffset = sizeof(block.fixed);
	block.fixed.LogFileNameOffset = sizeof(block.fixed) + 2048;
	if (!control || !query_all)
		return;
	check_that(control(0, u"no session has this name", &block.fixed,
			   EVENT_TRACE_CONTROL_QUERY) ==
			   ControlTraceW(0, u"no session has this name",
			   &block.fixed, EVENT_TRACE_CONTROL_QUERY) &&
		   control(0, NULL, NULL, 99) == ERROR_INVALID_PARAMETER,
		   "ControlTrace is ControlTraceW");
	check_that(query_all(&array, 1, &count) == QueryAllTracesW(&array, 1, &count) &&
		   query_all(NULL, 1, &count) == ERROR_INVALID_PARAMETER,
		   "QueryAllTraces is QueryAllTracesW");
	check_that(find("advapi32.dll", "StartTraceW") == (void *)StartTraceW &&
		   find("advapi32.dll", "EnableTrace") == (void *)EnableTrace,
		   "libetw's own functions are found, too");
}

int main(int argc, char **argv)
{
	if (argc != 4)
		return 2;
	test_files(argv[1], argv[2]);
	test_closing(argv[3]);
	test_system();
	test_controllers();
	test_descriptions();
	test_token();
	test_sessions();
	check_that(!strcmp(getenv("windir"), "C:\\Windows") &&
		   !strcmp(getenv("WinDir"), "D:\\other") &&
		   !strcmp(getenv("SystemRoot"), "C:\\Windows"),
		   "etw-dotnet sets Windows' variables, and keeps those that are set");
	return 0;
}
