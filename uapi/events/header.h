/* SPDX-License-Identifier: GPL-2.0 WITH Linux-syscall-note */
/* Copyright (C) 2026 The etw authors */
/* Records that frame a trace; included by etw_hooks.h. */
#ifndef _UAPI_ETW_EVENTS_HEADER_H
#define _UAPI_ETW_EVENTS_HEADER_H

#include <linux/types.h>
#include "etw_format.h"

#define WMI_LOG_TYPE_HEADER			0x0000
#define WMI_LOG_TYPE_HEADER_EXTENSION		0x0005
#define WMI_LOG_TYPE_RUNDOWN_COMPLETE		0x0008
#define WMI_LOG_TYPE_GROUP_MASKS_END		0x0020

#endif /* _UAPI_ETW_EVENTS_HEADER_H */
