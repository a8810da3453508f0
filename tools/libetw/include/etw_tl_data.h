/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The etw authors */
/* TraceLoggingProvider.h in C: the data of an event. */
#ifndef ETW_TL_DATA_H
#define ETW_TL_DATA_H

#include "etw_tl_event.h"

/**
 * struct etw_tl_data - the descriptors of an event that is being written
 * @next: of the next piece
 * @size: where the next counted field stores its number of bytes or values
 */
struct etw_tl_data {
	EVENT_DATA_DESCRIPTOR *next;
	UINT16 *size;
};

FORCEINLINE void etw_tl_put_as(struct etw_tl_data *data, const void *from, ULONG size, UCHAR type)
{
	EVENT_DATA_DESCRIPTOR *piece = data->next++;

	piece->Ptr = (UINT_PTR)from;
	piece->Size = size;
	piece->Reserved = type;
}

FORCEINLINE void etw_tl_put(struct etw_tl_data *data, const void *from, ULONG size)
{
	etw_tl_put_as(data, from, size, EVENT_DATA_DESCRIPTOR_TYPE_NONE);
}

/* More than a count of 16 bits can express fits no event: EventWrite() refuses what is left */
FORCEINLINE void etw_tl_put_array(struct etw_tl_data *data, const void *from, size_t count,
				  size_t size)
{
	UINT16 *counter = data->size++;

	*counter = count > 0xFFFF ? 0xFFFF : (UINT16)count;
	etw_tl_put(data, counter, sizeof(*counter));
	etw_tl_put(data, from, (ULONG)(*counter * size));
}

FORCEINLINE void etw_tl_put_counted(struct etw_tl_data *data, const void *from, size_t size)
{
	etw_tl_put_array(data, from, size, 1);
}

FORCEINLINE void etw_tl_put_string(struct etw_tl_data *data, const char *text)
{
	if (!text)
		text = "";
	etw_tl_put(data, text, (ULONG)strlen(text) + 1);
}

FORCEINLINE ULONG etw_tl_length16(const WCHAR *text)
{
	ULONG length = 0;

	while (text[length])
		length++;
	return length;
}

FORCEINLINE void etw_tl_put_string16(struct etw_tl_data *data, const WCHAR *text)
{
	static const WCHAR empty[1];

	if (!text)
		text = empty;
	etw_tl_put(data, text, (etw_tl_length16(text) + 1) * (ULONG)sizeof(*text));
}

/* 8 bytes, and 4 for each of as many subordinate authorities as the second byte contains */
FORCEINLINE void etw_tl_put_sid(struct etw_tl_data *data, const void *sid)
{
	etw_tl_put(data, sid, 8 + 4u * ((const UCHAR *)sid)[1]);
}

/* For TraceLoggingValue(): @value is the address of a copy of the value */
FORCEINLINE void etw_tl_auto_value(struct etw_tl_data *data, const void *value, ULONG size)
{
	etw_tl_put(data, value, size);
}

FORCEINLINE void etw_tl_auto_string(struct etw_tl_data *data, const void *value, ULONG size)
{
	(void)size;
	etw_tl_put_string(data, *(const char *const *)value);
}

FORCEINLINE void etw_tl_auto_string16(struct etw_tl_data *data, const void *value, ULONG size)
{
	(void)size;
	etw_tl_put_string16(data, *(const WCHAR *const *)value);
}

/* What TraceLoggingValue() makes of a type; any other type must be a pointer */
#define ETW_TL_AUTO_IN(v)									\
	_Generic((v), _Bool: TlgInUINT8, char: TlgInUINT8, signed char: TlgInINT8,		\
		unsigned char: TlgInUINT8, short: TlgInINT16, unsigned short: TlgInUINT16,	\
		int: TlgInINT32, unsigned int: TlgInUINT32, long: TlgInINTPTR,			\
		unsigned long: TlgInUINTPTR, long long: TlgInINT64,				\
		unsigned long long: TlgInUINT64, float: TlgInFLOAT, double: TlgInDOUBLE,	\
		GUID: TlgInGUID, FILETIME: TlgInFILETIME, SYSTEMTIME: TlgInSYSTEMTIME,		\
		char *: TlgInANSISTRING, const char *: TlgInANSISTRING,				\
		WCHAR *: TlgInUNICODESTRING, const WCHAR *: TlgInUNICODESTRING,			\
		default: TlgInPOINTER)
#define ETW_TL_AUTO_OUT(v)									\
	_Generic((v), _Bool: TlgOutBOOLEAN, char: TlgOutSTRING, default: TlgOutNULL)
#define ETW_TL_AUTO_PUT(v)									\
	_Generic((v), char *: etw_tl_auto_string, const char *: etw_tl_auto_string,		\
		WCHAR *: etw_tl_auto_string16, const WCHAR *: etw_tl_auto_string16,		\
		default: etw_tl_auto_value)
/* Integers and pointers are classes below 8; structures, complex and vector types above */
#define ETW_TL_AUTO_IS_KNOWN(v)									\
	_Generic((v), float: 1, double: 1, GUID: 1, FILETIME: 1, SYSTEMTIME: 1,			\
		default: sizeof(v) <= sizeof(UINT64) && __builtin_classify_type(v) < 8)

/* Literals in a block live as long as the block, so descriptors may point to them. */
#define ETW_TL_PUT(n, x)	ETW_TL_PUT_(n, ETW_TL_UNWRAP x)
#define ETW_TL_PUT_(...)	ETW_TL_PUT__(__VA_ARGS__)
#define ETW_TL_PUT__(n, meta, config, kind, ...)	ETW_TL_PUT_##kind(n, __VA_ARGS__)
#define ETW_TL_PUT_etw_none(n, ...)
#define ETW_TL_PUT_etw_value(n, type, v)							\
	etw_tl_put(&etw_tl_out, &(const type){ (v) }, sizeof(type));
#define ETW_TL_PUT_etw_cast(n, type, v)								\
	etw_tl_put(&etw_tl_out, &(const type){ (type)(v) }, sizeof(type));
#define ETW_TL_PUT_etw_auto(n, v)								\
	_Static_assert(ETW_TL_AUTO_IS_KNOWN(v), "TraceLoggingValue: no field has this type");	\
	__extension__ __auto_type etw_tl_value_##n = (v);							\
	ETW_TL_AUTO_PUT(v)(&etw_tl_out, &etw_tl_value_##n, sizeof(etw_tl_value_##n));
#define ETW_TL_PUT_etw_object(n, type, v)							\
	etw_tl_put(&etw_tl_out, ETW_TL_CONST(type, &(v)), sizeof(type));
#define ETW_TL_PUT_etw_string(n, v)	etw_tl_put_string(&etw_tl_out, v);
#define ETW_TL_PUT_etw_string16(n, v)	etw_tl_put_string16(&etw_tl_out, v);
#define ETW_TL_PUT_etw_sid(n, v)	etw_tl_put_sid(&etw_tl_out, v);
#define ETW_TL_PUT_etw_raw(n, v, bytes, type)							\
	etw_tl_put_as(&etw_tl_out, v, (ULONG)(bytes), type);
#define ETW_TL_PUT_etw_fixed(n, type, v, count)							\
	etw_tl_put(&etw_tl_out, ETW_TL_CONST(type, v), (ULONG)((count) * sizeof(type)));
#define ETW_TL_PUT_etw_array(n, type, v, count)							\
	etw_tl_put_array(&etw_tl_out, ETW_TL_CONST(type, v), count, sizeof(type));
#define ETW_TL_PUT_etw_counted(n, type, v, count)						\
	etw_tl_put_counted(&etw_tl_out, ETW_TL_CONST(type, v), (count) * sizeof(type));
#define ETW_TL_PUT_etw_blob(n, v, bytes)	etw_tl_put_counted(&etw_tl_out, v, bytes);
#define ETW_TL_PUT_etw_buffer(n, type, v)							\
	const type *const etw_tl_value_##n = (v);						\
	etw_tl_put_counted(&etw_tl_out, etw_tl_value_##n->Buffer, etw_tl_value_##n->Length);

/* The address, if it is one of @type or void: else the compiler complains */
#define ETW_TL_CONST(type, v)	((const type *){ (v) })

#define ETW_TL_WRITE_EVENT(provider, activity, related, ...)					\
	do {											\
		EVENT_DATA_DESCRIPTOR etw_tl_pieces[ETW_TL_PIECES_OF(__VA_ARGS__)];		\
		UINT16 etw_tl_sizes[ETW_TL_PIECES_OF(__VA_ARGS__)];				\
		struct etw_tl_data etw_tl_out = { etw_tl_pieces, etw_tl_sizes };		\
												\
		_Static_assert(ETW_TL_PIECES_OF(__VA_ARGS__) <= MAX_EVENT_DATA_DESCRIPTORS,	\
			       "TraceLoggingWrite: too many fields");				\
		etw_tl_put_as(&etw_tl_out, (provider)->traits, etw_tl_traits_size(provider),		\
			      EVENT_DATA_DESCRIPTOR_TYPE_PROVIDER_METADATA);			\
		etw_tl_put_as(&etw_tl_out, &etw_tl_meta, sizeof(etw_tl_meta),			\
			      EVENT_DATA_DESCRIPTOR_TYPE_EVENT_METADATA);			\
		ETW_TL_EACH(ETW_TL_PUT, __VA_ARGS__)						\
		EventWriteTransfer((provider)->handle, &etw_tl_event, activity, related,	\
				   ETW_TL_PIECES_OF(__VA_ARGS__), etw_tl_pieces);		\
	} while (0)

#endif /* ETW_TL_DATA_H */
