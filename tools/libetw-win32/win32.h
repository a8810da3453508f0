/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The etw authors */
/* Functions of Windows' system DLLs beside those that libetw exports. */
#ifndef LIBETW_WIN32_H
#define LIBETW_WIN32_H

#include <errno.h>
#include "libetw/include/evntrace.h"

#define WIN32_API	__attribute__((visibility("default")))

/**
 * win32_result() - end a call; its caller reads the last error
 * @error: a Win32 code
 *
 * DllImport with SetLastError reads errno on Linux, not GetLastError().
 *
 * Return: whether the call has succeeded.
 */
static inline BOOL win32_result(DWORD error)
{
	SetLastError(error);
	errno = error;
	return error == ERROR_SUCCESS;
}

/* advapi32.dll. .NET looks these two up without a suffix; their texts are UTF-16 */
#undef ControlTrace
#undef QueryAllTraces
WIN32_API ULONG ControlTrace(TRACEHANDLE session, LPCWSTR name,
			     PEVENT_TRACE_PROPERTIES properties, ULONG code);
WIN32_API ULONG QueryAllTraces(PEVENT_TRACE_PROPERTIES *array, ULONG room, PULONG count);
WIN32_API BOOL OpenProcessToken(HANDLE process, DWORD access, PHANDLE token);
WIN32_API BOOL GetTokenInformation(HANDLE token, ULONG what, PVOID information, DWORD size,
				   PDWORD filled);
WIN32_API BOOL AdjustTokenPrivileges(HANDLE token, BOOL disable_all, PVOID wanted, DWORD size,
				     PVOID before, PDWORD filled);

/* kernel32.dll */
WIN32_API BOOL CloseHandle(HANDLE handle);
WIN32_API DWORD GetLogicalDrives(VOID);
WIN32_API DWORD QueryDosDeviceW(LPCWSTR name, LPWSTR target, DWORD units);
WIN32_API HANDLE LoadLibraryEx(LPCSTR name, HANDLE file, DWORD flags);

WIN32_API HANDLE LoadLibrary(LPCWSTR name);

/* KernelTraceControl.dll */
WIN32_API ULONG StartKernelTrace(PTRACEHANDLE session, PEVENT_TRACE_PROPERTIES properties,
				 CLASSIC_EVENT_ID *events, LONG count);

/* ntdll.dll */
WIN32_API LONG RtlGetVersion(PVOID information);

#endif /* LIBETW_WIN32_H */
