// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/*
 * The access token of the own process. Linux checks the rights of a process at each call, so a
 * token has no state: one number stands for it, and privileges cannot be switched.
 */
#include <unistd.h>
#include "win32.h"

#define TOKEN_ELEVATION		20
#define THE_TOKEN		((HANDLE)0x544F4B)
/* Not all privileges were assigned: the call succeeds all the same */
#define ERROR_NOT_ALL_ASSIGNED	1300

/* Whether the process may control sessions, which on Windows is a right of administrators */
static BOOL is_elevated(void)
{
	return !geteuid() || !access("/dev/etw/control", R_OK | W_OK);
}

/**
 * OpenProcessToken() - a handle of the own process's token
 * @process: not used, because .NET passes a number of its own
 * @access: not used
 * @token: the handle
 *
 * Return: TRUE; FALSE and ERROR_NOACCESS if @token is NULL.
 */
BOOL OpenProcessToken(HANDLE process, DWORD access, PHANDLE token)
{
	(void)process;
	(void)access;
	if (!token)
		return win32_result(ERROR_NOACCESS);
	*token = THE_TOKEN;
	return win32_result(ERROR_SUCCESS);
}

/**
 * GetTokenInformation() - whether the process may control sessions
 * @token: of OpenProcessToken()
 * @what: TokenElevation (20)
 * @information: a DWORD, which becomes 1 or 0
 * @size: bytes at @information
 * @filled: bytes of the answer; may be NULL
 *
 * Return: TRUE; FALSE and ERROR_INVALID_HANDLE, ERROR_INVALID_PARAMETER (another class),
 * ERROR_BAD_LENGTH, ERROR_NOACCESS.
 */
BOOL GetTokenInformation(HANDLE token, ULONG what, PVOID information, DWORD size, PDWORD filled)
{
	if (token != THE_TOKEN)
		return win32_result(ERROR_INVALID_HANDLE);
	if (what != TOKEN_ELEVATION)
		return win32_result(ERROR_INVALID_PARAMETER);
	if (filled)
		*filled = sizeof(DWORD);
	if (size < sizeof(DWORD))
		return win32_result(ERROR_BAD_LENGTH);
	if (!information)
		return win32_result(ERROR_NOACCESS);
	*(DWORD *)information = is_elevated();
	return win32_result(ERROR_SUCCESS);
}

/**
 * AdjustTokenPrivileges() - changes nothing
 * @token: of OpenProcessToken()
 * @disable_all: not used
 * @wanted: not used
 * @size: not used
 * @before: not used
 * @filled: not used
 *
 * Return: TRUE, with the last error ERROR_NOT_ALL_ASSIGNED if the process may not control
 * sessions, as on Windows; FALSE and ERROR_INVALID_HANDLE.
 */
BOOL AdjustTokenPrivileges(HANDLE token, BOOL disable_all, PVOID wanted, DWORD size, PVOID before,
			   PDWORD filled)
{
	(void)disable_all;
	(void)wanted;
	(void)size;
	(void)before;
	(void)filled;
	if (token != THE_TOKEN)
		return win32_result(ERROR_INVALID_HANDLE);
	win32_result(is_elevated() ? ERROR_SUCCESS : ERROR_NOT_ALL_ASSIGNED);
	return TRUE;
}

/**
 * CloseHandle() - closes a handle of OpenProcessToken()
 * @handle: of it
 *
 * Return: TRUE; FALSE and ERROR_INVALID_HANDLE for any other handle.
 */
BOOL CloseHandle(HANDLE handle)
{
	return win32_result(handle == THE_TOKEN ? ERROR_SUCCESS : ERROR_INVALID_HANDLE);
}
