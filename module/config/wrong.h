/* SPDX-License-Identifier: GPL-2.0 */
/* Errors in a block, a field or an item's dword: for the parser's own files only. */
#ifndef ETW_WRONG_H
#define ETW_WRONG_H

#include <linux/errno.h>
#include <linux/stddef.h>
#include "config.h"

#define ETW_FIELD(member)	offsetof(struct wmi_logger_information, member)

static inline int etw_wrong(struct etw_config_error *error, __u32 offset, __u32 reason, int err)
{
	error->offset = offset;
	error->reason = reason;
	return err;
}

static inline int etw_wrong_item(struct etw_config_error *error, const struct etw_items *items,
				 enum etw_item_kind kind, __u32 index, __u32 reason)
{
	error->item = items->index[kind];
	return etw_wrong(error, etw_item_dword(items, kind, index), reason, -EINVAL);
}

#endif /* ETW_WRONG_H */
