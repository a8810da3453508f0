// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* Names of events that libpfm4 knows, where the tool is built with it. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "counter.h"

#define UNKNOWN	"there is no such counter; 'etw list counters'"

#ifdef ETW_HAVE_PFM
#include <linux/perf_event.h>
#include <perfmon/pfmlib.h>
#include <perfmon/pfmlib_perf_event.h>

#define ALL_MODES	(PFM_PLM0 | PFM_PLM3 | PFM_PLMH)

static bool initialize(void)
{
	static pfm_err_t err = PFM_ERR_NOINIT;

	if (err == PFM_ERR_NOINIT) {
		err = pfm_initialize();
		atexit(pfm_terminate);
	}
	return err == PFM_SUCCESS;
}

/* A PMU that can't count the hypervisor excludes it always; that says nothing. */
static uint32_t flags_of(const struct perf_event_attr *attr)
{
	uint32_t flags = 0;

	if (attr->exclude_user)
		flags |= ETW_COUNTER_EXCLUDE_USER;
	if (attr->exclude_kernel)
		flags |= ETW_COUNTER_EXCLUDE_KERNEL;
	if (flags && attr->exclude_hv)
		flags |= ETW_COUNTER_EXCLUDE_HV;
	if (attr->exclude_idle)
		flags |= ETW_COUNTER_EXCLUDE_IDLE;
	if (attr->precise_ip)
		flags |= ETW_COUNTER_PRECISE;
	return flags;
}

/* Return: libpfm4's answer */
static pfm_err_t encode(const char *text, struct counter *counter)
{
	struct perf_event_attr attr = { .size = sizeof(attr) };
	pfm_perf_encode_arg_t arg = { .attr = &attr, .size = sizeof(arg) };
	pfm_err_t err = pfm_get_os_event_encoding(text, ALL_MODES, PFM_OS_PERF_EVENT_EXT, &arg);

	if (err != PFM_SUCCESS)
		return err;
	/* a folder of tracepoints, where tracefs is mounted: their ids begin at 1 */
	if (attr.type == PERF_TYPE_TRACEPOINT && !attr.config)
		return PFM_ERR_NOTFOUND;
	/* how often it samples is said elsewhere */
	if (attr.sample_period)
		return PFM_ERR_ATTR;
	memset(counter, 0, sizeof(*counter));
	snprintf(counter->name, sizeof(counter->name), "%s", text);
	counter->type = attr.type;
	counter->config = attr.config;
	counter->config1 = attr.config1;
	counter->config2 = attr.config2;
	counter->flags = flags_of(&attr);
	if (!(counter->flags & COUNTER_EXCLUDES) && !attr.config1 && !attr.config2)
		counter_find_source(counter);
	return PFM_SUCCESS;
}

bool counter_pfm(const char *text, struct counter *counter, struct counter_error *error)
{
	pfm_err_t err;

	if (!initialize())
		return counter_refuse(error, UNKNOWN " (nor does libpfm4 know this processor)");
	err = encode(text, counter);
	if (err == PFM_SUCCESS)
		return true;
	if (err == PFM_ERR_NOTFOUND)
		return counter_refuse(error, UNKNOWN);
	return counter_refuse(error, "libpfm4: %s", pfm_strerror(err));
}

static void visit_one(const char *name, counter_visit visit, void *context, const char *note)
{
	struct counter counter;

	if (encode(name, &counter) == PFM_SUCCESS)
		visit(context, &counter, note);
}

/* The event, where that alone is one; and each of its masks */
static void each_event(const char *pmu, const pfm_event_info_t *event, counter_visit visit,
		       void *context)
{
	pfm_event_attr_info_t attr = { .size = sizeof(attr) };
	char name[COUNTER_NAME];
	int i;

	snprintf(name, sizeof(name), "%s::%s", pmu, event->name);
	visit_one(name, visit, context, event->desc);
	for (i = 0; i < event->nattrs; i++) {
		if (pfm_get_event_attr_info(event->idx, i, PFM_OS_NONE, &attr) != PFM_SUCCESS ||
		    attr.type != PFM_ATTR_UMASK)
			continue;
		snprintf(name, sizeof(name), "%s::%s:%s", pmu, event->name, attr.name);
		visit_one(name, visit, context, attr.desc);
	}
}

void counter_pfm_each(counter_visit visit, void *context)
{
	pfm_event_info_t event;
	pfm_pmu_info_t pmu;
	int i, k;

	if (!initialize())
		return;
	pfm_for_all_pmus(i) {
		memset(&pmu, 0, sizeof(pmu));
		pmu.size = sizeof(pmu);
		/* perf's own names were listed as such; tracepoints are no counters of CPUs */
		if (pfm_get_pmu_info(i, &pmu) != PFM_SUCCESS || !pmu.is_present ||
		    i == PFM_PMU_PERF_EVENT || i == PFM_PMU_PERF_EVENT_RAW)
			continue;
		for (k = pmu.first_event; k != -1; k = pfm_get_event_next(k)) {
			memset(&event, 0, sizeof(event));
			event.size = sizeof(event);
			if (pfm_get_event_info(k, PFM_OS_NONE, &event) == PFM_SUCCESS)
				each_event(pmu.name, &event, visit, context);
		}
	}
}

bool counter_pfm_linked(void)
{
	return true;
}

#else

bool counter_pfm(const char *text, struct counter *counter, struct counter_error *error)
{
	(void)text;
	(void)counter;
	return counter_refuse(error, UNKNOWN " (this tool is built without libpfm4's names)");
}

void counter_pfm_each(counter_visit visit, void *context)
{
	(void)visit;
	(void)context;
}

bool counter_pfm_linked(void)
{
	return false;
}

#endif
