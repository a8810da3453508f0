// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* Checks of TraceEvent's arguments: flags, sizes, handles, GUIDs. Pure. */
#include <linux/errno.h>
#include <linux/kernel.h>
#include <linux/string.h>
#include "event_input.h"

/* Size of an EVENT_TRACE, which begins with the header; the same for both widths */
#define NO_HEADER_SIZE	0x58U

/*
 * 5.0 needs a flag for the kind of header. If both flags are set, the header is a
 * WNODE_HEADER, but the low 16 bits of its size are checked first.
 */
static int check_5_0(const struct event_trace_header *header, struct etw_event_shape *shape)
{
	if (!(header->flags & (WNODE_FLAG_TRACED_GUID | WNODE_FLAG_LOG_WNODE)))
		return -EBADRQC;
	if ((header->flags & WNODE_FLAG_TRACED_GUID) && header->size < shape->header)
		return -EINVAL;
	if (!(header->flags & WNODE_FLAG_LOG_WNODE))
		return 0;
	shape->wnode = 1;
	shape->header = sizeof(*header);
	/* BufferSize: the first four bytes */
	memcpy(&shape->given, header, sizeof(shape->given));
	return 0;
}

/* The flag exists since 5.1, and only the private logger uses it. */
static int is_whole_record(const struct event_trace_header *header,
			   const struct etw_event_rules *rules)
{
	return rules->private_logger && rules->version >= ETW_RULES_5_1 &&
	       (header->flags & WNODE_FLAG_NO_HEADER);
}

/* Whether flags and Size are those of a header */
static __always_inline int check_header(const struct event_trace_header *header,
					const struct etw_event_rules *rules,
					struct etw_event_shape *shape)
{
	int err;

	if (is_whole_record(header, rules)) {
		shape->header = NO_HEADER_SIZE;
	} else if (rules->version < ETW_RULES_5_1) {
		err = check_5_0(header, shape);
		if (err)
			return err;
	}
	return shape->given < shape->header ? -EINVAL : 0;
}

static int check_options(const struct event_trace_header *header,
			 const struct etw_event_rules *rules, const struct etw_event_shape *shape)
{
	const __u32 pointers = WNODE_FLAG_USE_GUID_PTR | WNODE_FLAG_USE_MOF_PTR;

	if (!shape->wnode && (header->flags & WNODE_FLAG_LOG_WNODE))
		return -EOPNOTSUPP;
	if (shape->wnode && (rules->instance || rules->self_contained))
		return -EOPNOTSUPP;
	if ((header->flags & pointers) && rules->self_contained)
		return -EOPNOTSUPP;
	return 0;
}

/* A partial field at the end is ignored. */
static int check_fields(const struct event_trace_header *header, struct etw_event_shape *shape)
{
	__u32 bytes = shape->given - shape->header;

	if (shape->wnode || !(header->flags & WNODE_FLAG_USE_MOF_PTR))
		return 0;
	if (bytes > ETW_MAX_MOF_BYTES)
		return -E2BIG;
	shape->mof_fields = bytes / sizeof(struct mof_field);
	return 0;
}

/**
 * etw_event_check() - find the kind of a header, and check it
 * @header: as given
 * @session_handle: as given
 * @rules: rules to apply
 * @shape: out, with a success; @shape->valid always
 *
 * (format.rst 5.3)
 * Return: 0; -EBADRQC, -EINVAL, -EBADF, -EOPNOTSUPP, -E2BIG, -EMSGSIZE: see struct
 * etw_trace_event.
 */
int etw_event_check(const struct event_trace_header *header, __u64 session_handle,
		    const struct etw_event_rules *rules, struct etw_event_shape *shape)
{
	int err;

	shape->header = rules->instance ? sizeof(struct event_instance_guid_header) :
					  sizeof(*header);
	shape->given = header->size;
	shape->wnode = 0;
	shape->mof_fields = 0;
	err = check_header(header, rules, shape);
	shape->valid = !err;
	if (err)
		return err;
	if (is_whole_record(header, rules))
		return 0;
	if (!rules->private_logger) {
		err = etw_handle_logger(session_handle);
		if (err < 0)
			return err;
	}
	err = check_options(header, rules, shape);
	if (err)
		return err;
	if (shape->given > ETW_MAX_RECORD)
		return -EMSGSIZE;
	return check_fields(header, shape);
}

/**
 * etw_handle_logger() - get the logger of a session handle
 * @session_handle: a handle
 *
 * Return: a logger id; -EBADF for 0, 0xFFFF and the private logger.
 */
int etw_handle_logger(__u64 session_handle)
{
	__u16 id = ETW_HANDLE_LOGGER_ID(session_handle);

	if (!id || id == 0xFFFF || (session_handle & ETW_HANDLE_PRIVATE))
		return -EBADF;
	return id;
}

/*
 * Class GUIDs of hook groups (format.rst 3.12), of records that merging tools
 * add, and of our own records; sorted by their first words, which differ.
 */
static const struct etw_guid reserved[] = {
	{ 0x01853a65, 0x418f, 0x4f36, { 0xae, 0xfc, 0xdc, 0x0f, 0x1d, 0x2f, 0xd2, 0x35 } },
	{ 0x0268a8b6, 0x74fd, 0x4302, { 0x9d, 0xd0, 0x6e, 0x8f, 0x17, 0x95, 0xc0, 0xcf } },
	{ 0x13976d09, 0xa327, 0x438c, { 0x95, 0x0b, 0x7f, 0x03, 0x19, 0x28, 0x15, 0xc7 } },
	{ 0x222962ab, 0x6180, 0x4b88, { 0xa8, 0x25, 0x34, 0x6b, 0x75, 0xf2, 0xa2, 0x4a } },
	{ 0x2cb15d1d, 0x5fc1, 0x11d2, { 0xab, 0xe1, 0x00, 0xa0, 0xc9, 0x11, 0xf5, 0x18 } },
	{ 0x2ce9a149, 0xeffe, 0x42f0, { 0xa6, 0x35, 0xa1, 0xd3, 0x9e, 0x26, 0xc8, 0xf2 } },
	{ 0x3282fc76, 0xfeed, 0x498e, { 0x8a, 0xa7, 0xe7, 0x0f, 0x45, 0x9d, 0x43, 0x0e } },
	{ 0x3ac66736, 0xcc59, 0x4cff, { 0x81, 0x15, 0x8d, 0xf5, 0x0e, 0x39, 0x81, 0x6b } },
	{ 0x3d6fa8d0, 0xfe05, 0x11d0, { 0x9d, 0xda, 0x00, 0xc0, 0x4f, 0xd7, 0xba, 0x7c } },
	{ 0x3d6fa8d1, 0xfe05, 0x11d0, { 0x9d, 0xda, 0x00, 0xc0, 0x4f, 0xd7, 0xba, 0x7c } },
	{ 0x3d6fa8d3, 0xfe05, 0x11d0, { 0x9d, 0xda, 0x00, 0xc0, 0x4f, 0xd7, 0xba, 0x7c } },
	{ 0x3d6fa8d4, 0xfe05, 0x11d0, { 0x9d, 0xda, 0x00, 0xc0, 0x4f, 0xd7, 0xba, 0x7c } },
	{ 0x42695762, 0xea50, 0x497a, { 0x90, 0x68, 0x5c, 0xbb, 0xb3, 0x5e, 0x0b, 0x95 } },
	{ 0x45d8cccd, 0x539f, 0x4b72, { 0xa8, 0xb7, 0x5c, 0x68, 0x31, 0x42, 0x60, 0x9a } },
	{ 0x68fdd900, 0x4a3e, 0x11d1, { 0x84, 0xf4, 0x00, 0x00, 0xf8, 0x04, 0x64, 0xe3 } },
	/* RT_LostEvent, which consumers generate themselves */
	{ 0x6a399ae0, 0x4bc6, 0x4de9, { 0x87, 0x0b, 0x36, 0x57, 0xf8, 0x94, 0x7e, 0x7e } },
	{ 0x7687a439, 0xf752, 0x45b8, { 0xb7, 0x41, 0x32, 0x1a, 0xec, 0x0f, 0x8d, 0xf9 } },
	{ 0x7f2a405c, 0x69b5, 0x4bf9, { 0xa1, 0xf5, 0x30, 0xe8, 0xf1, 0xaf, 0xab, 0x5e } },
	{ 0x89497f50, 0xeffe, 0x4440, { 0x8c, 0xf2, 0xce, 0x6b, 0x1c, 0xdc, 0xac, 0xa7 } },
	{ 0x90cbdc39, 0x4a3e, 0x11d1, { 0x84, 0xf4, 0x00, 0x00, 0xf8, 0x04, 0x64, 0xe3 } },
	{ 0x99134383, 0x5248, 0x43fc, { 0x83, 0x4b, 0x52, 0x94, 0x54, 0xe7, 0x5d, 0xf3 } },
	{ 0x9a280ac0, 0xc8e0, 0x11d1, { 0x84, 0xe2, 0x00, 0xc0, 0x4f, 0xb9, 0x98, 0xa2 } },
	{ 0x9aec974b, 0x5b8e, 0x4118, { 0x9b, 0x92, 0x31, 0x86, 0xd8, 0x00, 0x2c, 0xe5 } },
	/* SystemConfigEx */
	{ 0x9b79ee91, 0xb5fd, 0x41c0, { 0xa2, 0x43, 0x42, 0x48, 0xe2, 0x66, 0xe9, 0xd0 } },
	/* SystemTraceControlGuid */
	ETW_SYSTEM_TRACE_CONTROL_GUID,
	{ 0xa9152f00, 0x3f58, 0x4bee, { 0x92, 0xa1, 0x70, 0xc7, 0xd0, 0x79, 0xd5, 0xdd } },
	{ 0xae53722e, 0xc863, 0x11d2, { 0x86, 0x59, 0x00, 0xc0, 0x4f, 0xa3, 0x21, 0xa1 } },
	{ 0xb2d14872, 0x7c5b, 0x463d, { 0x84, 0x19, 0xee, 0x9b, 0xf7, 0xd2, 0x3e, 0x04 } },
	/* ImageID */
	{ 0xb3e675d7, 0x2554, 0x4f18, { 0x83, 0x0b, 0x27, 0x62, 0x73, 0x25, 0x60, 0xde } },
	/* EventInfo */
	{ 0xbbccf6c1, 0x6cd1, 0x48c4, { 0x80, 0xff, 0x83, 0x94, 0x82, 0xe3, 0x76, 0x71 } },
	{ 0xbf3a50c5, 0xa9c9, 0x4988, { 0xa0, 0x05, 0x2d, 0xf0, 0xb7, 0xc8, 0x0f, 0x80 } },
	{ 0xc861d0e2, 0xa2c1, 0x4d36, { 0x9f, 0x9c, 0x97, 0x0b, 0xab, 0x94, 0x3a, 0x12 } },
	{ 0xce1dbfb4, 0x137e, 0x4da6, { 0x87, 0xb0, 0x3f, 0x59, 0xaa, 0x10, 0x2c, 0xbc } },
	{ 0xd837ca92, 0x12b9, 0x44a5, { 0xad, 0x6a, 0x3a, 0x65, 0xb3, 0x57, 0x8a, 0xa8 } },
	{ 0xdef2fe46, 0x7bd6, 0x4b80, { 0xbd, 0x94, 0xf5, 0x7f, 0xe2, 0x0d, 0x0c, 0xe3 } },
	{ 0xe43445e0, 0x0903, 0x48c3, { 0xb8, 0x78, 0xff, 0x0f, 0xcc, 0xeb, 0xdd, 0x04 } },
	ETW_LINUX_PROVIDER_GUID,
};

/* First GUID of each leading hex digit: every event is checked, so the search is short. */
static const __u8 first_of_digit[16 + 1] = {
	0, 2, 3, 6, 12, 14, 14, 16, 18, 19, 25, 27, 31, 33, 35, 36, ARRAY_SIZE(reserved),
};

/**
 * etw_guid_is_reserved() - whether consumers take a GUID for the system's own
 * @guid: class of an event
 *
 * Return: 1 or 0.
 */
int etw_guid_is_reserved(const struct etw_guid *guid)
{
	const __u8 *first = &first_of_digit[guid->data1 >> 28];
	__u32 i;

	for (i = first[0]; i < first[1]; i++)
		if (guid->data1 == reserved[i].data1)
			return !memcmp(guid, &reserved[i], sizeof(*guid));
	return 0;
}
