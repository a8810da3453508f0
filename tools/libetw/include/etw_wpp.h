/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The etw authors */
/* printf into a trace: ETW_TRACE(level, flags, "text %d %s", ...), in C11 and C++17. */
#ifndef ETW_WPP_H
#define ETW_WPP_H

/*
 * In every file of a program, before this is included:
 *
 *	#define ETW_TRACE_PROVIDER my_program
 *	#define ETW_TRACE_GUID 0x7c2a3d10, 0x1b5e, 0x4f7a, \
 *			       0x91, 0x0c, 0x5a, 0x33, 0x7e, 0x1d, 0x20, 0x44
 *
 * Then ETW_TRACE_INIT() once, ETW_TRACE() anywhere, ETW_TRACE_CLEANUP() at the
 * end, and "etw tmf program -o program.tmf" after linking. Without a session
 * a trace point is a load and a branch; its arguments are not even evaluated.
 * Formats, names and types are not in the program's memory but for the strings
 * themselves, which no instruction refers to. See Documentation/reference/wpp.rst.
 */
#include <errno.h>
#include "windows.h"
#include "evntrace.h"
#include "etw_wpp_format.h"

#ifndef ETW_TRACE_GUID
#error "ETW_TRACE_GUID, the provider's control GUID as 11 numbers, comes before etw_wpp.h"
#endif
#ifndef ETW_TRACE_PROVIDER
#define ETW_TRACE_PROVIDER	etw_trace
#endif

/* What messages carry */
#ifndef ETW_TRACE_MESSAGE_FLAGS
#define ETW_TRACE_MESSAGE_FLAGS	(TRACE_MESSAGE_SEQUENCE | TRACE_MESSAGE_GUID | \
				 TRACE_MESSAGE_TIMESTAMP | TRACE_MESSAGE_SYSTEMINFO)
#endif

#define ETW_WPP_QUOTE_(x)	#x
#define ETW_WPP_QUOTE(x)		ETW_WPP_QUOTE_(x)
#define ETW_WPP_JOIN_(a, b)	a##b
#define ETW_WPP_JOIN(a, b)	ETW_WPP_JOIN_(a, b)
#define ETW_WPP_CONTROL_OF(x)	ETW_WPP_JOIN(etw_wpp_control_, x)
#define ETW_WPP_THIS		ETW_WPP_CONTROL_OF(ETW_TRACE_PROVIDER)

/* Values for formats: %s, %pW, %ph, %pU */
struct etw_wpp_counted {
	const void *data;
	size_t length;	/* in units */
};

struct etw_wpp_text {
	struct etw_wpp_counted counted;
};

struct etw_wpp_text16 {
	struct etw_wpp_counted counted;
};

struct etw_wpp_bytes {
	struct etw_wpp_counted counted;
};

/**
 * ETW_TEXT() - %s of a string without NUL
 * @p: its address
 * @n: its length
 */
static inline struct etw_wpp_text ETW_TEXT(const char *p, size_t n)
{
	struct etw_wpp_text text = { { p, n } };

	return text;
}

/**
 * ETW_TEXT16() - %pW of a string of UTF-16 without NUL
 * @p: its address
 * @n: its length in units
 */
static inline struct etw_wpp_text16 ETW_TEXT16(const WCHAR *p, size_t n)
{
	struct etw_wpp_text16 text = { { p, n } };

	return text;
}

/**
 * ETW_BYTES() - %ph: bytes in hexadecimal
 * @p: their address
 * @n: how many; 65535 at most are written
 */
static inline struct etw_wpp_bytes ETW_BYTES(const void *p, size_t n)
{
	struct etw_wpp_bytes bytes = { { p, n } };

	return bytes;
}

/**
 * struct etw_wpp_control - whether a session enabled a provider
 * @enabled: its level + 1; 0: no session did
 * @flags: as given to EnableTrace()
 * @session: where messages go
 * @registration: of RegisterTraceGuids()
 *
 * One in each program and shared object: the linker keeps one of them.
 */
struct etw_wpp_control {
	uint32_t enabled;
	uint32_t flags;
	TRACEHANDLE session;
	TRACEHANDLE registration;
};

#ifdef __cplusplus
extern "C" {
#endif
extern struct etw_wpp_control ETW_WPP_THIS __attribute__((visibility("hidden")));
__attribute__((weak, visibility("hidden"))) struct etw_wpp_control ETW_WPP_THIS;
#ifdef __cplusplus
}
#endif

/* Sets the session of the trace points; level -1: none. */
static inline void etw_wpp_listen(struct etw_wpp_control *control, TRACEHANDLE session, int level,
				  uint32_t flags)
{
	if (level >= 0) {
		__atomic_store_n(&control->session, session, __ATOMIC_RELAXED);
		__atomic_store_n(&control->flags, flags, __ATOMIC_RELAXED);
	}
	__atomic_store_n(&control->enabled, (uint32_t)(level + 1), __ATOMIC_RELEASE);
}

static inline ULONG WMIAPI etw_wpp_callback(WMIDPREQUESTCODE request, PVOID context, ULONG *size,
					    PVOID buffer)
{
	struct etw_wpp_control *control = (struct etw_wpp_control *)context;
	TRACEHANDLE session;

	(void)size;
	if (request == WMI_DISABLE_EVENTS) {
		etw_wpp_listen(control, 0, -1, 0);
		return ERROR_SUCCESS;
	}
	if (request != WMI_ENABLE_EVENTS)
		return ERROR_INVALID_PARAMETER;
	session = GetTraceLoggerHandle(buffer);
	etw_wpp_listen(control, session, GetTraceEnableLevel(session),
		       GetTraceEnableFlags(session));
	return ERROR_SUCCESS;
}

static inline ULONG etw_wpp_init(struct etw_wpp_control *control)
{
	static const uint32_t n[11] = { ETW_TRACE_GUID };
	TRACE_GUID_REGISTRATION class_of;
	GUID guid;
	int i;

	guid.Data1 = n[0];
	guid.Data2 = (uint16_t)n[1];
	guid.Data3 = (uint16_t)n[2];
	for (i = 0; i < 8; i++)
		guid.Data4[i] = (uint8_t)n[3 + i];
	class_of.Guid = &guid;
	class_of.RegHandle = NULL;
	return RegisterTraceGuidsA(etw_wpp_callback, control, &guid, 1, &class_of, NULL, NULL,
				   &control->registration);
}

static inline void etw_wpp_cleanup(struct etw_wpp_control *control)
{
	if (control->registration)
		UnregisterTraceGuids(control->registration);
	control->registration = 0;
	/* afterwards no callback comes that would take it back */
	etw_wpp_listen(control, 0, -1, 0);
}

/**
 * ETW_TRACE_INIT() - register the provider; sessions may enable it from now on
 *
 * Return: a Win32 code. Without the module's device: ERROR_SUCCESS, and only a private
 * session can enable trace points.
 */
#define ETW_TRACE_INIT()	etw_wpp_init(&ETW_WPP_THIS)

/** ETW_TRACE_CLEANUP() - the end of ETW_TRACE_INIT() */
#define ETW_TRACE_CLEANUP()	etw_wpp_cleanup(&ETW_WPP_THIS)

/**
 * ETW_TRACE_TO() - write to a session that this program knows
 * @handle: of StartTrace(), a private logger's too
 * @level: the highest level that is written
 * @flags: flags that are written
 */
#define ETW_TRACE_TO(handle, level, flags)	\
	etw_wpp_listen(&ETW_WPP_THIS, handle, level, flags)

/** ETW_TRACE_OFF() - the end of ETW_TRACE_TO() */
#define ETW_TRACE_OFF()		etw_wpp_listen(&ETW_WPP_THIS, 0, -1, 0)

/**
 * ETW_TRACE_ENABLED() - whether a session enabled this level and these flags
 * @level: TRACE_LEVEL_*
 * @wanted: flags, of which the session has to have one; 0: any session will do
 */
#define ETW_TRACE_ENABLED(level, wanted)						\
	(__builtin_expect(__atomic_load_n(&ETW_WPP_THIS.enabled, __ATOMIC_RELAXED) >	\
			  (uint32_t)(level), 0) &&					\
	 (!(wanted) || (__atomic_load_n(&ETW_WPP_THIS.flags, __ATOMIC_RELAXED) & (wanted))))

#include "etw_wpp_send.h"

#ifdef __cplusplus
#include "etw_wpp_types_cxx.h"
#else
#include "etw_wpp_types.h"
#endif

/* Up to 16 arguments behind a format */
#define ETW_WPP_NTH(_0, _1, _2, _3, _4, _5, _6, _7, _8, _9, _10, _11, _12, _13, _14, _15, _16,	\
		    n, ...) n
#define ETW_WPP_COUNT(...)	\
	ETW_WPP_NTH(__VA_ARGS__, 16, 15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0, )
#define ETW_WPP_FIRST(first, ...)	first
#define ETW_WPP_FORMAT_OF(...)		ETW_WPP_FIRST(__VA_ARGS__, )

/* m(index, argument) for each; the last one's index is 1 */
#define ETW_WPP_EACH(m, ...)	\
	ETW_WPP_JOIN(ETW_WPP_EACH_, ETW_WPP_COUNT(__VA_ARGS__))(m, __VA_ARGS__)
#define ETW_WPP_EACH_0(m, f)
#define ETW_WPP_EACH_1(m, f, a)		m(1, a)
#define ETW_WPP_EACH_2(m, f, a, ...)	m(2, a) ETW_WPP_EACH_1(m, f, __VA_ARGS__)
#define ETW_WPP_EACH_3(m, f, a, ...)	m(3, a) ETW_WPP_EACH_2(m, f, __VA_ARGS__)
#define ETW_WPP_EACH_4(m, f, a, ...)	m(4, a) ETW_WPP_EACH_3(m, f, __VA_ARGS__)
#define ETW_WPP_EACH_5(m, f, a, ...)	m(5, a) ETW_WPP_EACH_4(m, f, __VA_ARGS__)
#define ETW_WPP_EACH_6(m, f, a, ...)	m(6, a) ETW_WPP_EACH_5(m, f, __VA_ARGS__)
#define ETW_WPP_EACH_7(m, f, a, ...)	m(7, a) ETW_WPP_EACH_6(m, f, __VA_ARGS__)
#define ETW_WPP_EACH_8(m, f, a, ...)	m(8, a) ETW_WPP_EACH_7(m, f, __VA_ARGS__)
#define ETW_WPP_EACH_9(m, f, a, ...)	m(9, a) ETW_WPP_EACH_8(m, f, __VA_ARGS__)
#define ETW_WPP_EACH_10(m, f, a, ...)	m(10, a) ETW_WPP_EACH_9(m, f, __VA_ARGS__)
#define ETW_WPP_EACH_11(m, f, a, ...)	m(11, a) ETW_WPP_EACH_10(m, f, __VA_ARGS__)
#define ETW_WPP_EACH_12(m, f, a, ...)	m(12, a) ETW_WPP_EACH_11(m, f, __VA_ARGS__)
#define ETW_WPP_EACH_13(m, f, a, ...)	m(13, a) ETW_WPP_EACH_12(m, f, __VA_ARGS__)
#define ETW_WPP_EACH_14(m, f, a, ...)	m(14, a) ETW_WPP_EACH_13(m, f, __VA_ARGS__)
#define ETW_WPP_EACH_15(m, f, a, ...)	m(15, a) ETW_WPP_EACH_14(m, f, __VA_ARGS__)
#define ETW_WPP_EACH_16(m, f, a, ...)	m(16, a) ETW_WPP_EACH_15(m, f, __VA_ARGS__)

/* Types of all, 4 bits each, the first lowest */
#define ETW_WPP_TYPES(...)	\
	ETW_WPP_JOIN(ETW_WPP_TYPES_, ETW_WPP_COUNT(__VA_ARGS__))(__VA_ARGS__)
#define ETW_WPP_TYPES_0(f)		0ULL
#define ETW_WPP_TYPES_1(f, a)		ETW_WPP_TYPE(a)
#define ETW_WPP_TYPES_2(f, a, ...)	\
	(ETW_WPP_TYPE(a) | ETW_WPP_TYPES_1(f, __VA_ARGS__) << 4)
#define ETW_WPP_TYPES_3(f, a, ...)	\
	(ETW_WPP_TYPE(a) | ETW_WPP_TYPES_2(f, __VA_ARGS__) << 4)
#define ETW_WPP_TYPES_4(f, a, ...)	\
	(ETW_WPP_TYPE(a) | ETW_WPP_TYPES_3(f, __VA_ARGS__) << 4)
#define ETW_WPP_TYPES_5(f, a, ...)	\
	(ETW_WPP_TYPE(a) | ETW_WPP_TYPES_4(f, __VA_ARGS__) << 4)
#define ETW_WPP_TYPES_6(f, a, ...)	\
	(ETW_WPP_TYPE(a) | ETW_WPP_TYPES_5(f, __VA_ARGS__) << 4)
#define ETW_WPP_TYPES_7(f, a, ...)	\
	(ETW_WPP_TYPE(a) | ETW_WPP_TYPES_6(f, __VA_ARGS__) << 4)
#define ETW_WPP_TYPES_8(f, a, ...)	\
	(ETW_WPP_TYPE(a) | ETW_WPP_TYPES_7(f, __VA_ARGS__) << 4)
#define ETW_WPP_TYPES_9(f, a, ...)	\
	(ETW_WPP_TYPE(a) | ETW_WPP_TYPES_8(f, __VA_ARGS__) << 4)
#define ETW_WPP_TYPES_10(f, a, ...)	\
	(ETW_WPP_TYPE(a) | ETW_WPP_TYPES_9(f, __VA_ARGS__) << 4)
#define ETW_WPP_TYPES_11(f, a, ...)	\
	(ETW_WPP_TYPE(a) | ETW_WPP_TYPES_10(f, __VA_ARGS__) << 4)
#define ETW_WPP_TYPES_12(f, a, ...)	\
	(ETW_WPP_TYPE(a) | ETW_WPP_TYPES_11(f, __VA_ARGS__) << 4)
#define ETW_WPP_TYPES_13(f, a, ...)	\
	(ETW_WPP_TYPE(a) | ETW_WPP_TYPES_12(f, __VA_ARGS__) << 4)
#define ETW_WPP_TYPES_14(f, a, ...)	\
	(ETW_WPP_TYPE(a) | ETW_WPP_TYPES_13(f, __VA_ARGS__) << 4)
#define ETW_WPP_TYPES_15(f, a, ...)	\
	(ETW_WPP_TYPE(a) | ETW_WPP_TYPES_14(f, __VA_ARGS__) << 4)
#define ETW_WPP_TYPES_16(f, a, ...)	\
	(ETW_WPP_TYPE(a) | ETW_WPP_TYPES_15(f, __VA_ARGS__) << 4)

#define ETW_WPP_ASK(n, a)	, ETW_WPP_ASKED(a)
#define ETW_WPP_AT(n, a)	&etw_wpp_##n,

/* A string with a precision may have no NUL: then the sender has to read the format. */
#define ETW_WPP_PRECISE(format)	(__builtin_strchr(format, '.') ? (format) : NULL)

#if defined(__i386__) && defined(__PIC__)
#error "etw_wpp.h: 32-bit x86 can't say an address in position-independent code: -fno-pic"
#endif
/* Addresses that are known when the program is linked, position-independent ones too */
#if defined(__aarch64__) || defined(__riscv)
#define ETW_WPP_SYMBOL		"S"
#else
#define ETW_WPP_SYMBOL		"i"
#endif
#if __SIZEOF_POINTER__ == 8
#define ETW_WPP_ADDRESS(name)	"	.8byte %c[" #name "]\n"
#else
#define ETW_WPP_ADDRESS(name)	"	.4byte %c[" #name "]\n"
#endif

/*
 * An entry of the section. The relocation without an effect keeps the entry,
 * and so its strings, when the linker collects what nothing refers to.
 */
#define ETW_WPP_ENTRY(...)	ETW_WPP_ENTRY_(__VA_ARGS__)
#define ETW_WPP_ENTRY_(format_, number, level_, wanted, types, d1, d2, d3, b0, b1, b2, b3, b4,	\
		       b5, b6, b7)								\
	__asm__ volatile("	.reloc ., BFD_RELOC_NONE, 991f\n"				\
			 "	.pushsection " ETW_WPP_SECTION ",\"\",%%progbits\n"		\
			 "	.p2align 3\n"							\
			 "991:	.4byte 992f - 991b, %c[magic], %c[id], %c[line]\n"		\
			 "	.4byte %c[level], %c[flags], %c[low], %c[high], %c[g1]\n"	\
			 "	.2byte %c[g2], %c[g3]\n"					\
			 "	.4byte %c[g4], %c[g5]\n"					\
			 ETW_WPP_ADDRESS(provider) ETW_WPP_ADDRESS(format)			\
			 ETW_WPP_ADDRESS(file) ETW_WPP_ADDRESS(unit) ETW_WPP_ADDRESS(function)	\
			 "992:	.popsection\n" ::						\
			 [magic] "i" (ETW_WPP_MAGIC), [id] "i" (number), [line] "i" (__LINE__),	\
			 [level] "i" (level_), [flags] "i" ((uint32_t)(wanted)),		\
			 [low] "i" (ETW_WPP_CONSTANT((types) & 0xFFFFFFFF)),			\
			 [high] "i" (ETW_WPP_CONSTANT((types) >> 32)), [g1] "i" (d1),		\
			 [g2] "i" (d2), [g3] "i" (d3), [g4] "i" (ETW_WPP_WORD(b0, b1, b2, b3)),	\
			 [g5] "i" (ETW_WPP_WORD(b4, b5, b6, b7)),				\
			 [provider] ETW_WPP_SYMBOL (ETW_WPP_QUOTE(ETW_TRACE_PROVIDER)),		\
			 [format] ETW_WPP_SYMBOL (format_),				\
			 [file] ETW_WPP_SYMBOL (__FILE__),					\
			 [unit] ETW_WPP_SYMBOL (__BASE_FILE__),					\
			 [function] ETW_WPP_SYMBOL (__func__))
#define ETW_WPP_WORD(a, b, c, d)	\
	((uint32_t)(a) | (uint32_t)(b) << 8 | (uint32_t)(c) << 16 | (uint32_t)(d) << 24)

/**
 * ETW_TRACE() - write a message to the session that enabled the provider
 * @level: TRACE_LEVEL_*, a constant
 * @wanted: flags, of which the session has to have one; a constant; 0: any
 *
 * A format, a literal, and up to 16 arguments follow: all of printf but %n, %m,
 * %ls and positions, and %pU: a GUID or its address; %pW: UTF-16 with NUL; %ph:
 * ETW_BYTES(). The compiler checks them; "etw tmf" checks what it can't. errno
 * and the last error stay what they were.
 */
#define ETW_TRACE(level, wanted, ...)								\
	do {											\
		if (0)										\
			etw_wpp_check(ETW_WPP_FORMAT_OF(__VA_ARGS__)				\
				      ETW_WPP_EACH(ETW_WPP_ASK, __VA_ARGS__));			\
		if (ETW_TRACE_ENABLED(level, wanted)) {						\
			enum { etw_wpp_number = __COUNTER__ };					\
			ETW_WPP_DEFINE_FORMAT(ETW_WPP_FORMAT_OF(__VA_ARGS__));			\
			ETW_WPP_EACH(ETW_WPP_COPY, __VA_ARGS__)					\
			const void *const etw_wpp_at[] = {					\
				ETW_WPP_EACH(ETW_WPP_AT, __VA_ARGS__) NULL			\
			};									\
			ETW_WPP_ENTRY(ETW_WPP_FORMAT_STRING(ETW_WPP_FORMAT_OF(__VA_ARGS__)),	\
				      etw_wpp_number, level, wanted,				\
				      ETW_WPP_TYPES(__VA_ARGS__), ETW_TRACE_GUID);		\
			etw_wpp_send(&ETW_WPP_THIS, etw_wpp_number,				\
				     ETW_WPP_PRECISE(ETW_WPP_FORMAT_OF(__VA_ARGS__)),		\
				     ETW_WPP_TYPES(__VA_ARGS__), etw_wpp_at);			\
		}										\
	} while (0)

#endif /* ETW_WPP_H */
