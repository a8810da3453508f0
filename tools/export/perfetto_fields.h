/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The etw authors */
/* Numbers of the fields of Perfetto's messages that the export writes. */
#ifndef ETW_PERFETTO_FIELDS_H
#define ETW_PERFETTO_FIELDS_H

/* Trace */
#define TRACE_PACKET			1

/* TracePacket */
#define PACKET_FTRACE_EVENTS		1
#define PACKET_PROCESS_TREE		2
#define PACKET_CLOCK_SNAPSHOT		6
#define PACKET_TIMESTAMP		8
#define PACKET_SEQUENCE_ID		10
#define PACKET_TRACK_EVENT		11
#define PACKET_INTERNED_DATA		12
#define PACKET_SEQUENCE_FLAGS		13
#define PACKET_DEFAULTS			59
#define PACKET_TRACK_DESCRIPTOR		60
#define PACKET_PERF_SAMPLE		66

/* Flags of a sequence: what was interned before is void; this packet needs what is interned */
#define SEQUENCE_CLEARED		1
#define SEQUENCE_NEEDED			2

/* ClockSnapshot, Clock; and numbers of clocks */
#define SNAPSHOT_CLOCKS			1
#define SNAPSHOT_PRIMARY_CLOCK		2
#define CLOCK_ID			1
#define CLOCK_TIMESTAMP			2
#define PERFETTO_REALTIME		1
#define PERFETTO_MONOTONIC		3
#define PERFETTO_MONOTONIC_RAW		5
#define PERFETTO_BOOTTIME		6

/* ProcessTree, Process, Thread */
#define TREE_PROCESSES			1
#define TREE_THREADS			2
#define PROCESS_PID			1
#define PROCESS_PPID			2
#define PROCESS_CMDLINE			3
#define THREAD_TID			1
#define THREAD_NAME			2
#define THREAD_TGID			3

/* FtraceEventBundle, FtraceEvent */
#define BUNDLE_CPU			1
#define BUNDLE_EVENT			2
#define BUNDLE_LOST_EVENTS		3
#define FTRACE_TIMESTAMP		1
#define FTRACE_PID			2
#define FTRACE_COMMON_FLAGS		5
#define FTRACE_SCHED_SWITCH		4
#define FTRACE_SCHED_WAKING		20
#define FTRACE_PROCESS_FREE		240

/* SchedSwitchFtraceEvent, SchedWakingFtraceEvent, SchedProcessFreeFtraceEvent */
#define SWITCH_PREV_COMM		1
#define SWITCH_PREV_PID			2
#define SWITCH_PREV_PRIO		3
#define SWITCH_PREV_STATE		4
#define SWITCH_NEXT_COMM		5
#define SWITCH_NEXT_PID			6
#define SWITCH_NEXT_PRIO		7
#define WAKING_COMM			1
#define WAKING_PID			2
#define WAKING_PRIO			3
#define WAKING_SUCCESS			4
#define WAKING_TARGET_CPU		5
#define FREE_COMM			1
#define FREE_PID			2

/* TrackDescriptor, ProcessDescriptor, ThreadDescriptor, CounterDescriptor */
#define TRACK_UUID			1
#define TRACK_NAME			2
#define TRACK_PROCESS			3
#define TRACK_THREAD			4
#define TRACK_PARENT			5
#define TRACK_COUNTER			8
#define TRACK_PROCESS_PID		1
#define TRACK_PROCESS_LABELS		8
#define TRACK_THREAD_PID		1
#define TRACK_THREAD_TID		2
#define COUNTER_UNIT_NAME		6

/* TrackEvent, DebugAnnotation */
#define EVENT_ANNOTATION		4
#define EVENT_TYPE			9
#define EVENT_TRACK			11
#define EVENT_CATEGORY			22
#define EVENT_NAME_TEXT			23
#define EVENT_REAL_COUNTER		44
#define EVENT_SLICE_BEGIN		1
#define EVENT_SLICE_END			2
#define EVENT_INSTANT			3
#define EVENT_COUNTER			4
#define ANNOTATION_UNSIGNED		3
#define ANNOTATION_SIGNED		4
#define ANNOTATION_REAL			5
#define ANNOTATION_STRING		6
#define ANNOTATION_POINTER		7
#define ANNOTATION_NAME			10

/* PerfSample; TracePacketDefaults, PerfSampleDefaults, Timebase */
#define SAMPLE_CPU			1
#define SAMPLE_PID			2
#define SAMPLE_TID			3
#define SAMPLE_CALLSTACK		4
#define SAMPLE_CPU_MODE			5
#define SAMPLE_MODE_KERNEL		1
#define SAMPLE_MODE_USER		2
#define DEFAULTS_PERF_SAMPLE		12
#define DEFAULTS_TIMEBASE		1
#define TIMEBASE_PERIOD			1
#define TIMEBASE_FREQUENCY		2
#define TIMEBASE_COUNTER		4
#define TIMEBASE_NAME			10
#define TIMEBASE_CPU_CLOCK		1

/* InternedData, InternedString, Mapping, Frame, Callstack */
#define INTERNED_FUNCTIONS		5
#define INTERNED_FRAMES			6
#define INTERNED_CALLSTACKS		7
#define INTERNED_BUILD_IDS		16
#define INTERNED_PATHS			17
#define INTERNED_MAPPINGS		19
#define INTERNED_ID			1
#define INTERNED_TEXT			2
#define MAPPING_BUILD_ID		2
#define MAPPING_START			4
#define MAPPING_END			5
#define MAPPING_PATH			7
#define FRAME_FUNCTION			2
#define FRAME_MAPPING			3
#define FRAME_ADDRESS			4
#define FRAME_KIND			7
#define FRAME_KIND_NATIVE		1
#define FRAME_KIND_KERNEL		2
#define CALLSTACK_FRAMES		2

#endif /* ETW_PERFETTO_FIELDS_H */
