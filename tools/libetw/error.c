// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* Win32 codes: of errnos, and the last one of each thread. */
#include <errno.h>
#include <unistd.h>
#include "libetw.h"

/* Set in handlers of signals, where a loaded library's must not be allocated at first use */
static __thread DWORD last_error __attribute__((tls_model("initial-exec")));

DWORD GetLastError(void)
{
	return last_error;
}

void SetLastError(DWORD error)
{
	last_error = error;
}

DWORD GetCurrentThreadId(void)
{
	return gettid();
}

ULONG etw_result(ULONG error)
{
	last_error = error;
	return error;
}

ULONG etw_error(int err)
{
	switch (err < 0 ? -err : err) {
	case 0:
		return ERROR_SUCCESS;
	case EFAULT:
		return ERROR_NOACCESS;
	case EBADF:
		return ERROR_INVALID_HANDLE;
	case EBADRQC:
		return ERROR_INVALID_FLAG_NUMBER;
	case E2BIG:
		return ERROR_INVALID_DATA;
	case EMSGSIZE:
		return ERROR_MORE_DATA;
	case EOVERFLOW:
		return ERROR_ARITHMETIC_OVERFLOW;
	case ENOBUFS:
	case ENOMEM:
		return ERROR_NOT_ENOUGH_MEMORY;
	case EACCES:
	case EPERM:
		return ERROR_ACCESS_DENIED;
	case EOPNOTSUPP:
		return ERROR_NOT_SUPPORTED;
	case EDQUOT:
		return ERROR_NOT_ENOUGH_QUOTA;
	case ENOENT:
	case EALREADY:
		return ERROR_WMI_INSTANCE_NOT_FOUND;
	case EEXIST:
		return ERROR_ALREADY_EXISTS;
	case ENOSPC:
	case EAGAIN:	/* no thread of ours: the program's limits */
		return ERROR_NO_SYSTEM_RESOURCES;
	case EBUSY:
		return ERROR_BUSY;
	case EMFILE:
	case ENFILE:
		return ERROR_TOO_MANY_OPEN_FILES;
	case ENOTTY:
	case ENXIO:
	case ENODEV:
		return ERROR_DEV_NOT_EXIST;
	case EIO:
		return ERROR_WRITE_FAULT;
	case EINVAL:
	default:
		return ERROR_INVALID_PARAMETER;
	}
}

/* Without the module there is no session that a handle could name. */
ULONG etw_provider_error(int err)
{
	return err == -ENODEV || err == -ENOTTY ? ERROR_INVALID_HANDLE : etw_error(err);
}
