/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The etw authors */
/* Activities of TraceLogging for C++: events that begin and end a piece of work. C has none. */
#ifndef ETW_TRACELOGGINGACTIVITY_H
#define ETW_TRACELOGGINGACTIVITY_H

#include "TraceLoggingProvider.h"
#ifdef __cplusplus

/**
 * etw_tl_activity - what activities have in common
 *
 * The id is made by the start event if a session wants that event, and is zero otherwise. An
 * activity that was started and not stopped writes the stop event "ActivityStoppedAutomatically"
 * when the object is destroyed.
 */
template <const TraceLoggingHProvider &PROVIDER, ULONGLONG KEYWORD, UCHAR LEVEL>
class etw_tl_activity {
	GUID id = { };
	GUID parent = { };
	bool started = false;

protected:
	etw_tl_activity() = default;

	void destroy()
	{
		if (started)
			TraceLoggingWriteActivity(PROVIDER, "ActivityStoppedAutomatically", Id(),
						  NULL, TraceLoggingOpcode(2),
						  TraceLoggingKeyword(KEYWORD),
						  TraceLoggingLevel(LEVEL));
		started = false;
	}

public:
	static const ULONGLONG Keyword = KEYWORD;
	static const UCHAR Level = LEVEL;

	etw_tl_activity(const etw_tl_activity &) = delete;
	etw_tl_activity &operator=(const etw_tl_activity &) = delete;

	TraceLoggingHProvider Provider() const
	{
		return PROVIDER;
	}

	/* NULL: the events have the activity of the thread */
	const GUID *Id() const
	{
		return id == GUID() ? NULL : &id;
	}

	const GUID *ParentId() const
	{
		return parent == GUID() ? NULL : &parent;
	}

	/* Before the start event */
	void SetRelatedActivityId(const GUID &relatedActivityId)
	{
		parent = relatedActivityId;
	}

	template <class ACTIVITY> void SetRelatedActivity(const ACTIVITY &relatedActivity)
	{
		parent = relatedActivity.Id() ? *relatedActivity.Id() : GUID();
	}

	/* For TraceLoggingWriteStart() and TraceLoggingWriteStop() */
	void etw_tl_start()
	{
		if (TraceLoggingProviderEnabled(PROVIDER, LEVEL, KEYWORD))
			EventActivityIdControl(EVENT_ACTIVITY_CTRL_CREATE_ID, &id);
		started = true;
	}

	void etw_tl_stop()
	{
		started = false;
	}
};

template <const TraceLoggingHProvider &PROVIDER, ULONGLONG KEYWORD = 0, UCHAR LEVEL = 5>
class TraceLoggingActivity : public etw_tl_activity<PROVIDER, KEYWORD, LEVEL> {
public:
	TraceLoggingActivity() = default;

	~TraceLoggingActivity()
	{
		this->destroy();
	}
};

/* An activity that is also that of the thread, from its start to its stop, on one thread */
template <const TraceLoggingHProvider &PROVIDER, ULONGLONG KEYWORD = 0, UCHAR LEVEL = 5>
class TraceLoggingThreadActivity : public etw_tl_activity<PROVIDER, KEYWORD, LEVEL> {
	GUID before = { };
	bool is_set = false;

	void restore()
	{
		if (is_set)
			EventActivityIdControl(EVENT_ACTIVITY_CTRL_SET_ID, &before);
		is_set = false;
	}

public:
	TraceLoggingThreadActivity() = default;

	~TraceLoggingThreadActivity()
	{
		this->destroy();
		restore();
	}

	/* The thread's activity until now is the related one, unless another one was set */
	void etw_tl_start()
	{
		etw_tl_activity<PROVIDER, KEYWORD, LEVEL>::etw_tl_start();
		if (!this->Id())
			return;
		before = *this->Id();
		EventActivityIdControl(EVENT_ACTIVITY_CTRL_GET_SET_ID, &before);
		is_set = true;
		if (!this->ParentId())
			this->SetRelatedActivityId(before);
	}

	void etw_tl_stop()
	{
		etw_tl_activity<PROVIDER, KEYWORD, LEVEL>::etw_tl_stop();
		restore();
	}
};

/* @...: name of the event, fields and settings; opcode, keyword and level are the activity's */
#define ETW_TL_WRITE_TAGGED(activity, related, opcode, ...)					\
	TraceLoggingWriteActivity((activity).Provider(), ETW_TL_FIRST(__VA_ARGS__),		\
				  (activity).Id(), related,					\
				  TraceLoggingKeyword((activity).Keyword),			\
				  TraceLoggingLevel((activity).Level),				\
				  TraceLoggingOpcode(opcode) ETW_TL_EACH(ETW_TL_COMMA, __VA_ARGS__))
#define ETW_TL_COMMA(n, x)	, x

#define TraceLoggingWriteStart(activity, ...)							\
	do {											\
		(activity).etw_tl_start();							\
		ETW_TL_WRITE_TAGGED(activity, (activity).ParentId(), 1, __VA_ARGS__);		\
	} while (0)
#define TraceLoggingWriteStop(activity, ...)							\
	do {											\
		ETW_TL_WRITE_TAGGED(activity, NULL, 2, __VA_ARGS__);				\
		(activity).etw_tl_stop();							\
	} while (0)
#define TraceLoggingWriteTagged(activity, ...)							\
	ETW_TL_WRITE_TAGGED(activity, NULL, 0, __VA_ARGS__)

#endif /* __cplusplus */

#endif /* ETW_TRACELOGGINGACTIVITY_H */
