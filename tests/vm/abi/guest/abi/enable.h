/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The etw authors */
/* Cases of ENABLE and PROVIDERS: what goes in, what comes of it. */
#ifndef ETW_TEST_ABI_ENABLE_H
#define ETW_TEST_ABI_ENABLE_H

/* Part of the table in cases.h, with its macros */
#define ENABLE_SIZE	P(enable, size, sizeof(struct etw_enable))
#define ENABLE_ID	P(enable, logger_id, RUNNING)
#define ENABLE_GUID	P(enable, guid.data1, 0x12345678)
#define PROVIDERS_SIZE	P(providers, size, sizeof(struct etw_providers)), \
			P(providers, entry_size, sizeof(struct etw_provider_info))
#define ENABLE_FILTERS(count, address) \
	P(enable, nr_filters, count), P(enable, filters, address)

#define ENABLE_CASES \
	{ "ENABLE", ETW_IOC_ENABLE, \
	  { ENABLE_SIZE, ENABLE_ID, ENABLE_GUID, P(enable, enabled, 1) }, 0 }, \
	{ "ENABLE again", ETW_IOC_ENABLE, \
	  { ENABLE_SIZE, ENABLE_ID, ENABLE_GUID, P(enable, enabled, 1), \
	    P(enable, level, 0xFF) }, 0 }, \
	{ "ENABLE, capture state", ETW_IOC_ENABLE, \
	  { ENABLE_SIZE, ENABLE_ID, ENABLE_GUID, P(enable, enabled, 2) }, 0 }, \
	{ "ENABLE, capture state of what is not enabled", ETW_IOC_ENABLE, \
	  { ENABLE_SIZE, ENABLE_ID, P(enable, guid.data1, 7), P(enable, enabled, 2) }, ENOENT }, \
	{ "ENABLE, enabled 3", ETW_IOC_ENABLE, \
	  { ENABLE_SIZE, ENABLE_ID, ENABLE_GUID, P(enable, enabled, 3) }, EINVAL }, \
	{ "ENABLE, the first version", ETW_IOC_ENABLE, \
	  { P(enable, size, 40), ENABLE_ID, ENABLE_GUID, P(enable, enabled, 1), \
	    P(enable, level, 0xFF) }, 0 }, \
	{ "ENABLE, keywords", ETW_IOC_ENABLE, \
	  { ENABLE_SIZE, ENABLE_ID, ENABLE_GUID, P(enable, enabled, 1), \
	    P(enable, match_any, 3), P(enable, match_all, 1), P(enable, properties, 0x10) }, 0 }, \
	{ "ENABLE, unknown property", ETW_IOC_ENABLE, \
	  { ENABLE_SIZE, ENABLE_ID, ENABLE_GUID, P(enable, enabled, 1), \
	    P(enable, properties, 2) }, EINVAL }, \
	{ "ENABLE, the second version", ETW_IOC_ENABLE, \
	  { P(enable, size, 64), ENABLE_ID, ENABLE_GUID, P(enable, enabled, 1) }, 0 }, \
	{ "ENABLE, a filter at 0", ETW_IOC_ENABLE, \
	  { ENABLE_SIZE, ENABLE_ID, ENABLE_GUID, P(enable, enabled, 1), \
	    ENABLE_FILTERS(1, 0) }, EFAULT }, \
	{ "ENABLE, a filter of no bytes", ETW_IOC_ENABLE, \
	  { ENABLE_SIZE, ENABLE_ID, ENABLE_GUID, P(enable, enabled, 1), \
	    ENABLE_FILTERS(1, BUFFER) }, EINVAL }, \
	{ "ENABLE, 14 filters", ETW_IOC_ENABLE, \
	  { ENABLE_SIZE, ENABLE_ID, ENABLE_GUID, P(enable, enabled, 1), \
	    ENABLE_FILTERS(14, BUFFER) }, EINVAL }, \
	{ "ENABLE, capture state with a filter", ETW_IOC_ENABLE, \
	  { ENABLE_SIZE, ENABLE_ID, ENABLE_GUID, P(enable, enabled, 2), \
	    ENABLE_FILTERS(1, BUFFER) }, EINVAL }, \
	{ "ENABLE, level 256", ETW_IOC_ENABLE, \
	  { ENABLE_SIZE, ENABLE_ID, ENABLE_GUID, P(enable, enabled, 1), \
	    P(enable, level, 0x100) }, EINVAL }, \
	{ "ENABLE, reserved set", ETW_IOC_ENABLE, \
	  { ENABLE_SIZE, ENABLE_ID, ENABLE_GUID, P(enable, enabled, 1), \
	    P(enable, reserved, 1) }, EINVAL }, \
	{ "ENABLE, size 39", ETW_IOC_ENABLE, \
	  { P(enable, size, 39), ENABLE_ID, ENABLE_GUID, P(enable, enabled, 1) }, EINVAL }, \
	{ "ENABLE, larger, tail set", ETW_IOC_ENABLE, \
	  { P(enable, size, 80), ENABLE_ID, P(enable, enabled, 1), BEHIND(enable, 1) }, E2BIG }, \
	{ "ENABLE of a stopped session", ETW_IOC_ENABLE, \
	  { ENABLE_SIZE, P(enable, logger_id, STOPPED), P(enable, enabled, 1) }, EALREADY }, \
	{ "ENABLE of logger 0", ETW_IOC_ENABLE, { ENABLE_SIZE, P(enable, enabled, 1) }, ENOENT }, \
	{ "ENABLE of logger 65", ETW_IOC_ENABLE, \
	  { ENABLE_SIZE, P(enable, logger_id, 65), P(enable, enabled, 1) }, ENOENT }, \
	{ "PROVIDERS, how many", ETW_IOC_PROVIDERS, { PROVIDERS_SIZE }, 0 }, \
	{ "PROVIDERS", ETW_IOC_PROVIDERS, \
	  { PROVIDERS_SIZE, P(providers, count, 100), P(providers, providers, BUFFER) }, 0 }, \
	{ "PROVIDERS, the first version", ETW_IOC_PROVIDERS, \
	  { P(providers, size, 16), P(providers, count, 100), \
	    P(providers, providers, BUFFER) }, 0 }, \
	{ "PROVIDERS, entries of 40 bytes", ETW_IOC_PROVIDERS, \
	  { PROVIDERS_SIZE, P(providers, entry_size, 40) }, EINVAL }, \
	{ "PROVIDERS, entries that are larger", ETW_IOC_PROVIDERS, \
	  { PROVIDERS_SIZE, P(providers, entry_size, 64) }, E2BIG }, \
	{ "PROVIDERS, reserved set", ETW_IOC_PROVIDERS, \
	  { PROVIDERS_SIZE, P(providers, reserved, 1) }, EINVAL }, \
	{ "PROVIDERS, size 15", ETW_IOC_PROVIDERS, { P(providers, size, 15) }, EINVAL }, \
	{ "PROVIDERS to nowhere", ETW_IOC_PROVIDERS, \
	  { PROVIDERS_SIZE, P(providers, count, 100), P(providers, providers, 8) }, EFAULT }, \
	{ "disable", ETW_IOC_ENABLE, { ENABLE_SIZE, ENABLE_ID, ENABLE_GUID }, 0 }, \
	{ "disable what is not enabled", ETW_IOC_ENABLE, \
	  { ENABLE_SIZE, ENABLE_ID, ENABLE_GUID }, ENOENT }

#endif /* ETW_TEST_ABI_ENABLE_H */
