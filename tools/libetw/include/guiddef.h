/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The etw authors */
/* GUID, and how one is declared or, with INITGUID, defined. */
#ifndef GUID_DEFINED
#define GUID_DEFINED

#include <stdint.h>
#include <string.h>

typedef struct _GUID {
	uint32_t Data1;
	uint16_t Data2;
	uint16_t Data3;
	uint8_t Data4[8];
} GUID;

typedef GUID *LPGUID;
typedef const GUID *LPCGUID;
typedef GUID UUID;
typedef GUID IID;
typedef GUID CLSID;

#ifndef EXTERN_C
#ifdef __cplusplus
#define EXTERN_C	extern "C"
#else
#define EXTERN_C	extern
#endif
#endif

/* Any number of files may define one; the linker keeps one of them */
#ifndef DECLSPEC_SELECTANY
#define DECLSPEC_SELECTANY	__attribute__((weak))
#endif

#ifdef __cplusplus
#define REFGUID		const GUID &
#define REFIID		const IID &
#define REFCLSID	const CLSID &
#else
#define REFGUID		const GUID *
#define REFIID		const IID *
#define REFCLSID	const CLSID *
#endif

#ifdef __cplusplus
static inline int InlineIsEqualGUID(const GUID &a, const GUID &b)
{
	return !memcmp(&a, &b, sizeof(GUID));
}

#define IsEqualGUID(a, b)	InlineIsEqualGUID(a, b)

static inline bool operator==(const GUID &a, const GUID &b)
{
	return InlineIsEqualGUID(a, b);
}

static inline bool operator!=(const GUID &a, const GUID &b)
{
	return !InlineIsEqualGUID(a, b);
}
#else
#define InlineIsEqualGUID(a, b)	(!memcmp(a, b, sizeof(GUID)))
#define IsEqualGUID(a, b)	InlineIsEqualGUID(a, b)
#endif

#endif /* GUID_DEFINED */

/* Outside of the guard: a file may include this again, after INITGUID */
#ifdef DEFINE_GUID
#undef DEFINE_GUID
#endif
#ifdef INITGUID
#ifdef __cplusplus
#define DEFINE_GUID(name, l, w1, w2, b1, b2, b3, b4, b5, b6, b7, b8)	\
	EXTERN_C const GUID DECLSPEC_SELECTANY name =			\
		{ l, w1, w2, { b1, b2, b3, b4, b5, b6, b7, b8 } }
#else
#define DEFINE_GUID(name, l, w1, w2, b1, b2, b3, b4, b5, b6, b7, b8)	\
	const GUID DECLSPEC_SELECTANY name =				\
		{ l, w1, w2, { b1, b2, b3, b4, b5, b6, b7, b8 } }
#endif
#else
#define DEFINE_GUID(name, l, w1, w2, b1, b2, b3, b4, b5, b6, b7, b8)	\
	EXTERN_C const GUID name
#endif
