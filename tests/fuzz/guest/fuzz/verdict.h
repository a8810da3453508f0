/* SPDX-License-Identifier: GPL-2.0 */
/* What may come of a request, and an extension in it: what all parts of the model share. */
#ifndef ETW_TEST_FUZZ_VERDICT_H
#define ETW_TEST_FUZZ_VERDICT_H

#include "fuzz.h"

#define AT(member)	offsetof(struct wmi_logger_information, member)
#define MAX_REFUSALS	128
#define PROBES		(EVENT_TRACE_FLAG_PROCESS | EVENT_TRACE_FLAG_THREAD | \
			 EVENT_TRACE_FLAG_PROCESS_COUNTERS | \
			 EVENT_TRACE_FLAG_CSWITCH | EVENT_TRACE_FLAG_DISPATCHER | \
			 EVENT_TRACE_FLAG_DPC | EVENT_TRACE_FLAG_INTERRUPT | \
			 EVENT_TRACE_FLAG_SYSTEMCALL | EVENT_TRACE_FLAG_DISK_IO | \
			 EVENT_TRACE_FLAG_DISK_FILE_IO | EVENT_TRACE_FLAG_DISK_IO_INIT | \
			 EVENT_TRACE_FLAG_NETWORK_TCPIP | EVENT_TRACE_FLAG_IMAGE_LOAD | \
			 EVENT_TRACE_FLAG_MEMORY_PAGE_FAULTS | \
			 EVENT_TRACE_FLAG_MEMORY_HARD_FAULTS | EVENT_TRACE_FLAG_VIRTUAL_ALLOC | \
			 EVENT_TRACE_FLAG_FILE_IO | EVENT_TRACE_FLAG_FILE_IO_INIT)
/* Bits of the second mask that sample */
#define SAMPLES		(PERF_MASK_BITS(PERF_PROFILE) | PERF_MASK_BITS(PERF_PMC_PROFILE))

/* A field that can be refused, and how */
struct refusal {
	int err;
	__u32 offset;
	__u32 reason;
	__u32 item;
};

/**
 * struct verdict - what may come of a request
 * @allowed: errors, or success
 * @refusals: of a block; each broken rule is one
 * @count: how many
 * @must: rules that are certainly broken
 * @id: logger id that was asked for
 * @information: address of the block
 * @information_size: its size
 * @flags: of struct etw_control
 * @nobody: who asks has no rights but those of the control file
 */
struct verdict {
	errors allowed;
	struct refusal refusals[MAX_REFUSALS];
	int count;
	int must;
	__u32 id;
	__u64 information;
	__u32 information_size;
	__u32 flags;
	int nobody;
};

static inline void may_refuse_item(struct verdict *v, int err, __u32 offset, __u32 reason,
				   __u32 item)
{
	if (v->count < MAX_REFUSALS)
		v->refusals[v->count++] = (struct refusal){ err, offset, reason, item };
	v->allowed |= E(err);
}

static inline void may_refuse(struct verdict *v, int err, __u32 offset, __u32 reason)
{
	may_refuse_item(v, err, offset, reason, 0);
}

static inline void refuse_if(struct verdict *v, int broken, int err, __u32 offset, __u32 reason)
{
	if (!broken)
		return;
	may_refuse(v, err, offset, reason);
	v->must++;
}

/* Types of items, as uapi/etw_extension.h lists them */
enum { MASKS, PIDS, STACKWALK, POOL_TAGS, CACHING, COUNTERS, COUNTER_HOOKS, PEBS, INTERVALS,
	SOURCES, BUFFERS, CLOCK, NAMES, OPTIONS, HOOKS, CONSUMER, UIDS, GIDS, ATTRS, PROVIDER,
	TYPES };

static const struct {
	__u16 type;
	__u16 most;	/* entries; 0: one */
	__u8 dwords;	/* of an entry */
	__u8 plain;	/* also for sessions without kernel events */
	__u8 fixed;	/* not to be changed by UPDATE */
} item_types[TYPES] = {
	[MASKS] = { ETW_EXT_ENABLE_FLAGS, 8, 1, 1, 0 },
	[PIDS] = { ETW_EXT_PIDS, 8, 1, 0, 0 },
	[STACKWALK] = { ETW_EXT_STACKWALK_FILTER, 256, 1, 0, 0 },
	[POOL_TAGS] = { ETW_EXT_POOLTAG_FILTER, 4, 1, 0, 0 },
	[CACHING] = { ETW_EXT_STACK_CACHING, 0, 2, 0, 0 },
	[COUNTERS] = { ETW_EXT_VND_PMC_COUNTERS, 7, 4, 0, 1 },
	[COUNTER_HOOKS] = { ETW_EXT_VND_PMC_HOOKS, 256, 1, 0, 1 },
	[PEBS] = { ETW_EXT_VND_PEBS_EVENT, 0, 1, 0, 1 },
	[INTERVALS] = { ETW_EXT_VND_SAMPLE_INTERVAL, 5, 2, 0, 0 },
	[SOURCES] = { ETW_EXT_VND_SAMPLE_SOURCES, 4, 1, 0, 1 },
	[BUFFERS] = { ETW_EXT_VND_BUFFER_SETTINGS, 0, 5, 1, 0 },
	[CLOCK] = { ETW_EXT_VND_CLOCK, 0, 1, 1, 0 },
	[NAMES] = { ETW_EXT_VND_COUNTER_NAMES, 257, 1, 0, 1 },
	[OPTIONS] = { ETW_EXT_VND_FILTER_OPTIONS, 0, 1, 0, 0 },
	[HOOKS] = { ETW_EXT_VND_HOOK_FILTER, 256, 1, 0, 0 },
	[CONSUMER] = { ETW_EXT_VND_CONSUMER, 0, 3, 1, 1 },
	[UIDS] = { ETW_EXT_VND_PROVIDER_UIDS, 16, 1, 1, 1 },
	[GIDS] = { ETW_EXT_VND_PROVIDER_GIDS, 16, 1, 1, 1 },
	[ATTRS] = { ETW_EXT_VND_COUNTER_ATTRS, 7, 6, 0, 1 },
	[PROVIDER] = { ETW_EXT_VND_PROVIDER_OPTIONS, 0, 2, 1, 1 },
};

static const __u16 known_hooks[] = {
	PERFINFO_LOG_TYPE_CONTEXTSWAP, PERFINFO_LOG_TYPE_READYTHREAD,
	WMI_LOG_TYPE_PROCESS_CREATE, WMI_LOG_TYPE_PROCESS_DELETE, WMI_LOG_TYPE_THREAD_CREATE,
	WMI_LOG_TYPE_THREAD_DELETE, PERFINFO_LOG_TYPE_THREAD_SET_NAME,
	WMI_LOG_TYPE_PROCESS_PERFCTR,
	PERFINFO_LOG_TYPE_SAMPLED_PROFILE, PERFINFO_LOG_TYPE_PMC_INTERRUPT,
	WMI_LOG_TYPE_IO_READ, WMI_LOG_TYPE_IO_WRITE, WMI_LOG_TYPE_IO_FLUSH,
	WMI_LOG_TYPE_IO_READ_INIT, WMI_LOG_TYPE_IO_WRITE_INIT, WMI_LOG_TYPE_IO_FLUSH_INIT,
	PERFINFO_LOG_TYPE_FILENAME, PERFINFO_LOG_TYPE_FILENAME_CREATE,
	PERFINFO_LOG_TYPE_FILENAME_DELETE, PERFINFO_LOG_TYPE_FILENAME_RUNDOWN,
	WMI_LOG_TYPE_TCPIP_SEND, WMI_LOG_TYPE_TCPIP_RECEIVE, WMI_LOG_TYPE_TCPIP_CONNECT,
	WMI_LOG_TYPE_TCPIP_DISCONNECT, WMI_LOG_TYPE_TCPIP_RETRANSMIT, WMI_LOG_TYPE_TCPIP_ACCEPT,
	WMI_LOG_TYPE_TCPIP_RECONNECT, WMI_LOG_TYPE_TCPIP_FAIL,
	WMI_LOG_TYPE_IPV6(WMI_LOG_TYPE_TCPIP_SEND), WMI_LOG_TYPE_IPV6(WMI_LOG_TYPE_TCPIP_RECEIVE),
	WMI_LOG_TYPE_IPV6(WMI_LOG_TYPE_TCPIP_CONNECT),
	WMI_LOG_TYPE_IPV6(WMI_LOG_TYPE_TCPIP_DISCONNECT),
	WMI_LOG_TYPE_IPV6(WMI_LOG_TYPE_TCPIP_RETRANSMIT),
	WMI_LOG_TYPE_IPV6(WMI_LOG_TYPE_TCPIP_ACCEPT),
	WMI_LOG_TYPE_IPV6(WMI_LOG_TYPE_TCPIP_RECONNECT),
	WMI_LOG_TYPE_UDPIP_SEND, WMI_LOG_TYPE_UDPIP_RECEIVE,
	WMI_LOG_TYPE_IPV6(WMI_LOG_TYPE_UDPIP_SEND), WMI_LOG_TYPE_IPV6(WMI_LOG_TYPE_UDPIP_RECEIVE),
	WMI_LOG_TYPE_PROCESS_LOAD_IMAGE, WMI_LOG_TYPE_IMAGE_UNLOAD,
	PERFINFO_LOG_TYPE_TRANSITIONFAULT, PERFINFO_LOG_TYPE_DEMANDZEROFAULT,
	PERFINFO_LOG_TYPE_COPYONWRITE, PERFINFO_LOG_TYPE_HARDFAULT,
	PERFINFO_LOG_TYPE_ACCESSVIOLATION, PERFINFO_LOG_TYPE_HARDPAGEFAULT,
	PERFINFO_LOG_TYPE_VIRTUAL_ALLOC, PERFINFO_LOG_TYPE_VIRTUAL_FREE,
	PERFINFO_LOG_TYPE_FILE_IO_CREATE, PERFINFO_LOG_TYPE_FILE_IO_CLEANUP,
	PERFINFO_LOG_TYPE_FILE_IO_CLOSE, PERFINFO_LOG_TYPE_FILE_IO_READ,
	PERFINFO_LOG_TYPE_FILE_IO_WRITE, PERFINFO_LOG_TYPE_FILE_IO_SET_INFORMATION,
	PERFINFO_LOG_TYPE_FILE_IO_DELETE, PERFINFO_LOG_TYPE_FILE_IO_RENAME,
	PERFINFO_LOG_TYPE_FILE_IO_DIRENUM, PERFINFO_LOG_TYPE_FILE_IO_FLUSH,
	PERFINFO_LOG_TYPE_FILE_IO_QUERY_INFORMATION, PERFINFO_LOG_TYPE_FILE_IO_FS_CONTROL,
	PERFINFO_LOG_TYPE_FILE_IO_OPERATION_END, PERFINFO_LOG_TYPE_FILE_IO_DELETE_PATH,
	PERFINFO_LOG_TYPE_FILE_IO_RENAME_PATH, PERFINFO_LOG_TYPE_FILE_IO_SETLINK_PATH,
};

#define KNOWN_HOOKS	(sizeof(known_hooks) / sizeof(known_hooks[0]))

/**
 * struct extension - an extension being looked at
 * @v: verdict
 * @block: where it is in
 * @at: of each item: its first byte in the block; 0: it is not there. Of the
 *	old form's masks: four bytes before them
 * @number: of each item
 * @dwords: of its data
 * @bad: a rule is broken: what follows is not looked at
 */
struct extension {
	struct verdict *v;
	const __u8 *block;
	__u32 at[TYPES];
	__u32 number[TYPES];
	__u32 dwords[TYPES];
	int bad;
};

static inline __u32 dword_at(const __u8 *block, __u32 at)
{
	__u32 value;

	memcpy(&value, block + at, sizeof(value));
	return value;
}

/* Dword @i of an item; its header is 0 */
static inline __u32 item_dword(const struct extension *x, int type, __u32 i)
{
	return dword_at(x->block, x->at[type] + 4 * i);
}

static inline int wrong(struct extension *x, int err, __u32 at, __u32 reason, __u32 number)
{
	if (!x->bad) {
		may_refuse_item(x->v, err, at, reason, number);
		x->v->must++;
	}
	x->bad = 1;
	return 1;
}

static inline int wrong_in(struct extension *x, int type, __u32 i, int err, __u32 reason)
{
	return wrong(x, err, x->at[type] + 4 * i, reason, x->number[type]);
}

/* What was known to be right is wrong all the same, for certain. */
static inline void refuse_in(struct extension *x, int type, __u32 i, int err, __u32 reason)
{
	may_refuse_item(x->v, err, x->at[type] + 4 * i, reason, x->number[type]);
	x->v->must++;
}

static inline void not_here(struct extension *x, int type, __u32 i)
{
	refuse_in(x, type, i, EOPNOTSUPP, ETW_REASON_UNSUPPORTED);
}

static inline int is_known_hook(__u32 hook)
{
	__u32 i;

	for (i = 0; i < KNOWN_HOOKS; i++)
		if (known_hooks[i] == hook)
			return 1;
	return 0;
}

#endif /* ETW_TEST_FUZZ_VERDICT_H */
