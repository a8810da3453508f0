/* SPDX-License-Identifier: GPL-2.0 WITH Linux-syscall-note */
/* Copyright (C) 2026 The etw authors */
/* Events of interrupts and deferred work; included by etw_hooks.h. */
#ifndef _UAPI_ETW_EVENTS_INTERRUPT_H
#define _UAPI_ETW_EVENTS_INTERRUPT_H

#include <linux/types.h>
#include "etw_format.h"

#define PERFINFO_LOG_TYPE_INTERRUPT_MESSAGE	0x0F32
#define PERFINFO_LOG_TYPE_INTERRUPT		0x0F43
#define PERFINFO_LOG_TYPE_DPC			0x0F44
#define PERFINFO_LOG_TYPE_TIMERDPC		0x0F45

#define PERF_DPC			0x20000080U
#define PERF_INTERRUPT			0x20004000U

#define EVENT_TRACE_FLAG_DPC		0x00000020U
#define EVENT_TRACE_FLAG_INTERRUPT	0x00000040U

/**
 * struct perfinfo_dpc - payload of 0x0F44 and 0x0F45 version 2
 * @initial_time: session clock when it began; it ended at the record's time
 * @routine: address of the function; 0 if the session shows no addresses
 */
struct perfinfo_dpc {
	__u64 initial_time;
	__u64 routine;
};

ETW_ASSERT_SIZE(struct perfinfo_dpc, 0x10);
#define PERFINFO_DPC_VERSION		2

/**
 * struct perfinfo_interrupt - payload of 0x0F43 version 2, and of 0x0F32
 * @initial_time: session clock when it began; it ended at the record's time
 * @routine: the handler; 0 where addresses are not shown
 * @return_value: 1: the handler knew its device had asked for it
 * @vector: Linux' number of the interrupt; of x86's own ones the vector
 * @reserved: 0
 * @message_number: 0x0F32 only: likewise, in full
 *
 * (kernel-events.rst 5.8)
 */
struct perfinfo_interrupt {
	__u64 initial_time;
	__u64 routine;
	__u8 return_value;
	__u16 vector;
	__u8 reserved;
	__u32 message_number;
} ETW_PACKED;

ETW_ASSERT_SIZE(struct perfinfo_interrupt, 0x18);
ETW_ASSERT_OFFSET(struct perfinfo_interrupt, vector, 0x11);
ETW_ASSERT_OFFSET(struct perfinfo_interrupt, message_number, 0x14);
#define PERFINFO_INTERRUPT_VERSION	2

#endif /* _UAPI_ETW_EVENTS_INTERRUPT_H */
