/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The etw authors */
/* Refuses a setting of START or UPDATE: reports its offset, its item and the reason. */
#ifndef ETW_REFUSE_H
#define ETW_REFUSE_H

#include <linux/stddef.h>
#include "config.h"

#define ETW_FIELD(member)	offsetof(struct wmi_logger_information, member)

/* Refuse what is at @offset, in item @item; 0: in no item. Return: @err */
static inline int etw_refuse_at(struct etw_config_error *error, __u32 offset, __u32 item,
				__u32 reason, int err)
{
	error->offset = offset;
	error->item = item;
	error->reason = reason;
	return err;
}

/* Refuse a field. Return: @err */
static inline int etw_refuse(struct etw_config_error *error, __u32 offset, __u32 reason, int err)
{
	return etw_refuse_at(error, offset, 0, reason, err);
}

/* Refuse a dword of an item that is present; dword 0 is its header. Return: @err */
static inline int etw_refuse_dword(struct etw_config_error *error, const struct etw_items *items,
				   enum etw_item_kind kind, __u32 index, __u32 reason, int err)
{
	return etw_refuse_at(error, etw_item_dword(items, kind, index), items->index[kind], reason,
			     err);
}

/* Refuse a dword of an item, or, if the item is absent, the field with the same setting. */
static inline int etw_refuse_either(struct etw_config_error *error, const struct etw_items *items,
				    enum etw_item_kind kind, __u32 index, __u32 field,
				    __u32 reason, int err)
{
	if (!etw_items_have(items, kind))
		return etw_refuse(error, field, reason, err);
	return etw_refuse_dword(error, items, kind, index, reason, err);
}

#endif /* ETW_REFUSE_H */
