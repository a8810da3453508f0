/* SPDX-License-Identifier: GPL-2.0 WITH Linux-syscall-note */
/* Copyright (C) 2026 The etw authors */
/* All kernel events: hook ids, the group mask bits that enable them, payloads. */
#ifndef _UAPI_ETW_HOOKS_H
#define _UAPI_ETW_HOOKS_H

/* hook id = group << 8 | type (kernel-events.rst 2); a file for each kind of event */
#include "etw_groups.h"
#include "events/config.h"
#include "events/disk.h"
#include "events/file.h"
#include "events/header.h"
#include "events/image.h"
#include "events/interrupt.h"
#include "events/mark.h"
#include "events/memory.h"
#include "events/net.h"
#include "events/process.h"
#include "events/profile.h"
#include "events/sched.h"
#include "events/stack.h"
#include "events/syscall.h"

#endif /* _UAPI_ETW_HOOKS_H */
