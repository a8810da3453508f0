/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The etw authors */
/* What registrations.c and event_listeners.c share: the registrations of an open file. */
#ifndef ETW_REGISTRATIONS_H
#define ETW_REGISTRATIONS_H

#include <linux/wait.h>
#include <linux/workqueue.h>
#include "record/process.h"
#include "enable.h"
#include "provider.h"

#define EVENT_PAGES	DIV_ROUND_UP(ETW_EVENT_PAGE_SIZE, PAGE_SIZE)

/**
 * struct etw_registrations - registrations of an open /dev/etw/provider
 * @page: mapped by the program; only the kernel can write to it
 * @events: the pages of struct etw_event_page, likewise
 * @seen: the value of @page->changes that the program has acknowledged
 * @wait: for changes
 * @wake: wakes @wait. A program may have millions of waiters, so neither ENABLE nor the end of
 *	a session does it, and not once for each registration
 * @changed: the page has changed since @wake was queued
 * @user: account of the file's user
 * @executable: name of the program that first registered a provider
 * @registration: by index; NULL: a free entry
 *
 * All under etw_providers_lock, except for ACK (@seen), poll() (@seen and the page), @wait
 * and @wake. WRITE_EVENT reads @registration under RCU.
 */
struct etw_registrations {
	struct etw_provider_page *page;
	void *events[EVENT_PAGES];
	u32 seen;
	wait_queue_head_t wait;
	struct work_struct wake;
	bool changed;
	struct etw_user *user;
	char executable[ETW_IMAGE_NAME];
	struct etw_registration __rcu *registration[ETW_MAX_REGISTRATIONS];
};

#endif /* ETW_REGISTRATIONS_H */
