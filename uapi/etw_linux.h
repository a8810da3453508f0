/* SPDX-License-Identifier: GPL-2.0 WITH Linux-syscall-note */
/* Copyright (C) 2026 The etw authors */
/* Events of our own provider: anchors of clocks, losses, the kernel's symbols. */
#ifndef _UAPI_ETW_LINUX_H
#define _UAPI_ETW_LINUX_H

#include "etw_format.h"

/*
 * Our own provider: events that have no counterpart in Windows.
 * {f79c09b4-ca84-44b2-9a15-f6e3111c1b3e}
 */
#define ETW_LINUX_PROVIDER_GUID { 0xf79c09b4, 0xca84, 0x44b2, \
	{ 0x9a, 0x15, 0xf6, 0xe3, 0x11, 0x1c, 0x1b, 0x3e } }
#define ETW_LINUX_EVENT_ANCHOR	1
#define ETW_LINUX_EVENT_LOSS	2
#define ETW_LINUX_EVENT_KALLSYMS 3
#define ETW_LINUX_EVENT_FLUSHED	4
#define ETW_LINUX_EVENT_CGROUP	5

/**
 * struct etw_anchor - one reading of all clocks, event ETW_LINUX_EVENT_ANCHOR
 * @qpc: clock 1
 * @filetime: CLOCK_REALTIME as FILETIME
 * @monotonic: CLOCK_MONOTONIC, ns
 * @monotonic_raw: CLOCK_MONOTONIC_RAW, ns
 * @boottime: CLOCK_BOOTTIME, ns
 * @uncertainty: ticks of clock 1 that passed between the first and the last
 *	of these readings
 * @reason: ETW_ANCHOR_*
 * @reserved: 0
 */
struct etw_anchor {
	__u64 qpc;
	__u64 filetime;
	__u64 monotonic;
	__u64 monotonic_raw;
	__u64 boottime;
	__u64 uncertainty;
	__u32 reason;
	__u32 reserved;
};

ETW_ASSERT_SIZE(struct etw_anchor, 0x38);

#define ETW_ANCHOR_START	0
#define ETW_ANCHOR_PERIOD	1
#define ETW_ANCHOR_CLOCK_STEP	2
#define ETW_ANCHOR_STOP		3

/**
 * enum etw_loss_cause - why an event was not recorded
 * @ETW_LOSS_NO_BUFFER: every buffer of the CPU waits for the reader
 * @ETW_LOSS_WRITER_STUCK: the next buffer still holds the unfinished record
 *	of a writer that the losing writer interrupted
 * @ETW_LOSS_TOO_LARGE: the event does not fit into a buffer, or the kernel's record of a Linux
 *	event is shorter than its format
 * @ETW_LOSS_NMI: NMI without an NMI-safe cmpxchg
 * @ETW_LOSS_RATE: rate limit of a provider
 * @ETW_LOSS_MISSED: the kernel's function probes missed a call, or a disk request was
 *	not followed: at most one event. Counted for the first CPU
 * @ETW_LOSS_RUNDOWN: a rundown ended before it was complete, because its time was over or
 *	the waiting program was killed: at least one record for each task or file that it
 *	did not describe. Also counts an address space whose lock was not free
 * @ETW_LOSS_CAUSES: number of causes
 */
enum etw_loss_cause {
	ETW_LOSS_NO_BUFFER,
	ETW_LOSS_WRITER_STUCK,
	ETW_LOSS_TOO_LARGE,
	ETW_LOSS_NMI,
	ETW_LOSS_RATE,
	ETW_LOSS_MISSED,
	ETW_LOSS_RUNDOWN,
	ETW_LOSS_CAUSES,
};

/* Not a cause: events overwritten by newer events in overwrite mode */
#define ETW_LOSS_OVERWRITTEN	0x100
/*
 * Used by programs that write files, not by the module: events were read from the session,
 * but the disk was full or failed, or a consumer beside the file was too slow. Last of
 * ETW_LOSS_ROOM, so that the module may get more causes.
 */
#define ETW_LOSS_NOT_WRITTEN	7

/**
 * struct etw_loss - events lost, event ETW_LINUX_EVENT_LOSS
 * @processor: the CPU that lost them
 * @cause: enum etw_loss_cause
 * @count: since the last such record of this CPU and cause
 * @total: since the session started
 * @first: time stamp of the first event lost since the session started
 * @last: time stamp of the last one
 */
struct etw_loss {
	__u32 processor;
	__u32 cause;
	__u64 count;
	__u64 total;
	__u64 first;
	__u64 last;
};

ETW_ASSERT_SIZE(struct etw_loss, 0x28);

/**
 * struct etw_flushed - a flush of all processors is done, event ETW_LINUX_EVENT_FLUSHED
 * @time: start of the flush, in the session's clock
 *
 * Written at every period of the flush timer, except in overwrite mode. When the buffer with
 * this event can be read, so can all buffers with events from before @time, of all processors.
 */
struct etw_flushed {
	__u64 time;
};

ETW_ASSERT_SIZE(struct etw_flushed, 0x8);

/* How the text of a struct etw_kallsyms is packed */
#define ETW_KALLSYMS_PLAIN	0
#define ETW_KALLSYMS_ZLIB	1

/**
 * struct etw_kallsyms - a piece of /proc/kallsyms, event ETW_LINUX_EVENT_KALLSYMS
 * @part: which piece, from 0; in this order in the file
 * @parts: number of them
 * @method: ETW_KALLSYMS_*
 * @packed: bytes of all pieces
 * @size: bytes of the text
 *
 * Written by tools when a trace is finished, never by the module. The piece's bytes follow.
 */
struct etw_kallsyms {
	__u32 part;
	__u32 parts;
	__u32 method;
	__u32 packed;
	__u64 size;
};

ETW_ASSERT_SIZE(struct etw_kallsyms, 0x18);

/**
 * struct etw_cgroup - the control group of a process, event ETW_LINUX_EVENT_CGROUP
 * @process_id: the process
 * @reserved: 0
 *
 * Written by tools when a trace is finished, never by the module. The path follows, in UTF-16
 * with a terminator, relative to the root of the hierarchy.
 */
struct etw_cgroup {
	__u32 process_id;
	__u32 reserved;
};

ETW_ASSERT_SIZE(struct etw_cgroup, 0x8);

#endif /* _UAPI_ETW_LINUX_H */
