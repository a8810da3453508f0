/* SPDX-License-Identifier: GPL-2.0 */
/* Who is registered and who wants to hear it: what enable.c and its callers share. */
#ifndef ETW_ENABLE_H
#define ETW_ENABLE_H

#include <linux/list.h>
#include <linux/mutex.h>
#include <linux/rbtree.h>
#include "etw_abi.h"

struct etw_provider;
struct etw_registration;
struct etw_session;

/* All below, and the pages of programs. Innermost, also within session->lock */
extern struct mutex etw_providers_lock;

/**
 * struct etw_enabled - a session wants the events of a control GUID
 * @node: of the GUID's, the newest first
 * @of_all: of all
 * @guid: of what
 * @session: who; running
 * @logger_id: its
 * @level: as ENABLE gave it
 * @flags: as ENABLE gave it
 */
struct etw_enabled {
	struct list_head node;
	struct list_head of_all;
	struct etw_control_guid *guid;
	struct etw_session *session;
	u32 logger_id;
	u8 level;
	u32 flags;
};

/**
 * struct etw_control_guid - a GUID that somebody registered or enabled
 * @node: of the tree
 * @guid: it
 * @registrations: in both lists
 * @programs: struct etw_registration
 * @modules: struct etw_provider
 * @enabled: struct etw_enabled; the first is what providers are told
 */
struct etw_control_guid {
	struct rb_node node;
	struct etw_guid guid;
	u32 registrations;
	struct list_head programs;
	struct list_head modules;
	struct list_head enabled;
};

/* Who is to be told; NULL: nobody */
static inline const struct etw_enabled *etw_listener_of(struct etw_control_guid *guid)
{
	return list_first_entry_or_null(&guid->enabled, struct etw_enabled, node);
}

/* Both under etw_providers_lock */
struct etw_control_guid *etw_control_guid_new(void);
struct etw_control_guid *etw_control_guid_get(const struct etw_guid *guid,
					      struct etw_control_guid **new);
void etw_control_guid_put(struct etw_control_guid *guid);

/* registrations.c, kernel_provider.c: pass on what became of it; NULL: nobody listens */
void etw_registration_tell(struct etw_registration *registration,
			   const struct etw_enabled *enabled);
void etw_kernel_provider_tell(struct etw_provider *provider, const struct etw_enabled *enabled);

/**
 * struct etw_registration - a program's
 * @node: of its GUID's
 * @guid: what it registered
 * @owner: of whose page
 * @index: which entry of it
 */
struct etw_registration {
	struct list_head node;
	struct etw_control_guid *guid;
	struct etw_registrations *owner;
	u32 index;
};

#endif /* ETW_ENABLE_H */
