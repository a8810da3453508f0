/* SPDX-License-Identifier: GPL-2.0 */
/* What Documentation/ioctl.rst says must come of a request, from its bytes. */
#ifndef ETW_TEST_FUZZ_MODEL_H
#define ETW_TEST_FUZZ_MODEL_H

#include "items.h"

/* Behind the fixed part name and file name with their terminators, all items, all full */
#define MAX_ANSWER	(sizeof(struct wmi_logger_information) + \
			 2 * (ETW_MAX_LOGGER_NAME + 1 + ETW_MAX_LOG_FILE_NAME + 1) + \
			 4 * (1 + 9 + 9 + 257 + 5 + 3 + 29 + 257 + 2 + 11 + 5 + 258 + 2 + 257 + \
			      4 + 17 + 17 + 43))
#define FILES		(EVENT_TRACE_FILE_MODE_CIRCULAR | EVENT_TRACE_FILE_MODE_NEWFILE)
#define MODES		(EVENT_TRACE_FILE_MODE_SEQUENTIAL | FILES | \
			 EVENT_TRACE_USE_MS_FLUSH_TIMER | \
			 EVENT_TRACE_REAL_TIME_MODE | EVENT_TRACE_BUFFERING_MODE | \
			 EVENT_TRACE_SYSTEM_LOGGER_MODE | EVENT_TRACE_USE_GLOBAL_SEQUENCE | \
			 EVENT_TRACE_USE_LOCAL_SEQUENCE)
#define MAX_BUFFERS	65536U
#define MAX_PAYLOAD	4096U

/**
 * struct request - an ioctl about to be made
 * @kind: which
 * @cmd: its number
 * @fd: where
 * @fd_error: what that file says to any of ours; 0: it is the control node
 * @arg: address given to the kernel
 * @known: bytes of the structure
 * @least: of its first version
 * @length: bytes put at @arg
 * @block: where a block was put, @block_size bytes of it
 * @real: meant to change which sessions there are
 */
struct request {
	enum kind kind;
	unsigned long cmd;
	int fd;
	int fd_error;
	__u64 arg;
	__u32 known;
	__u32 least;
	__u32 length;
	__u64 block;
	__u32 block_size;
	int real;
};

/* What the manual lists, for requests whose bytes nobody knows */
static const errors documented[KINDS] = {
	[START] = E(0) | E(EINVAL) | E(E2BIG) | E(EFAULT) | E(EOPNOTSUPP) | E(EEXIST) |
		E(ENOSPC) | E(ENOENT) | E(ENOMEM) | E(ERANGE) | E(EBUSY),
	[STOP] = E(0) | E(EINVAL) | E(E2BIG) | E(EFAULT) | E(ENOENT) | E(EALREADY),
	[QUERY] = E(0) | E(EINVAL) | E(E2BIG) | E(EFAULT) | E(ENOENT) | E(ENOSPC),
	[FLUSH] = E(0) | E(EINVAL) | E(E2BIG) | E(EFAULT) | E(ENOENT) | E(EALREADY),
	[UPDATE] = E(0) | E(EINVAL) | E(E2BIG) | E(EFAULT) | E(EOPNOTSUPP) | E(EEXIST) |
		E(ERANGE) | E(ENOENT) | E(ENOMEM) | E(EALREADY),
	[SNAPSHOT] = E(0) | E(EINVAL) | E(E2BIG) | E(EFAULT) | E(ENOENT) | E(EALREADY) |
		E(ENOMEM) | E(EPERM),
	[RUNDOWN] = E(0) | E(EINVAL) | E(E2BIG) | E(EFAULT) | E(ENOENT) | E(EALREADY),
	[LIST] = E(0) | E(EINVAL) | E(E2BIG) | E(EFAULT),
	[STATISTICS] = E(0) | E(EINVAL) | E(E2BIG) | E(EFAULT) | E(ENOENT),
	[LOG_RECORD] = E(0) | E(EINVAL) | E(E2BIG) | E(EFAULT) | E(ENOENT) | E(EALREADY) |
		E(ENOBUFS) | E(EMSGSIZE),
	[COUNTING] = E(0) | E(EINVAL) | E(E2BIG) | E(EFAULT) | E(ENOENT),
	[OTHER] = E(ENOTTY),
};

static inline void model_name(struct verdict *v, const __u8 *block, __u32 size, __u32 field,
			      __u32 limit)
{
	struct etw_unicode_string string;
	__u32 i, units;
	__u16 unit;

	memcpy(&string, block + field, sizeof(string));
	units = string.length / 2;
	refuse_if(v, string.pad, EINVAL, field + 4, ETW_REASON_RESERVED);
	if (string.length % 2 || units > limit) {
		refuse_if(v, 1, EINVAL, field, ETW_REASON_NAME);
		return;
	}
	if (!units)
		return;
	if (string.buffer < sizeof(struct wmi_logger_information) || string.buffer > size ||
	    string.length > size - string.buffer) {
		refuse_if(v, 1, EINVAL, field + 8, ETW_REASON_RANGE);
		return;
	}
	for (i = 0; i < units; i++) {
		memcpy(&unit, block + string.buffer + 2 * i, 2);
		if (unit < ' ') {
			refuse_if(v, 1, EINVAL, string.buffer + 2 * i, ETW_REASON_NAME);
			return;
		}
	}
}

static inline int is_kernel(const struct wmi_logger_information *info)
{
	static const struct etw_guid kernel = ETW_SYSTEM_TRACE_CONTROL_GUID;

	return info->log_file_mode & EVENT_TRACE_SYSTEM_LOGGER_MODE ||
	       !memcmp(&info->wnode.guid, &kernel, sizeof(kernel));
}

static inline void model_reserved(struct verdict *v, const struct wmi_logger_information *info,
				  __u32 size)
{
	refuse_if(v, info->wnode.buffer_size != size, EINVAL, AT(wnode.buffer_size),
		  ETW_REASON_SIZE);
	refuse_if(v, info->wnode.flags != WNODE_FLAG_TRACED_GUID, EINVAL, AT(wnode.flags),
		  ETW_REASON_RANGE);
	refuse_if(v, info->wnode.provider_id, EINVAL, AT(wnode.provider_id),
		  ETW_REASON_RESERVED);
	refuse_if(v, info->flush_threshold, EINVAL, AT(flush_threshold), ETW_REASON_RESERVED);
	refuse_if(v, !!info->v2_options, EINVAL, AT(v2_options), ETW_REASON_RESERVED);
	refuse_if(v, !!info->log_file_handle, EINVAL, AT(log_file_handle), ETW_REASON_RESERVED);
	refuse_if(v, !!info->logger_extension, EINVAL, AT(logger_extension),
		  ETW_REASON_RESERVED);
}

static inline void model_ranges(struct verdict *v, const struct wmi_logger_information *info)
{
	__u32 mode = info->log_file_mode, kb = info->buffer_size ? info->buffer_size : 64;
	__u32 unit = mode & EVENT_TRACE_USE_MS_FLUSH_TIMER ? 1 : 1000;

	refuse_if(v, mode & ~MODES, EOPNOTSUPP, AT(log_file_mode), ETW_REASON_UNSUPPORTED);
	/* no target; buffering and files; circular files and others; two counts */
	refuse_if(v, !(mode & 0x50B) || (mode & 0x400 && mode & 0xB) ||
		  (mode & 2 && mode & 9) || (mode & 0xC000) == 0xC000, EINVAL, AT(log_file_mode), ETW_REASON_CONFLICT);
	refuse_if(v, mode & FILES && !info->maximum_file_size, EINVAL, AT(maximum_file_size),
		  ETW_REASON_MISSING);
	refuse_if(v, kb < 4 || kb > 16384 || kb % 4, EINVAL, AT(buffer_size), ETW_REASON_RANGE);
	refuse_if(v, info->maximum_buffers && info->minimum_buffers > info->maximum_buffers,
		  EINVAL, AT(minimum_buffers), ETW_REASON_CONFLICT);
	refuse_if(v, info->maximum_buffers > MAX_BUFFERS, EINVAL, AT(maximum_buffers),
		  ETW_REASON_RANGE);
	refuse_if(v, info->minimum_buffers > MAX_BUFFERS, EINVAL, AT(minimum_buffers),
		  ETW_REASON_RANGE);
	refuse_if(v, (__u64)info->flush_timer * unit > 86400000, EINVAL, AT(flush_timer),
		  ETW_REASON_RANGE);
	refuse_if(v, info->wnode.client_context > ETW_CLOCK_CYCLE, EINVAL,
		  AT(wnode.client_context), ETW_REASON_RANGE);
}

static inline void model_events(struct verdict *v, const __u8 *block, __u32 size,
				const struct wmi_logger_information *info)
{
	const __u32 never = EVENT_TRACE_FLAG_ENABLE_RESERVE | EVENT_TRACE_FLAG_FORWARD_WMI;
	const __u32 here = PROBES | EVENT_TRACE_FLAG_PROFILE | EVENT_TRACE_FLAG_NO_SYSCONFIG |
			   EVENT_TRACE_FLAG_TEST;
	__u32 flags = info->enable_flags;
	struct extension x;

	if (flags & EVENT_TRACE_FLAG_EXTENSION) {
		model_extension(&x, v, block, size, info, is_kernel(info));
		return;
	}
	refuse_if(v, flags & ~EVENT_TRACE_FLAG_TEST && !is_kernel(info), EINVAL,
		  AT(enable_flags), ETW_REASON_CONFLICT);
	refuse_if(v, flags & never, EINVAL, AT(enable_flags), ETW_REASON_RANGE);
	refuse_if(v, flags & ~(here | never), EOPNOTSUPP, AT(enable_flags),
		  ETW_REASON_UNSUPPORTED);
	if (flags & EVENT_TRACE_FLAG_TEST)
		may_refuse(v, EOPNOTSUPP, AT(enable_flags), ETW_REASON_UNSUPPORTED);
}

/* How many names of files with a number in it; -1: with another % */
static inline int patterns(const __u8 *block, const struct etw_unicode_string *string)
{
	__u16 unit, next;
	int i, found = 0;

	for (i = 0; i < string->length / 2; i++) {
		memcpy(&unit, block + string->buffer + 2 * i, 2);
		next = 0;
		if (i + 1 < string->length / 2)
			memcpy(&next, block + string->buffer + 2 * i + 2, 2);
		if (unit == '%' && next != 'd')
			return -1;
		found += unit == '%';
	}
	return found;
}

/* Of a name that is good */
static inline void model_file_name(struct verdict *v, const __u8 *block,
				   const struct wmi_logger_information *info)
{
	__u32 mode = info->log_file_mode;

	refuse_if(v, mode & EVENT_TRACE_BUFFERING_MODE && info->log_file_name.length, EINVAL,
		  AT(log_file_name), ETW_REASON_CONFLICT);
	refuse_if(v, mode & EVENT_TRACE_FILE_MODE_NEWFILE &&
		  patterns(block, &info->log_file_name) != 1, EINVAL, AT(log_file_name),
		  ETW_REASON_NAME);
}

/* What hangs on the machine, and on which sessions there are */
static inline void model_means(struct verdict *v, const __u8 *block, __u32 size,
			       const struct wmi_logger_information *info)
{
	struct verdict unused = { 0 };
	struct extension x = { .v = v };

	if (info->enable_flags & EVENT_TRACE_FLAG_EXTENSION)
		model_extension(&x, &unused, block, size, info, is_kernel(info));
	x.v = v;
	if (!x.bad) {
		model_new_counters(&x);
		model_samplers(&x, info->enable_flags, 0);
	}
	may_refuse(v, EEXIST, AT(logger_name), ETW_REASON_IN_USE);
	may_refuse(v, ENOSPC, AT(logger_name), ETW_REASON_IN_USE);
	may_refuse(v, ENOMEM, AT(maximum_buffers), ETW_REASON_NO_MEMORY);
	may_refuse(v, ENOMEM, 0, ETW_REASON_NONE);
	if (info->enable_flags)
		may_refuse(v, ENOENT, AT(enable_flags), ETW_REASON_SOURCE);
	if (info->wnode.client_context == ETW_CLOCK_CYCLE)
		may_refuse(v, EOPNOTSUPP, AT(wnode.client_context), ETW_REASON_UNSUPPORTED);
}

/* What UPDATE can't change; what it is now is not known here. */
static inline void model_fixed(struct verdict *v, const __u8 *block, __u32 size,
			       const struct wmi_logger_information *info)
{
	static const __u16 fields[] = {
		AT(wnode.guid), AT(wnode.client_context), AT(buffer_size), AT(minimum_buffers),
		AT(maximum_buffers), AT(maximum_file_size), AT(log_file_mode), AT(logger_name),
		AT(log_file_name),
	};
	struct verdict unused = { 0 };
	struct extension x;
	__u32 i;

	for (i = 0; i < sizeof(fields) / sizeof(fields[0]); i++)
		may_refuse(v, EINVAL, fields[i], ETW_REASON_FIXED);
	may_refuse(v, EINVAL, AT(maximum_buffers), ETW_REASON_RANGE);
	may_refuse(v, ENOENT, AT(enable_flags), ETW_REASON_SOURCE);
	may_refuse(v, EALREADY, 0, ETW_REASON_NONE);
	may_refuse(v, ENOMEM, 0, ETW_REASON_NONE);
	/* no memory for listeners is told like a source that isn't there */
	may_refuse(v, ENOMEM, AT(enable_flags), ETW_REASON_SOURCE);
	x = (struct extension){ .v = v };
	if (info->enable_flags & EVENT_TRACE_FLAG_EXTENSION)
		model_extension(&x, &unused, block, size, info, is_kernel(info));
	x.v = v;
	if (!x.bad)
		model_samplers(&x, info->enable_flags, 1);
	for (i = 0; i < TYPES && !x.bad; i++)
		if (x.at[i] && item_types[i].fixed)
			may_refuse_item(v, EINVAL, x.at[i], ETW_REASON_FIXED, x.number[i]);
	if (x.at[CLOCK])
		may_refuse_item(v, EINVAL, x.at[CLOCK] + 4, ETW_REASON_FIXED, x.number[CLOCK]);
	if (lacks_sources(&x))
		may_refuse_item(v, EINVAL, x.at[MASKS] + 8, ETW_REASON_MISSING, x.number[MASKS]);
	for (i = 1; i < 3 && x.at[BUFFERS]; i++)
		may_refuse_item(v, EINVAL, x.at[BUFFERS] + 4 * i, ETW_REASON_FIXED,
				x.number[BUFFERS]);
}

static inline void model_block(struct verdict *v, const __u8 *block, __u32 size,
			       enum kind kind)
{
	struct wmi_logger_information info;
	int before;

	memcpy(&info, block, sizeof(info));
	model_reserved(v, &info, size);
	model_ranges(v, &info);
	model_events(v, block, size, &info);
	before = v->must;
	model_name(v, block, size, AT(logger_name), ETW_MAX_LOGGER_NAME);
	model_name(v, block, size, AT(log_file_name), ETW_MAX_LOG_FILE_NAME);
	refuse_if(v, !info.logger_name.length, EINVAL, AT(logger_name), ETW_REASON_NAME);
	if (v->must == before)
		model_file_name(v, block, &info);
	if (kind == UPDATE)
		model_fixed(v, block, size, &info);
	else
		model_means(v, block, size, &info);
	/* of two mistakes either may be told, but not that nothing was wrong */
	if (!v->must)
		v->allowed |= E(0);
}

static inline errors model_start(struct worker *w, struct request *r, struct verdict *v,
				 const struct etw_control *c)
{
	const __u8 *block;

	if (c->logger_id || c->information_size < sizeof(struct wmi_logger_information) ||
	    c->information_size > ETW_MAX_INFORMATION)
		return E(EINVAL);
	block = peek(w, c->information, c->information_size);
	if (!block)
		return E(EFAULT);
	model_block(v, block, c->information_size, START);
	/* nobody would learn of it: no session, no reason either */
	if (!writable(w, r->arg, sizeof(*c)))
		return E(EFAULT);
	if (!writable(w, c->information, sizeof(struct wmi_logger_information)) &&
	    v->allowed & E(0))
		v->allowed = (v->allowed & ~E(0)) | E(EFAULT);
	return v->allowed;
}

/* STOP, QUERY, FLUSH of a logger id that is or isn't there */
static inline errors exists(struct worker *w, __u32 id, errors if_so)
{
	if (!id || id > ETW_MAX_LOGGERS)
		return E(ENOENT);
	if (!w->alone)
		return if_so | E(ENOENT);
	return w->mask & 1ULL << (id - 1) ? if_so : E(ENOENT);
}

static inline errors model_update(struct worker *w, struct request *r, struct verdict *v,
				  const struct etw_control *c)
{
	const __u8 *block;

	if (c->information_size < sizeof(struct wmi_logger_information) ||
	    c->information_size > ETW_MAX_INFORMATION)
		return E(EINVAL);
	block = peek(w, c->information, c->information_size);
	if (!block)
		return E(EFAULT);
	if (exists(w, c->logger_id, E(0)) & E(0))
		model_block(v, block, c->information_size, UPDATE);
	/* a logger that isn't there has no fields that are wrong */
	v->allowed = exists(w, c->logger_id, v->allowed);
	if (v->allowed & E(ENOENT))
		may_refuse(v, ENOENT, 0, ETW_REASON_NONE);
	/* an error has to be told */
	if (!writable(w, r->arg, sizeof(*c)))
		v->allowed = (v->allowed & E(0)) | E(EFAULT);
	return v->allowed;
}

static inline errors model_query(struct worker *w, const struct etw_control *c)
{
	__u32 most = c->information_size < MAX_ANSWER ? c->information_size : MAX_ANSWER;

	if (c->information_size < sizeof(struct wmi_logger_information))
		return E(EINVAL);
	if (!writable(w, c->information, sizeof(struct wmi_logger_information)))
		return E(EFAULT);
	return E(0) | E(ENOSPC) | (writable(w, c->information, most) ? 0 : E(EFAULT));
}

static inline errors model_control(struct worker *w, struct request *r, struct verdict *v,
				   const __u8 *p)
{
	static const __u32 flags[] = {
		[START] = ETW_START_TIED | ETW_START_NO_RUNDOWN | ETW_START_NO_ADDRESSES,
		[STOP] = ETW_STOP_DISCARD, [RUNDOWN] = 0,
	};
	struct etw_control c;

	memcpy(&c, p, sizeof(c));
	v->id = c.logger_id;
	v->flags = c.flags;
	v->information = c.information;
	v->information_size = c.information_size;
	if (c.flags & ~flags[r->kind] || c.error_processor || c.error_offset || c.error_reason ||
	    c.error_item)
		return E(EINVAL);
	if (r->kind == START)
		return model_start(w, r, v, &c);
	if (r->kind == QUERY)
		return exists(w, c.logger_id, model_query(w, &c));
	if (r->kind == UPDATE)
		return model_update(w, r, v, &c);
	/* EINVAL: it doesn't overwrite, it is no kernel session; EPERM: it has addresses */
	if (r->kind == SNAPSHOT)
		return exists(w, c.logger_id, E(0) | E(EALREADY) | E(EINVAL) | E(ENOMEM) |
			      (w->nobody ? E(EPERM) : 0));
	if (r->kind == RUNDOWN)
		return exists(w, c.logger_id, E(0) | E(EALREADY) | E(EINVAL));
	return exists(w, c.logger_id, E(0) | E(EALREADY));
}

static inline errors model_log_record(struct worker *w, struct verdict *v, const __u8 *p)
{
	struct etw_log_record l;

	memcpy(&l, p, sizeof(l));
	v->id = l.logger_id;
	if (l.reserved || !l.version != (l.hook_id == PERFINFO_LOG_TYPE_MARK) ||
	    l.version > 255 || !l.payload_size)
		return E(EINVAL);
	if (l.payload_size > MAX_PAYLOAD)
		return E(E2BIG);
	if (!peek(w, l.payload, l.payload_size))
		return E(EFAULT);
	/* of a mark EINVAL, too: no string, as payloads here hardly ever are */
	if (l.hook_id != WMI_LOG_TYPE_CONFIG_PHYSICALDISK &&
	    l.hook_id != WMI_LOG_TYPE_CONFIG_LOGICALDISK &&
	    l.hook_id != PERFINFO_LOG_TYPE_MARK)
		return exists(w, l.logger_id, E(EINVAL) | E(EALREADY));
	/* EINVAL: not a kernel session */
	return exists(w, l.logger_id, E(0) | E(EALREADY) | E(EINVAL) | E(ENOBUFS) |
		      E(EMSGSIZE));
}

/* Of a logger and a CPU that may be there */
static inline errors model_processor(struct worker *w, struct request *r, struct verdict *v,
				     __u32 id, __u32 processor, __u32 known)
{
	errors good = writable(w, r->arg, known) ? E(0) : E(EFAULT);

	v->id = id;
	if (processor != ETW_ALL_PROCESSORS && processor)
		good = processor < 8192 ? good | E(EINVAL) : E(EINVAL);
	return exists(w, id, good);
}

static inline errors model_structure(struct worker *w, struct request *r, struct verdict *v,
				     const __u8 *p, __u32 size)
{
	__u32 known = size < r->known ? size : r->known;
	struct etw_statistics s = { 0 };
	struct etw_counting n;
	struct etw_list list;

	switch (r->kind) {
	case LIST:
		memcpy(&list, p, sizeof(list));
		if (list.reserved)
			return E(EINVAL);
		return writable(w, r->arg, r->known) ? E(0) : E(EFAULT);
	case STATISTICS:
		memcpy(&s, p, known);
		return model_processor(w, r, v, s.logger_id, s.processor, known);
	case COUNTING:
		memcpy(&n, p, sizeof(n));
		return model_processor(w, r, v, n.logger_id, n.processor, known);
	case LOG_RECORD:
		return model_log_record(w, v, p);
	default:
		return model_control(w, r, v, p);
	}
}

/* Nothing but zeros in what this version doesn't know? */
static inline int tail_set(const __u8 *p, __u32 known, __u32 size)
{
	for (; known < size; known++)
		if (p[known])
			return 1;
	return 0;
}

static void model(struct worker *w, struct request *r, struct verdict *v)
{
	const __u8 *p;
	__u32 size;

	v->allowed = 0;
	v->count = v->must = 0;
	v->id = v->flags = 0;
	v->information = 0;
	v->information_size = 0;
	v->nobody = w->nobody;
	if (r->fd_error || r->kind == OTHER) {
		v->allowed = E(r->fd_error ? r->fd_error : ENOTTY);
		return;
	}
	p = peek(w, r->arg, sizeof(size));
	if (!p) {
		v->allowed = E(EFAULT);
		return;
	}
	memcpy(&size, p, sizeof(size));
	if (size < r->least || size > PAGE) {
		v->allowed = E(EINVAL);
		return;
	}
	if (!peek(w, r->arg, size))
		v->allowed = E(EFAULT) | (size > r->known ? E(E2BIG) : 0);
	else if (tail_set(p, r->known, size))
		v->allowed = E(E2BIG);
	else
		v->allowed = model_structure(w, r, v, p, size);
}

#endif /* ETW_TEST_FUZZ_MODEL_H */
