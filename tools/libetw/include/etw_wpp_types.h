/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The etw authors */
/* etw_wpp.h in C: what an argument is, and a copy of it. */
#ifndef ETW_WPP_TYPES_H
#define ETW_WPP_TYPES_H

/* As it is passed to printf: small integers become int, arrays addresses, float double */
#define ETW_WPP_VALUE(a)									\
	_Generic((a), float: 0.0, long double: 0.0, default: (0 ? (a) : (a)))

#define ETW_WPP_TYPE(a)										\
	((unsigned long long)_Generic((0 ? (a) : (a)),						\
		int: ETW_WPP_INT32, unsigned int: ETW_WPP_INT32,				\
		long: sizeof(long) == 8 ? ETW_WPP_INT64 : ETW_WPP_INT32,			\
		unsigned long: sizeof(long) == 8 ? ETW_WPP_INT64 : ETW_WPP_INT32,		\
		long long: ETW_WPP_INT64, unsigned long long: ETW_WPP_INT64,			\
		float: ETW_WPP_DOUBLE, double: ETW_WPP_DOUBLE, long double: ETW_WPP_DOUBLE,	\
		char *: ETW_WPP_STRING, const char *: ETW_WPP_STRING,				\
		WCHAR *: ETW_WPP_STRING16, const WCHAR *: ETW_WPP_STRING16,			\
		GUID *: ETW_WPP_GUID, const GUID *: ETW_WPP_GUID, GUID: ETW_WPP_GUID_VALUE,	\
		struct etw_wpp_text: ETW_WPP_TEXT, struct etw_wpp_text16: ETW_WPP_TEXT16,	\
		struct etw_wpp_bytes: ETW_WPP_BYTES, default: ETW_WPP_POINTER))

/* As the compiler's check of the format has to see it */
#define ETW_WPP_ASKED(a)									\
	_Generic((0 ? (a) : (a)), struct etw_wpp_text: "", struct etw_wpp_text16: NULL,		\
		 struct etw_wpp_bytes: NULL, GUID: NULL, GUID *: NULL, const GUID *: NULL,	\
		 WCHAR *: NULL, const WCHAR *: NULL, default: (a))

#define ETW_WPP_COPY(n, a)	__typeof__(ETW_WPP_VALUE(a)) etw_wpp_##n = (a);
#define ETW_WPP_CONSTANT(value)	((uint32_t)(value))
/* In a section of its own */
#define ETW_WPP_DEFINE_FORMAT(format)								\
	static const char etw_wpp_format[] __attribute__((section("etw_wpp_text"))) = format
#define ETW_WPP_FORMAT_STRING(format)	etw_wpp_format

static inline __attribute__((format(printf, 1, 2))) void etw_wpp_check(const char *format, ...)
{
	(void)format;
}

#endif /* ETW_WPP_TYPES_H */
