/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The etw authors */
/* TraceLoggingProvider.h: the description of an event, a constant of the program. */
#ifndef ETW_TL_EVENT_H
#define ETW_TL_EVENT_H

#include "etw_tl_list.h"

/*
 * Each argument of TraceLoggingWrite() is a list in parentheses:
 *
 *	((what it adds to the description, ...),
 *	 (level, opcode, channel, keyword, tag: nothing, or the rest of an expression),
 *	 what it adds to the data, ...)
 *
 * TraceLoggingWrite() walks through its arguments several times, and each time
 * takes other parts of these lists. The description is a packed structure:
 *
 *	size (16 bits), tag, name, and for each field its name and its type
 *
 * The type has 1 to 8 bytes, so one bit-field contains it: the type of the
 * data; how it is shown (if bit 7 of the byte before is set); the tag (if bit 7
 * of the byte before is set); how many values an array has (16 bits).
 */

/* Tags are numbers of 28 bits, high bits first, 7 in a byte; zeros at the end are left out */
#define ETW_TL_TAG_BYTES(tag)									\
	(((tag) & 0x1FFFFF) == 0 ? 1 : ((tag) & 0x3FFF) == 0 ? 2 : ((tag) & 0x7F) == 0 ? 3 : 4)
#define ETW_TL_TAG_BYTE(tag, i)									\
	((((tag) >> (21 - 7 * (i))) & 0x7Full) | (ETW_TL_TAG_BYTES(tag) > (i) + 1 ? 0x80ull : 0))
#define ETW_TL_TAG(tag)										\
	(ETW_TL_TAG_BYTE(tag, 0) | ETW_TL_TAG_BYTE(tag, 1) << 8 |				\
	 ETW_TL_TAG_BYTE(tag, 2) << 16 | ETW_TL_TAG_BYTE(tag, 3) << 24)

#define ETW_TL_HAS_OUT(out, tag)	((out) != 0 || ((tag) & 0xFFFFFFF) != 0)
#define ETW_TL_HAS_TAG(tag)		(((tag) & 0xFFFFFFF) != 0)

#define ETW_TL_TYPE_BYTES(out, tag)								\
	(1 + (ETW_TL_HAS_OUT(out, tag) ? 1 : 0) +						\
	 (ETW_TL_HAS_TAG(tag) ? ETW_TL_TAG_BYTES(tag) : 0))
#define ETW_TL_TYPE(in, out, tag)								\
	((unsigned long long)(in) | (ETW_TL_HAS_OUT(out, tag) ? 0x80ull : 0) |			\
	 (unsigned long long)(out) << 8 |							\
	 (ETW_TL_HAS_TAG(tag) ? 0x8000ull | ETW_TL_TAG(tag) << 16 : 0))
#define ETW_TL_COUNTED_TYPE(in, out, tag, count)						\
	(ETW_TL_TYPE(in, out, tag) |								\
	 (unsigned long long)(count) << (8 * ETW_TL_TYPE_BYTES(out, tag)))

/* What an argument adds to the description */
#define ETW_TL_META(meta, ...)	ETW_TL_UNWRAP meta
#define ETW_TL_PASS(op, ...)	ETW_TL_PASS_(op, __VA_ARGS__)
#define ETW_TL_PASS_(op, n, kind, ...)	op##kind(n, __VA_ARGS__)

/* Members of the structure */
#define ETW_TL_DECLARE(n, x)	ETW_TL_PASS(ETW_TL_DECLARE_, n, ETW_TL_META x)
#define ETW_TL_DECLARE_etw_none(n, ...)
#define ETW_TL_DECLARE_etw_field(n, in, out, name, tag)						\
	char name_##n[sizeof(name)];								\
	unsigned long long type_##n : 8 * ETW_TL_TYPE_BYTES(out, tag);
#define ETW_TL_DECLARE_etw_fixed(n, in, out, name, tag, count)					\
	char name_##n[sizeof(name)];								\
	unsigned long long type_##n : 8 * ETW_TL_TYPE_BYTES(out, tag) + 16;
#define ETW_TL_DECLARE_etw_custom(n, protocol, name, tag, schema, size)				\
	ETW_TL_DECLARE_etw_fixed(n, protocol, 0, name, tag, size)				\
	unsigned char schema_##n[size];

/* Their values */
#define ETW_TL_DESCRIBE(n, x)	ETW_TL_PASS(ETW_TL_DESCRIBE_, n, ETW_TL_META x)
#define ETW_TL_DESCRIBE_etw_none(n, ...)
#define ETW_TL_DESCRIBE_etw_field(n, in, out, name, tag)					\
	, name, ETW_TL_TYPE(in, out, tag)
#define ETW_TL_DESCRIBE_etw_fixed(n, in, out, name, tag, count)					\
	, name, ETW_TL_COUNTED_TYPE(in, out, tag, count)
#define ETW_TL_DESCRIBE_etw_custom(n, protocol, name, tag, schema, size)			\
	, name, ETW_TL_COUNTED_TYPE((protocol) | 0x60, 0, tag, size), { ETW_TL_UNWRAP schema }

/*
 * What configures the event. Each argument continues an expression: "a * 0 + b"
 * replaces the value, "a | b" adds bits.
 */
#define ETW_TL_CONFIGURE(level, opcode, channel, keyword, tag)					\
	((etw_none, 0), (level, opcode, channel, keyword, tag), etw_none, 0)
#define ETW_TL_FIELD(meta, ...)	(meta, (, , , , ), __VA_ARGS__)

#define ETW_TL_LEVEL(n, x)	ETW_TL_PICK(ETW_TL_PICK_LEVEL, ETW_TL_UNWRAP x)
#define ETW_TL_OPCODE(n, x)	ETW_TL_PICK(ETW_TL_PICK_OPCODE, ETW_TL_UNWRAP x)
#define ETW_TL_CHANNEL(n, x)	ETW_TL_PICK(ETW_TL_PICK_CHANNEL, ETW_TL_UNWRAP x)
#define ETW_TL_KEYWORD(n, x)	ETW_TL_PICK(ETW_TL_PICK_KEYWORD, ETW_TL_UNWRAP x)
#define ETW_TL_EVENT_TAG(n, x)	ETW_TL_PICK(ETW_TL_PICK_TAG, ETW_TL_UNWRAP x)
#define ETW_TL_PICK(pick, ...)	ETW_TL_PICK_(pick, __VA_ARGS__)
#define ETW_TL_PICK_(pick, meta, config, ...)	pick config
#define ETW_TL_PICK_LEVEL(level, opcode, channel, keyword, tag)		level
#define ETW_TL_PICK_OPCODE(level, opcode, channel, keyword, tag)	opcode
#define ETW_TL_PICK_CHANNEL(level, opcode, channel, keyword, tag)	channel
#define ETW_TL_PICK_KEYWORD(level, opcode, channel, keyword, tag)	keyword
#define ETW_TL_PICK_TAG(level, opcode, channel, keyword, tag)		tag

#define ETW_TL_LEVEL_OF(...)	(5 ETW_TL_EACH(ETW_TL_LEVEL, __VA_ARGS__))
#define ETW_TL_OPCODE_OF(...)	(0 ETW_TL_EACH(ETW_TL_OPCODE, __VA_ARGS__))
#define ETW_TL_CHANNEL_OF(...)	(11 ETW_TL_EACH(ETW_TL_CHANNEL, __VA_ARGS__))
#define ETW_TL_KEYWORD_OF(...)	(0ull ETW_TL_EACH(ETW_TL_KEYWORD, __VA_ARGS__))
#define ETW_TL_TAG_OF(...)	(0 ETW_TL_EACH(ETW_TL_EVENT_TAG, __VA_ARGS__))

/* How many descriptors the data of the event need */
#define ETW_TL_PIECES(n, x)	ETW_TL_PIECES_(ETW_TL_UNWRAP x)
#define ETW_TL_PIECES_(...)	ETW_TL_PIECES__(__VA_ARGS__)
#define ETW_TL_PIECES__(meta, config, kind, ...)	ETW_TL_PIECES_##kind
#define ETW_TL_PIECES_etw_none
#define ETW_TL_PIECES_etw_value		+ 1
#define ETW_TL_PIECES_etw_cast		+ 1
#define ETW_TL_PIECES_etw_auto		+ 1
#define ETW_TL_PIECES_etw_object	+ 1
#define ETW_TL_PIECES_etw_string	+ 1
#define ETW_TL_PIECES_etw_string16	+ 1
#define ETW_TL_PIECES_etw_sid		+ 1
#define ETW_TL_PIECES_etw_raw		+ 1
#define ETW_TL_PIECES_etw_fixed		+ 1
#define ETW_TL_PIECES_etw_array		+ 2
#define ETW_TL_PIECES_etw_counted	+ 2
#define ETW_TL_PIECES_etw_blob		+ 2
#define ETW_TL_PIECES_etw_buffer	+ 2
#define ETW_TL_PIECES_OF(...)	(2 ETW_TL_EACH(ETW_TL_PIECES, __VA_ARGS__))

#define ETW_TL_DEFINE_EVENT(eventName, ...)							\
	static const EVENT_DESCRIPTOR etw_tl_event = {						\
		0, 0, ETW_TL_CHANNEL_OF(__VA_ARGS__), ETW_TL_LEVEL_OF(__VA_ARGS__),		\
		ETW_TL_OPCODE_OF(__VA_ARGS__), 0, ETW_TL_KEYWORD_OF(__VA_ARGS__)		\
	};											\
	static const struct {									\
		unsigned short size;								\
		unsigned long long tag : 8 * ETW_TL_TAG_BYTES(ETW_TL_TAG_OF(__VA_ARGS__));	\
		char name[sizeof(eventName)];							\
		ETW_TL_EACH(ETW_TL_DECLARE, __VA_ARGS__)					\
	} __attribute__((packed)) etw_tl_meta = {						\
		sizeof(etw_tl_meta), ETW_TL_TAG(ETW_TL_TAG_OF(__VA_ARGS__)), eventName		\
		ETW_TL_EACH(ETW_TL_DESCRIBE, __VA_ARGS__)					\
	}

#endif /* ETW_TL_EVENT_H */
