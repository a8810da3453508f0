/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The etw authors */
/*
 * Events that describe themselves: TRACELOGGING_DEFINE_PROVIDER(), TraceLoggingRegister(),
 * TraceLoggingWrite(). See Documentation/reference/tracelogging.rst.
 */
#ifndef ETW_TRACELOGGINGPROVIDER_H
#define ETW_TRACELOGGINGPROVIDER_H

#include "etw_tl_provider.h"
#include "etw_tl_fields.h"
#include "etw_tl_arrays.h"
#include "etw_tl_texts.h"
#ifdef __cplusplus
#include "etw_tl_data_cxx.h"
#else
#include "etw_tl_data.h"
#endif

/* What configures the event; the last one counts, but keywords and tags add up */
#define TraceLoggingLevel(eventLevel)	ETW_TL_CONFIGURE(* 0 + (eventLevel), , , , )
#define TraceLoggingOpcode(eventOpcode)	ETW_TL_CONFIGURE(, * 0 + (eventOpcode), , , )
#define TraceLoggingChannel(eventChannel)	ETW_TL_CONFIGURE(, , * 0 + (eventChannel), , )
#define TraceLoggingKeyword(eventKeyword)	ETW_TL_CONFIGURE(, , , | (eventKeyword), )
#define TraceLoggingEventTag(eventTag)	ETW_TL_CONFIGURE(, , , , | (eventTag))

/* Notes for symbol files of Windows: comments here */
#define TraceLoggingDescription(eventDescription)	ETW_TL_CONFIGURE(, , , , )
#define TraceLoggingCustomAttribute(key, value)	ETW_TL_CONFIGURE(, , , , )

/*
 * @...: name of the event, up to 99 fields and settings. The values are computed
 * only if a session wants the event; else the cost is a load, a comparison and
 * a branch.
 */
#define TraceLoggingWrite(hProvider, ...)							\
	ETW_TL_WRITE(hProvider, ETW_TL_FIRST(__VA_ARGS__), NULL, NULL, __VA_ARGS__)

/* @...: the activity that caused this one, or NULL; fields and settings */
#define TraceLoggingWriteActivity(hProvider, eventName, pActivityId, ...)			\
	ETW_TL_WRITE(hProvider, eventName, pActivityId, ETW_TL_FIRST(__VA_ARGS__), __VA_ARGS__)

/* @...: any argument, then fields and settings */
#define ETW_TL_WRITE(hProvider, eventName, activity, related, ...)				\
	do {											\
		ETW_TL_DEFINE_EVENT(eventName, __VA_ARGS__);					\
		const TraceLoggingHProvider etw_tl_handle = (hProvider);			\
												\
		if (TraceLoggingProviderEnabled(etw_tl_handle, ETW_TL_LEVEL_OF(__VA_ARGS__),	\
						ETW_TL_KEYWORD_OF(__VA_ARGS__)))		\
			ETW_TL_WRITE_EVENT(etw_tl_handle, activity, related, __VA_ARGS__);	\
	} while (0)

#endif /* ETW_TRACELOGGINGPROVIDER_H */
