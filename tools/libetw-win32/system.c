// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* What programs ask about the system before they open a trace: its version, drives, DLLs. */
#include <assert.h>
#include "etw_format.h"
#include "win32.h"

#define PLATFORM_NT		2
#define STATUS_BAD_ADDRESS	((LONG)0xC0000005)

/**
 * struct version_information - RTL_OSVERSIONINFOW
 * @size: bytes, as the caller says
 * @major: 10
 * @minor: 0
 * @build: the build that the module's payload layouts belong to
 * @platform: NT
 * @service_pack: empty
 */
struct version_information {
	DWORD size;
	DWORD major;
	DWORD minor;
	DWORD build;
	DWORD platform;
	USHORT service_pack[64];
};

static_assert(sizeof(struct version_information) == 148, "RTL_OSVERSIONINFOW");

/**
 * RtlGetVersion() - the version of Windows with the layouts that the module writes
 * @information: RTL_OSVERSIONINFOW
 *
 * The size in it is not looked at, as on Windows: TraceEvent passes an "out" structure;
 * .NET does not always copy its content in. With an error, TraceEvent would take this for Windows XP
 * and read all events in the classic form, which has no event ids.
 *
 * Return: 0, or an NTSTATUS: STATUS_ACCESS_VIOLATION.
 */
LONG RtlGetVersion(PVOID information)
{
	struct version_information *version = information;

	if (!version)
		return STATUS_BAD_ADDRESS;
	*version = (struct version_information){
		.size = sizeof(*version), .major = 10, .build = ETW_OS_BUILD, .platform = PLATFORM_NT,
	};
	return 0;
}

/**
 * GetLogicalDrives() - the drive letters
 *
 * Return: 0, because paths of Linux have none; ERROR_SUCCESS is the last error.
 */
DWORD GetLogicalDrives(VOID)
{
	win32_result(ERROR_SUCCESS);
	return 0;
}

/**
 * QueryDosDeviceW() - the device of a drive letter
 * @name: the drive
 * @target: not used
 * @units: not used
 *
 * Return: 0 and ERROR_FILE_NOT_FOUND, because there is no drive.
 */
DWORD QueryDosDeviceW(LPCWSTR name, LPWSTR target, DWORD units)
{
	(void)name;
	(void)target;
	(void)units;
	win32_result(ERROR_FILE_NOT_FOUND);
	return 0;
}

/**
 * LoadLibraryEx() - loads a DLL
 * @name: of it
 * @file: not used
 * @flags: not used
 *
 * Return: NULL and ERROR_MOD_NOT_FOUND, because no DLL of Windows can be loaded.
 */
HANDLE LoadLibraryEx(LPCSTR name, HANDLE file, DWORD flags)
{
	(void)name;
	(void)file;
	(void)flags;
	win32_result(ERROR_MOD_NOT_FOUND);
	return NULL;
}
