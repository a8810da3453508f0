/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The etw authors */
/* TraceLoggingProvider.h in C++: the data of an event. */
#ifndef ETW_TL_DATA_CXX_H
#define ETW_TL_DATA_CXX_H

#include <cstddef>
#include <type_traits>
#include "etw_tl_event.h"

/*
 * One expression writes an event, because the descriptors point to temporary
 * objects: those live until the expression ends.
 */

struct etw_tl_piece {
	const void *from;
	ULONG size;
	UCHAR type;
};

struct etw_tl_counted {
	const void *from;
	size_t count;
	size_t size;
};

template <class T> inline etw_tl_piece etw_tl_value(const T &value)
{
	return { &value, sizeof(T), EVENT_DATA_DESCRIPTOR_TYPE_NONE };
}

template <class T> inline T etw_tl_cast(const volatile void *value)
{
	return reinterpret_cast<T>(value);
}

template <class T, class R, class... A> inline T etw_tl_cast(R (*value)(A...))
{
	return reinterpret_cast<T>(value);
}

template <class T, class V> inline
typename std::enable_if<std::is_integral<V>::value || std::is_enum<V>::value, T>::type
etw_tl_cast(V value)
{
	return static_cast<T>(value);
}

template <class T> inline etw_tl_piece etw_tl_fixed(const T *values, size_t count)
{
	return { values, static_cast<ULONG>(count * sizeof(T)), EVENT_DATA_DESCRIPTOR_TYPE_NONE };
}

template <class T> inline etw_tl_counted etw_tl_array(const T *values, size_t count)
{
	return { values, count, sizeof(T) };
}

template <class T> inline etw_tl_counted etw_tl_bytes(const T *values, size_t count)
{
	return { values, count * sizeof(T), 1 };
}

template <class T> inline etw_tl_counted etw_tl_buffer(const T *buffer)
{
	return { buffer->Buffer, buffer->Length, 1 };
}

inline etw_tl_counted etw_tl_blob(const void *bytes, size_t count)
{
	return { bytes, count, 1 };
}

inline etw_tl_piece etw_tl_raw(const void *bytes, size_t size, UCHAR type)
{
	return { bytes, static_cast<ULONG>(size), type };
}

template <class T> inline etw_tl_piece etw_tl_text(const T *text)
{
	static const T empty = 0;
	size_t length = 0;

	if (!text)
		text = &empty;
	while (text[length])
		length++;
	return etw_tl_fixed(text, length + 1);
}

inline etw_tl_piece etw_tl_string(const char *text)
{
	return etw_tl_text(text);
}

inline etw_tl_piece etw_tl_string16(const char16_t *text)
{
	return etw_tl_text(text);
}

#if __SIZEOF_WCHAR_T__ == 2
inline etw_tl_piece etw_tl_string16(const wchar_t *text)
{
	return etw_tl_text(text);
}
#endif

/* 8 bytes, and 4 for each of as many subordinate authorities as the second byte contains */
inline etw_tl_piece etw_tl_sid(const void *sid)
{
	return etw_tl_raw(sid, 8 + 4u * static_cast<const UCHAR *>(sid)[1], 0);
}

/* What TraceLoggingValue() makes of a type */
template <class T> struct etw_tl_type_of;
template <UINT8 IN_TYPE, UINT8 OUT_TYPE = TlgOutNULL> struct etw_tl_type {
	static constexpr UINT8 in = IN_TYPE, out = OUT_TYPE;
};

template <> struct etw_tl_type_of<bool> : etw_tl_type<TlgInUINT8, TlgOutBOOLEAN> { };
template <> struct etw_tl_type_of<char> : etw_tl_type<TlgInUINT8, TlgOutSTRING> { };
template <> struct etw_tl_type_of<char16_t> : etw_tl_type<TlgInUINT16, TlgOutSTRING> { };
template <> struct etw_tl_type_of<signed char> : etw_tl_type<TlgInINT8> { };
template <> struct etw_tl_type_of<unsigned char> : etw_tl_type<TlgInUINT8> { };
template <> struct etw_tl_type_of<short> : etw_tl_type<TlgInINT16> { };
template <> struct etw_tl_type_of<unsigned short> : etw_tl_type<TlgInUINT16> { };
template <> struct etw_tl_type_of<int> : etw_tl_type<TlgInINT32> { };
template <> struct etw_tl_type_of<unsigned int> : etw_tl_type<TlgInUINT32> { };
template <> struct etw_tl_type_of<long> : etw_tl_type<TlgInINTPTR> { };
template <> struct etw_tl_type_of<unsigned long> : etw_tl_type<TlgInUINTPTR> { };
template <> struct etw_tl_type_of<long long> : etw_tl_type<TlgInINT64> { };
template <> struct etw_tl_type_of<unsigned long long> : etw_tl_type<TlgInUINT64> { };
template <> struct etw_tl_type_of<float> : etw_tl_type<TlgInFLOAT> { };
template <> struct etw_tl_type_of<double> : etw_tl_type<TlgInDOUBLE> { };
template <> struct etw_tl_type_of<GUID> : etw_tl_type<TlgInGUID> { };
template <> struct etw_tl_type_of<FILETIME> : etw_tl_type<TlgInFILETIME> { };
template <> struct etw_tl_type_of<SYSTEMTIME> : etw_tl_type<TlgInSYSTEMTIME> { };
template <> struct etw_tl_type_of<std::nullptr_t> : etw_tl_type<TlgInPOINTER> { };
template <class T> struct etw_tl_type_of<T *> : etw_tl_type<TlgInPOINTER> { };
template <> struct etw_tl_type_of<char *> : etw_tl_type<TlgInANSISTRING> { };
template <> struct etw_tl_type_of<const char *> : etw_tl_type<TlgInANSISTRING> { };
template <> struct etw_tl_type_of<WCHAR *> : etw_tl_type<TlgInUNICODESTRING> { };
template <> struct etw_tl_type_of<const WCHAR *> : etw_tl_type<TlgInUNICODESTRING> { };

#define ETW_TL_DECAYED(v)	typename std::decay<decltype(v)>::type
#define ETW_TL_AUTO_IN(v)	(etw_tl_type_of<ETW_TL_DECAYED(v)>::in)
#define ETW_TL_AUTO_OUT(v)	(etw_tl_type_of<ETW_TL_DECAYED(v)>::out)

/* Strings are copied, other values are their bytes */
inline etw_tl_piece etw_tl_auto_of(const char *const &text)
{
	return etw_tl_string(text);
}

inline etw_tl_piece etw_tl_auto_of(char *const &text)
{
	return etw_tl_string(text);
}

inline etw_tl_piece etw_tl_auto_of(const WCHAR *const &text)
{
	return etw_tl_string16(text);
}

inline etw_tl_piece etw_tl_auto_of(WCHAR *const &text)
{
	return etw_tl_string16(text);
}

template <class T> inline etw_tl_piece etw_tl_auto_of(const T &value)
{
	return etw_tl_value<T>(value);
}

/* @T is no array: a literal is a pointer */
template <class T> inline etw_tl_piece etw_tl_auto(const T &value)
{
	return etw_tl_auto_of(value);
}

template <unsigned int PIECES> class etw_tl_writer {
	EVENT_DATA_DESCRIPTOR pieces[PIECES];
	UINT16 sizes[PIECES];
	unsigned int used = 0, counted = 0;

	void add(const void *from, ULONG size, UCHAR type)
	{
		EVENT_DATA_DESCRIPTOR &piece = pieces[used++];

		piece.Ptr = reinterpret_cast<UINT_PTR>(from);
		piece.Size = size;
		piece.Reserved = type;
	}

public:
	etw_tl_writer &put(const etw_tl_piece &piece)
	{
		add(piece.from, piece.size, piece.type);
		return *this;
	}

	/* More than a count of 16 bits can express fits no event: EventWrite() refuses it */
	etw_tl_writer &put(const etw_tl_counted &field)
	{
		UINT16 &count = sizes[counted++];

		count = static_cast<UINT16>(field.count > 0xFFFF ? 0xFFFF : field.count);
		add(&count, sizeof(count), EVENT_DATA_DESCRIPTOR_TYPE_NONE);
		add(field.from, static_cast<ULONG>(count * field.size),
		    EVENT_DATA_DESCRIPTOR_TYPE_NONE);
		return *this;
	}

	void write(TraceLoggingHProvider provider, const EVENT_DESCRIPTOR &event,
		   LPCGUID activity, LPCGUID related)
	{
		static_assert(PIECES <= MAX_EVENT_DATA_DESCRIPTORS,
			      "TraceLoggingWrite: too many fields");
		EventWriteTransfer(provider->handle, &event, activity, related, PIECES, pieces);
	}
};

#define ETW_TL_PUT(n, x)	ETW_TL_PUT_(n, ETW_TL_UNWRAP x)
#define ETW_TL_PUT_(...)	ETW_TL_PUT__(__VA_ARGS__)
#define ETW_TL_PUT__(n, meta, config, kind, ...)	ETW_TL_PUT_##kind(n, __VA_ARGS__)
#define ETW_TL_PUT_etw_none(n, ...)
#define ETW_TL_PUT_etw_value(n, type, v)	.put(etw_tl_value<type>(v))
#define ETW_TL_PUT_etw_cast(n, type, v)		.put(etw_tl_value<type>(etw_tl_cast<type>(v)))
#define ETW_TL_PUT_etw_auto(n, v)		.put(etw_tl_auto<ETW_TL_DECAYED(v)>(v))
#define ETW_TL_PUT_etw_object(n, type, v)	.put(etw_tl_value<type>(v))
#define ETW_TL_PUT_etw_string(n, v)		.put(etw_tl_string(v))
#define ETW_TL_PUT_etw_string16(n, v)		.put(etw_tl_string16(v))
#define ETW_TL_PUT_etw_sid(n, v)		.put(etw_tl_sid(v))
#define ETW_TL_PUT_etw_raw(n, v, bytes, type)	.put(etw_tl_raw(v, bytes, type))
#define ETW_TL_PUT_etw_fixed(n, type, v, count)	.put(etw_tl_fixed<type>(v, count))
#define ETW_TL_PUT_etw_array(n, type, v, count)	.put(etw_tl_array<type>(v, count))
#define ETW_TL_PUT_etw_counted(n, type, v, count)	.put(etw_tl_bytes<type>(v, count))
#define ETW_TL_PUT_etw_blob(n, v, bytes)	.put(etw_tl_blob(v, bytes))
#define ETW_TL_PUT_etw_buffer(n, type, v)	.put(etw_tl_buffer<type>(v))

#define ETW_TL_WRITE_EVENT(provider, activity, related, ...)					\
	etw_tl_writer<ETW_TL_PIECES_OF(__VA_ARGS__)>()						\
		.put(etw_tl_raw((provider)->traits, etw_tl_traits_size(provider),			\
				EVENT_DATA_DESCRIPTOR_TYPE_PROVIDER_METADATA))			\
		.put(etw_tl_raw(&etw_tl_meta, sizeof(etw_tl_meta),				\
				EVENT_DATA_DESCRIPTOR_TYPE_EVENT_METADATA))			\
		ETW_TL_EACH(ETW_TL_PUT, __VA_ARGS__)						\
		.write(provider, etw_tl_event, activity, related)

#endif /* ETW_TL_DATA_CXX_H */
