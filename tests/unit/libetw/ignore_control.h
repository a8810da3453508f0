/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The etw authors */
/* A provider's callback that ignores by which session it is enabled. */
#ifndef IGNORE_CONTROL_H
#define IGNORE_CONTROL_H

static inline ULONG WINAPI ignore_control(WMIDPREQUESTCODE code, PVOID context, ULONG *size,
					  PVOID buffer)
{
	(void)code;
	(void)context;
	(void)size;
	(void)buffer;
	return 0;
}

#endif /* IGNORE_CONTROL_H */
