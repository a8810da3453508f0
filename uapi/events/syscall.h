/* SPDX-License-Identifier: GPL-2.0 WITH Linux-syscall-note */
/* Copyright (C) 2026 The etw authors */
/* Events of system calls; included by etw_hooks.h. */
#ifndef _UAPI_ETW_EVENTS_SYSCALL_H
#define _UAPI_ETW_EVENTS_SYSCALL_H

#include <linux/types.h>
#include "etw_format.h"

#define PERFINFO_LOG_TYPE_SYSCALL_ENTER		0x0F33
#define PERFINFO_LOG_TYPE_SYSCALL_EXIT		0x0F34

#define PERF_SYSCALL			0x40000040U

#define EVENT_TRACE_FLAG_SYSTEMCALL	0x00000080U

/* Payload of 0x0F33: the address of the call's function; of 0x0F34: NTSTATUS, 4 bytes */
#define PERFINFO_SYSCALL_VERSION	2
/*
 * If the function is unknown, or the session shows no addresses: this plus 16 times
 * the number of the call; for 32-bit calls of a 64-bit kernel the second constant.
 * Neither x86_64 nor arm64 uses these addresses.
 */
#define ETW_SYSCALL_IMAGE		0xFFFFFFFFFFE00000ULL
#define ETW_SYSCALL_IMAGE_COMPAT	0xFFFFFFFFFFE10000ULL

#endif /* _UAPI_ETW_EVENTS_SYSCALL_H */
