/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The etw authors */
/* TraceLoggingProvider.h: the provider, its registration, and whether a session listens. */
#ifndef ETW_TL_PROVIDER_H
#define ETW_TL_PROVIDER_H

#include "evntprov.h"
#include "etw_tl_list.h"
#ifndef __cplusplus
#include <stdbool.h>
#endif

#ifdef __cplusplus
extern "C" {
#endif

typedef LONG HRESULT;
typedef LONG NTSTATUS;
/* What the calls return: 0, or a Win32 error code with the upper half of an HRESULT */
typedef HRESULT TLG_STATUS;
typedef EVENT_INFO_CLASS TLG_EVENT_INFO_CLASS;
typedef PENABLECALLBACK TLG_PENABLECALLBACK;

#ifndef SUCCEEDED
#define SUCCEEDED(status)	((HRESULT)(status) >= 0)
#define FAILED(status)		((HRESULT)(status) < 0)
#endif
#ifndef S_OK
#define S_OK			((HRESULT)0)
#endif

/* Level and keywords that the callback of a disabled provider stores: no event passes */
#define ETW_TL_DISABLED		0
#define ETW_TL_ENABLED		1
#define ETW_TL_ALL_LEVELS	0x100
#define ETW_TL_WIN32_ERROR	0x80070000u

/* The type of a provider trait that holds the GUID of the provider's group */
#define ETW_TL_TRAIT_GROUP	1

/**
 * struct _tlgProvider_t - a provider of TRACELOGGING_DEFINE_PROVIDER()
 * @level_end: events of lower levels are wanted; 0 if no session listens
 * @traits: size (16 bits), name and traits; sent with each event
 * @any: events with one of these keywords are wanted
 * @all: those that have all of these keywords
 * @handle: of the registration, 0 without one
 * @id: GUID
 * @callback: of TraceLoggingRegisterEx()
 * @context: argument of @callback
 */
struct _tlgProvider_t {
	UINT32 level_end;
	const void *traits;
	UINT64 any;
	UINT64 all;
	REGHANDLE handle;
	const GUID *id;
	PENABLECALLBACK callback;
	PVOID context;
};

typedef const struct _tlgProvider_t *TraceLoggingHProvider;

/* The handle is constant, so that compilers see the address; the state behind it changes */
static inline struct _tlgProvider_t *etw_tl_state(TraceLoggingHProvider provider)
{
	return (struct _tlgProvider_t *)(UINT_PTR)provider;
}

FORCEINLINE UINT16 etw_tl_traits_size(TraceLoggingHProvider provider)
{
	return *(const UINT16 *)provider->traits;
}

FORCEINLINE bool etw_tl_level_wanted(TraceLoggingHProvider provider, UINT8 level)
{
	return level < __atomic_load_n(&provider->level_end, __ATOMIC_RELAXED);
}

FORCEINLINE bool etw_tl_keyword_wanted(TraceLoggingHProvider provider, UINT64 keyword)
{
	const UINT64 all = __atomic_load_n(&provider->all, __ATOMIC_RELAXED);

	if (!keyword)
		return true;
	return (keyword & __atomic_load_n(&provider->any, __ATOMIC_RELAXED)) &&
	       (keyword & all) == all;
}

FORCEINLINE bool TraceLoggingProviderEnabled(TraceLoggingHProvider hProvider, UINT8 eventLevel,
					     UINT64 eventKeyword)
{
	return etw_tl_level_wanted(hProvider, eventLevel) &&
	       etw_tl_keyword_wanted(hProvider, eventKeyword);
}

/* Keywords before the level when enabling: an event between the two stores is not wanted yet */
static inline void etw_tl_enable(struct _tlgProvider_t *state, UCHAR level, UINT64 any, UINT64 all)
{
	__atomic_store_n(&state->any, any ? any : ~0ull, __ATOMIC_RELAXED);
	__atomic_store_n(&state->all, all, __ATOMIC_RELAXED);
	__atomic_store_n(&state->level_end, level ? level + 1u : ETW_TL_ALL_LEVELS,
			 __ATOMIC_RELEASE);
}

static inline VOID NTAPI etw_tl_changed(LPCGUID source, ULONG control, UCHAR level, ULONGLONG any,
					ULONGLONG all, PEVENT_FILTER_DESCRIPTOR filter,
					PVOID context)
{
	struct _tlgProvider_t *state = (struct _tlgProvider_t *)context;

	if (control == ETW_TL_ENABLED)
		etw_tl_enable(state, level, any, all);
	else if (control == ETW_TL_DISABLED)
		__atomic_store_n(&state->level_end, 0, __ATOMIC_RELAXED);
	if (state->callback)
		state->callback(source, control, level, any, all, filter, state->context);
}

static inline TLG_STATUS etw_tl_status(ULONG error)
{
	return error ? (TLG_STATUS)((error & 0xFFFF) | ETW_TL_WIN32_ERROR) : 0;
}

static inline TLG_STATUS TraceLoggingSetInformation(TraceLoggingHProvider hProvider,
						    TLG_EVENT_INFO_CLASS informationClass,
						    PVOID pvInformation, ULONG cbInformation)
{
	return etw_tl_status(EventSetInformation(hProvider->handle, informationClass,
						 pvInformation, cbInformation));
}

/*
 * Of a provider that is not registered. The callback may run before
 * EventRegister() returns. Events have the traits also where setting them
 * fails, because each event brings them; only the provider's group is lost.
 */
static inline TLG_STATUS TraceLoggingRegisterEx(TraceLoggingHProvider hProvider,
						TLG_PENABLECALLBACK pEnableCallback,
						PVOID pCallbackContext)
{
	struct _tlgProvider_t *state = etw_tl_state(hProvider);
	ULONG error;

	state->callback = pEnableCallback;
	state->context = pCallbackContext;
	error = EventRegister(state->id, etw_tl_changed, state, &state->handle);
	if (!error)
		EventSetInformation(state->handle, EventProviderSetTraits,
				    (PVOID)(UINT_PTR)state->traits, etw_tl_traits_size(state));
	return etw_tl_status(error);
}

static inline TLG_STATUS TraceLoggingRegister(TraceLoggingHProvider hProvider)
{
	return TraceLoggingRegisterEx(hProvider, NULL, NULL);
}

/* Of a provider that is not registered: nothing to do */
static inline void TraceLoggingUnregister(TraceLoggingHProvider hProvider)
{
	struct _tlgProvider_t *state = etw_tl_state(hProvider);

	if (state->handle)
		EventUnregister(state->handle);
	state->handle = 0;
	__atomic_store_n(&state->level_end, 0, __ATOMIC_RELAXED);
}

static inline GUID TraceLoggingProviderId(TraceLoggingHProvider hProvider)
{
	return *hProvider->id;
}

#ifdef __cplusplus
}
#endif

/* A provider belongs to one program or shared library, as on Windows to one DLL. */
#define ETW_TL_HIDDEN	__attribute__((visibility("hidden")))
#define ETW_TL_EXTERN	EXTERN_C ETW_TL_HIDDEN

#define ETW_TL_GUID(l, w1, w2, b1, b2, b3, b4, b5, b6, b7, b8)					\
	{ l, w1, w2, { b1, b2, b3, b4, b5, b6, b7, b8 } }

/* Options of a provider: members of its traits, and their values */
#define TraceLoggingOptionGroup(...)	(ETW_TL_GUID(__VA_ARGS__))
/* The group of Microsoft's telemetry */
#define TraceLoggingOptionMicrosoftTelemetry()							\
	TraceLoggingOptionGroup(0x4F50731A, 0x89CF, 0x4782, 0xB3, 0xE0, 0xDC, 0xE8, 0xC9, 0x04,	\
				0x76, 0xBA)

#define ETW_TL_TRAIT(n, group)									\
	UINT16 group_size_##n; UINT8 group_type_##n; GUID group_##n;
#define ETW_TL_TRAIT_VALUE(n, group)								\
	, sizeof(UINT16) + sizeof(UINT8) + sizeof(GUID), ETW_TL_TRAIT_GROUP, ETW_TL_UNWRAP group

/* @...: the GUID in parentheses, options */
#define TRACELOGGING_DEFINE_PROVIDER_STORAGE(storageVariable, providerName, ...)		\
	static const GUID storageVariable##_id =						\
		ETW_TL_UNWRAP(ETW_TL_GUID ETW_TL_FIRST(__VA_ARGS__));				\
	static const struct {									\
		UINT16 size;									\
		char name[sizeof(providerName)];						\
		ETW_TL_EACH(ETW_TL_TRAIT, __VA_ARGS__)						\
	} __attribute__((packed)) storageVariable##_traits __attribute__((aligned(8))) = {	\
		sizeof(storageVariable##_traits), providerName					\
		ETW_TL_EACH(ETW_TL_TRAIT_VALUE, __VA_ARGS__)					\
	};											\
	static struct _tlgProvider_t storageVariable = {					\
		0, &storageVariable##_traits, 0, 0, 0, &storageVariable##_id, 0, 0		\
	}

#define TRACELOGGING_DEFINE_PROVIDER(handleVariable, providerName, ...)				\
	TRACELOGGING_DEFINE_PROVIDER_STORAGE(handleVariable##_provider, providerName,		\
					     __VA_ARGS__);					\
	TRACELOGGING_DECLARE_PROVIDER(handleVariable);						\
	const TraceLoggingHProvider handleVariable = &handleVariable##_provider

#define TRACELOGGING_DECLARE_PROVIDER(handleVariable)						\
	ETW_TL_EXTERN const TraceLoggingHProvider handleVariable

#endif /* ETW_TL_PROVIDER_H */
