/* SPDX-License-Identifier: GPL-2.0 WITH Linux-syscall-note */
/* Copyright (C) 2026 The etw authors */
/* Marks: texts from the user of a session; included by etw_hooks.h. */
#ifndef _UAPI_ETW_EVENTS_MARK_H
#define _UAPI_ETW_EVENTS_MARK_H

#include <linux/types.h>
#include "etw_format.h"

#define PERFINFO_LOG_TYPE_MARK			0x0F22
/* {CE1DBFB4-137E-4DA6-87B0-3F59AA102CBC}: the class of group 0F */
#define ETW_PERF_INFO_GUID { 0xce1dbfb4, 0x137e, 0x4da6, \
	{ 0x87, 0xb0, 0x3f, 0x59, 0xaa, 0x10, 0x2c, 0xbc } }

#endif /* _UAPI_ETW_EVENTS_MARK_H */
