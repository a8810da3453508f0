/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The etw authors */
/* /dev/etw/provider: declarations shared by its source files. */
#ifndef ETW_PROVIDER_H
#define ETW_PROVIDER_H

#include <linux/fs.h>
#include "etw_abi.h"
#include "etw_provider.h"
#include "writable.h"

struct etw_control_guid;
struct etw_event_filters;
struct etw_event_name;
struct etw_registrations;
struct vm_area_struct;

/**
 * struct etw_provider_file - an open /dev/etw/provider
 * @caller: the task that opened it
 * @version: ETW_RULES_*
 * @registrations: its registrations and its page; allocated on first use
 */
struct etw_provider_file {
	struct etw_caller caller;
	u32 version;
	struct etw_registrations *registrations;
};

int etw_provider_init(void);
void etw_provider_exit(void);

/* event.c: TRACE_EVENT and write() */
int etw_provider_event(struct etw_provider_file *file, void __user *arg);
ssize_t etw_provider_write(struct etw_provider_file *file, const char __user *from, size_t size);

/* message.c: TRACE_MESSAGE */
int etw_provider_message(struct etw_provider_file *file, void __user *arg);

/* write_event.c: WRITE_EVENT */
int etw_provider_write_event(struct etw_provider_file *file, const void __user *arg);

/**
 * struct etw_event_listener - a session that wants an event
 * @handle: for etw_writable_enter()
 * @items: ETW_ENABLE_ITEMS that the event gets there
 */
struct etw_event_listener {
	u64 handle;
	u32 items;
};

/* event_listeners.c: which sessions want an event of WRITE_EVENT */
#define ETW_LISTENERS_BY_NAME	0x100	/* a session has a filter by name */
int etw_guid_listeners(const struct etw_control_guid *guid, const char *executable,
		       const struct etw_event_descriptor *event, const struct etw_event_name *name,
		       struct etw_event_listener *listeners);
int etw_registration_listeners(const struct etw_provider_file *file,
			       const struct etw_write_event *event,
			       const struct etw_event_name *name,
			       struct etw_event_listener *listeners);

/* registrations.c: REGISTER, UNREGISTER, ACK, mmap(), poll(), release */
int etw_provider_register(struct etw_provider_file *file, void __user *arg);
int etw_provider_unregister(struct etw_provider_file *file, void __user *arg);
int etw_provider_ack(struct etw_provider_file *file, unsigned long changes);
int etw_provider_mmap(struct etw_provider_file *file, struct vm_area_struct *vma);
__poll_t etw_provider_poll(struct etw_provider_file *file, struct file *node,
			   struct poll_table_struct *table);
void etw_registrations_release(struct etw_provider_file *file);

/* enable.c: ENABLE, PROVIDERS, and the end of a session */
int etw_provider_enable(struct etw_session *session, const struct etw_enable *enable,
			struct etw_event_filters *filters);
int etw_providers_list(struct etw_providers *providers);
void etw_enabled_drop(struct etw_session *session);

#endif /* ETW_PROVIDER_H */
