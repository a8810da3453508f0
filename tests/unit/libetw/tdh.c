// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* Results of tdh.h: texts of values, sizes of buffers, errors. */
#include <windows.h>
#include <evntcons.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>
#include <tdh.h>
#include "check.h"

static EVENT_MAP_INFO *map_of(MAP_FLAGS flag)
{
	static struct {
		EVENT_MAP_INFO info;
		EVENT_MAP_ENTRY second;
		WCHAR name[2][4];
	} map = { .info = { .EntryCount = 2 }, .name = { u"one", u"two" } };

	map.info.Flag = flag;
	map.info.MapEntryArray[0] = (EVENT_MAP_ENTRY){ (char *)map.name[0] - (char *)&map, { 1 } };
	map.info.MapEntryArray[1] = (EVENT_MAP_ENTRY){ (char *)map.name[1] - (char *)&map, { 2 } };
	return &map.info;
}

/* Whether the value has the text, and how many of its bytes are used */
static int has_text(USHORT in, USHORT out, const void *data, USHORT size, USHORT length,
		    EVENT_MAP_INFO *map, const WCHAR *wanted, USHORT used)
{
	ULONG needed = 0, room, units = 0;
	USHORT consumed = 0x7777;
	WCHAR text[200];
	ULONG status;

	while (wanted[units])
		units++;
	status = TdhFormatProperty(NULL, map, 8, in, out, length, size, (PBYTE)data, &needed, NULL,
				   &consumed);
	if (status != ERROR_INSUFFICIENT_BUFFER || needed != 2 * (units + 1) || consumed != 0x7777)
		return 0;
	room = needed - 1;
	if (TdhFormatProperty(NULL, map, 8, in, out, length, size, (PBYTE)data, &room, text,
			      &consumed) != ERROR_INSUFFICIENT_BUFFER || room != needed)
		return 0;
	status = TdhFormatProperty(NULL, map, 8, in, out, length, size, (PBYTE)data, &room, text,
				   &consumed);
	return !status && consumed == used && !memcmp(text, wanted, needed);
}

#define TEXT_IS(in, out, data, length, wanted, used) \
	has_text(in, out, data, sizeof(data), length, NULL, wanted, used)

static void numbers(void)
{
	static const BYTE ones[8] = { 255, 255, 255, 255, 255, 255, 255, 255 };
	static const BYTE port[] = { 1, 0xbb }, ip[] = { 127, 0, 0, 1 }, ip6[16] = { [15] = 1 };
	static const BYTE counted6[18] = { 16, [17] = 1 };
	static const double real = -2.5;
	BYTE bytes[8];

	memcpy(bytes, &real, sizeof(bytes));
	check_that(TEXT_IS(TDH_INTYPE_INT8, 0, ones, 0, u"-1", 1) &&
		   TEXT_IS(TDH_INTYPE_UINT8, 0, ones, 0, u"255", 1) &&
		   TEXT_IS(TDH_INTYPE_INT32, 0, ones, 0, u"-1", 4) &&
		   TEXT_IS(TDH_INTYPE_UINT32, 0, ones, 0, u"4294967295", 4) &&
		   TEXT_IS(TDH_INTYPE_INT64, 0, ones, 0, u"-1", 8) &&
		   TEXT_IS(TDH_INTYPE_HEXINT32, 0, ones, 0, u"0xFFFFFFFF", 4) &&
		   TEXT_IS(TDH_INTYPE_UINT16, TDH_OUTTYPE_HEXINT16, ones, 0, u"0xFFFF", 2) &&
		   TEXT_IS(TDH_INTYPE_POINTER, 0, ones, 0, u"0xFFFFFFFFFFFFFFFF", 8),
		   "numbers have the sign and the base of their type");
	check_that(TEXT_IS(TDH_INTYPE_UINT16, TDH_OUTTYPE_PORT, port, 0, u"443", 2) &&
		   TEXT_IS(TDH_INTYPE_UINT32, TDH_OUTTYPE_IPV4, ip, 0, u"127.0.0.1", 4) &&
		   TEXT_IS(TDH_INTYPE_BINARY, TDH_OUTTYPE_IPV6, ip6, 0, u"::1", 16) &&
		   TEXT_IS(TDH_INTYPE_MANIFEST_COUNTEDBINARY, TDH_OUTTYPE_IPV6, counted6, 0, u"::1",
			   18),
		   "ports and addresses are those of the network");
	check_that(TEXT_IS(TDH_INTYPE_BOOLEAN, 0, ip, 0, u"true", 4) &&
		   TEXT_IS(TDH_INTYPE_DOUBLE, 0, bytes, 0, u"-2.5", 8),
		   "truth and real numbers are formatted");
}

static void strings(void)
{
	static const WCHAR wide[] = u"ab\0c";
	static const char narrow[] = "ab\0c", counted[] = "\2\0abc";
	static const BYTE sid[] = { 1, 1, 0, 0, 0, 0, 0, 5, 18, 0, 0, 0 };

	check_that(TEXT_IS(TDH_INTYPE_UNICODESTRING, 0, wide, 0, u"ab", 6) &&
		   TEXT_IS(TDH_INTYPE_UNICODESTRING, 0, wide, 1, u"a", 2) &&
		   TEXT_IS(TDH_INTYPE_ANSISTRING, 0, narrow, 0, u"ab", 3) &&
		   TEXT_IS(TDH_INTYPE_MANIFEST_COUNTEDANSISTRING, 0, counted, 0, u"ab", 4),
		   "strings end at their terminator, length or count");
	check_that(TEXT_IS(TDH_INTYPE_SID, 0, sid, 0, u"S-1-5-18", 12) &&
		   TEXT_IS(TDH_INTYPE_BINARY, TDH_OUTTYPE_HEXBINARY, sid, 2, u"0x0101", 2) &&
		   TEXT_IS(TDH_INTYPE_GUID, 0, "abcdefghijklmnop", 0,
			   u"64636261-6665-6867-696a-6b6c6d6e6f70", 16),
		   "SIDs, bytes and GUIDs are formatted");
}

/* A structure of 127 arrays without members, 16384 times: more than a payload can have */
static void many_empty_arrays(void)
{
	static const char head[] = "\0\0\0E\0s\0\xB8\x7F\0\x40", empty[] = "\0\x24\0\0";
	static const char last[] = "end\0\4";
	PROPERTY_DATA_DESCRIPTOR path = { (ULONG_PTR)u"end", (ULONG)-1, 0 };
	BYTE schema[sizeof(head) + 127 * 4 + sizeof(last)], payload = 7;
	EVENT_HEADER_EXTENDED_DATA_ITEM item = {
		.ExtType = EVENT_HEADER_EXT_TYPE_EVENT_SCHEMA_TL, .DataPtr = (ULONG_PTR)schema,
	};
	EVENT_RECORD event = { .ExtendedDataCount = 1, .ExtendedData = &item,
			       .UserData = &payload, .UserDataLength = 1 };
	BYTE *at = schema;
	ULONG size = 0;
	int i;

	memcpy(at, head, sizeof(head) - 1);
	at += sizeof(head) - 1;
	for (i = 0; i < 127; i++, at += 4)
		memcpy(at, empty, 4);
	memcpy(at, last, sizeof(last) - 1);
	at += sizeof(last) - 1;
	item.DataSize = at - schema;
	memcpy(schema, &item.DataSize, 2);
	check_that(TdhGetPropertySize(&event, 0, NULL, 1, &path, &size) ==
		   ERROR_EVT_INVALID_EVENT_DATA, "the arrays that are walked have a bound");
	/* the same structure once */
	schema[10] = 0;
	schema[9] = 1;
	check_that(!TdhGetPropertySize(&event, 0, NULL, 1, &path, &size) && size == 1,
		   "a field behind arrays without members is found");
}

static void maps(void)
{
	static const BYTE one[4] = { 1 }, three[4] = { 3 }, five[4] = { 5 };

	check_that(has_text(TDH_INTYPE_UINT32, 0, one, 4, 0,
			    map_of(EVENTMAP_INFO_FLAG_MANIFEST_VALUEMAP), u"one", 4) &&
		   has_text(TDH_INTYPE_UINT32, 0, three, 4, 0,
			    map_of(EVENTMAP_INFO_FLAG_MANIFEST_VALUEMAP), u"3", 4),
		   "a value has its name, or stays a number");
	check_that(has_text(TDH_INTYPE_UINT32, 0, three, 4, 0,
			    map_of(EVENTMAP_INFO_FLAG_MANIFEST_BITMAP), u"one | two", 4) &&
		   has_text(TDH_INTYPE_UINT32, 0, five, 4, 0,
			    map_of(EVENTMAP_INFO_FLAG_MANIFEST_BITMAP), u"one | 0x4", 4),
		   "bits have their names, and the rest is a number");
}

static void errors(void)
{
	PROPERTY_DATA_DESCRIPTOR path = { (ULONG_PTR)u"NewThreadId", (ULONG)-1, 0 };
	BYTE payload[24] = { 7 };
	/* Thread/CSwitch */
	EVENT_RECORD event = { .EventHeader = {
		.Flags = EVENT_HEADER_FLAG_CLASSIC_HEADER,
		.EventDescriptor = { .Version = 2, .Opcode = 0x24 },
		.ProviderId = { 0x3d6fa8d1, 0xfe05, 0x11d0,
				{ 0x9d, 0xda, 0x00, 0xc0, 0x4f, 0xd7, 0xba, 0x7c } },
	}, .UserData = payload, .UserDataLength = sizeof(payload) };
	ULONG size = 0, value = 0;
	USHORT used;

	check_that(!TdhGetPropertySize(&event, 0, NULL, 1, &path, &size) && size == 4 &&
		   !TdhGetProperty(&event, 0, NULL, 1, &path, 4, (PBYTE)&value) && value == 7,
		   "a field of a kernel event is found by its name");
	check_that(TdhGetProperty(&event, 0, NULL, 1, &path, 3, (PBYTE)&value) ==
		   ERROR_INSUFFICIENT_BUFFER, "a buffer that is too small is an error");
	event.UserDataLength = 3;
	check_that(TdhGetPropertySize(&event, 0, NULL, 1, &path, &size) ==
		   ERROR_EVT_INVALID_EVENT_DATA, "a payload that is too short is an error");
	event.UserDataLength = sizeof(payload);
	path.PropertyName = (ULONG_PTR)u"NewThreadIdX";
	check_that(TdhGetPropertySize(&event, 0, NULL, 1, &path, &size) == ERROR_NOT_FOUND,
		   "an unknown field is not found");
	event.EventHeader.EventDescriptor.Opcode = 0xFE;
	check_that(TdhGetPropertySize(&event, 0, NULL, 1, &path, &size) == ERROR_NOT_FOUND &&
		   TdhGetEventMapInformation(&event, (LPWSTR)u"map", NULL, &size) == ERROR_NOT_FOUND,
		   "an unknown event and an unknown map are not found");
	check_that(TdhGetPropertySize(NULL, 0, NULL, 1, &path, &size) == ERROR_INVALID_PARAMETER &&
		   TdhGetPropertySize(&event, 0, NULL, 0, &path, &size) == ERROR_INVALID_PARAMETER &&
		   TdhGetEventInformation(&event, 0, NULL, NULL, NULL) == ERROR_INVALID_PARAMETER &&
		   TdhEnumerateProviders(NULL, NULL) == ERROR_INVALID_PARAMETER &&
		   TdhFormatProperty(NULL, NULL, 5, TDH_INTYPE_INT8, 0, 0, 1, payload, &size, NULL,
				     &used) == ERROR_INVALID_PARAMETER,
		   "missing arguments are errors");
	check_that(TdhFormatProperty(NULL, NULL, 8, TDH_INTYPE_INT32, 0, 0, 3, payload, &size, NULL,
				     &used) == ERROR_EVT_INVALID_EVENT_DATA &&
		   TdhFormatProperty(NULL, NULL, 8, 299, 0, 0, 3, payload, &size, NULL, &used) ==
		   ERROR_EVT_INVALID_EVENT_DATA, "a value that is cut, or of no type, is an error");
}

static ULONG manifest(TDHSTATUS (*call)(PWSTR), const char *folder, const char *name)
{
	WCHAR wide[256];
	char path[256];
	size_t i;

	snprintf(path, sizeof(path), "%s%s", folder, name);
	for (i = 0; i <= strlen(path); i++)
		wide[i] = path[i];
	return call(wide);
}

static int is_known(USHORT id)
{
	/* Sample-Provider */
	EVENT_RECORD event = { .EventHeader = {
		.EventDescriptor = { .Id = id },
		.ProviderId = { 0x03020100, 0x0504, 0x0706,
				{ 0x08, 0x09, 0x0a, 0x0b, 0x0c, 0x0d, 0x0e, 0x0f } },
	} };
	ULONG size = 0, status = TdhGetEventInformation(&event, 0, NULL, NULL, &size);

	return status == ERROR_INSUFFICIENT_BUFFER && size > sizeof(TRACE_EVENT_INFO);
}

static int child_knows(USHORT id)
{
	pid_t pid = fork();
	int status = 1;

	if (!pid)
		_exit(!is_known(id));
	waitpid(pid, &status, 0);
	return !status;
}

/* @folder has the template of sample.man: a file of its own, and in a PE file */
static void binaries(const char *folder)
{
	check_that(!is_known(1) && !manifest(TdhLoadManifestFromBinary, folder, "/sample.dll") &&
		   is_known(1) && !manifest(TdhUnloadManifest, folder, "/sample.dll") &&
		   !is_known(1), "the events of a PE file are known until it is unloaded");
	check_that(!manifest(TdhLoadManifest, folder, "/sample.bin") && is_known(1) &&
		   !manifest(TdhUnloadManifest, folder, "/sample.bin") && !is_known(1),
		   "the events of a template are known until it is unloaded");
	check_that(manifest(TdhLoadManifestFromBinary, folder, "/broken.dll") ==
		   ERROR_XML_PARSE_ERROR && !is_known(1) &&
		   manifest(TdhLoadManifestFromBinary, folder, "/none") == ERROR_FILE_NOT_FOUND,
		   "a PE file that is cut is an error");
}

/* @folder has sample.man, other.man with the event 77, broken.man and the folder "folder" */
static void manifests(const char *folder)
{
	check_that(TdhLoadManifest(NULL) == ERROR_INVALID_PARAMETER &&
		   TdhUnloadManifest(NULL) == ERROR_INVALID_PARAMETER &&
		   TdhLoadManifest((PWSTR)8) == ERROR_NOACCESS &&
		   manifest(TdhLoadManifest, "", "") == ERROR_BAD_PATHNAME,
		   "a manifest without a path is an error");
	check_that(manifest(TdhLoadManifest, folder, "/none") == ERROR_FILE_NOT_FOUND &&
		   manifest(TdhLoadManifest, folder, "/folder") == ERROR_ACCESS_DENIED &&
		   manifest(TdhLoadManifest, folder, "/pipe") == ERROR_ACCESS_DENIED &&
		   manifest(TdhLoadManifest, folder, "/broken.man") == ERROR_XML_PARSE_ERROR &&
		   manifest(TdhUnloadManifest, folder, "/broken.man") == ERROR_NOT_FOUND,
		   "a file that is no manifest is an error, and is not loaded");
	check_that(!is_known(1) && !manifest(TdhLoadManifest, folder, "/sample.man") && is_known(1),
		   "the events of a loaded manifest are known");
	check_that(child_knows(1), "a child knows the manifests of its parent");
	check_that(!manifest(TdhLoadManifest, folder, "/other.man") && is_known(77) && is_known(1),
		   "several manifests add up");
	check_that(!manifest(TdhLoadManifest, folder, "/sample.man") &&
		   !manifest(TdhUnloadManifest, folder, "/sample.man") && !is_known(1) &&
		   is_known(77) &&
		   manifest(TdhUnloadManifest, folder, "/sample.man") == ERROR_NOT_FOUND,
		   "a manifest that was loaded twice is forgotten at once, and no other one");
	check_that(!manifest(TdhUnloadManifest, folder, "/other.man") && !is_known(77),
		   "the last manifest is forgotten");
}

/* After a failed load, what was loaded by this name stays. */
static void spoilt(const char *folder)
{
	char good[256], bad[256];

	snprintf(good, sizeof(good), "%s/sample.man", folder);
	snprintf(bad, sizeof(bad), "%s/broken.man", folder);
	check_that(!manifest(TdhLoadManifest, folder, "/sample.man") && !rename(bad, good) &&
		   manifest(TdhLoadManifest, folder, "/sample.man") == ERROR_XML_PARSE_ERROR &&
		   is_known(1), "a manifest stays when it cannot be read again");
}

static volatile sig_atomic_t forks, bad_forks;

/* The timer goes on, however long a fork takes: then the function does, too. */
static void fork_some(int signal)
{
	int status = 1;
	pid_t pid;

	(void)signal;
	if (forks == 20)
		return;
	pid = fork();
	if (!pid)
		_exit(0);
	waitpid(pid, &status, 0);
	bad_forks += !!status;
	forks++;
}

/* Otherwise the handler would wait for the lock of the function that it interrupted. */
static void forks_in_handlers(const char *folder)
{
	const struct itimerval every = { { 0, 1000 }, { 0, 1000 } }, never = { { 0, 0 }, { 0, 0 } };
	struct sigaction action = { .sa_handler = fork_some, .sa_flags = SA_RESTART };
	ULONG status = 0;

	sigaction(SIGALRM, &action, NULL);
	setitimer(ITIMER_REAL, &every, NULL);
	while (forks < 20)
		status |= manifest(TdhLoadManifest, folder, "/other.man");
	setitimer(ITIMER_REAL, &never, NULL);
	check_that(!status && !bad_forks && is_known(77),
		   "a handler may fork while a manifest is loaded");
}

int main(int argc, char **argv)
{
	if (argc != 2)
		return 2;
	numbers();
	strings();
	maps();
	many_empty_arrays();
	errors();
	manifests(argv[1]);
	binaries(argv[1]);
	forks_in_handlers(argv[1]);
	spoilt(argv[1]);
	return !!failures;
}
