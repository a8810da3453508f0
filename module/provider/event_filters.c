// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* Filters of ENABLE: copied once, checked in the copy, applied to each event. */
#include <linux/err.h>
#include <linux/slab.h>
#include <linux/string.h>
#include <linux/uaccess.h>
#include "record/process.h"
#include "event_filters.h"

/* Every type has this bit, so it means nothing in a set of types. */
static u32 type_bit(u32 type)
{
	return type & ~ETW_FILTER_TYPE_BIT;
}

static int take_pids(struct etw_event_filters *filters, const void *data, u32 size)
{
	if (!size || size % sizeof(u32) || size > sizeof(filters->pids))
		return -EINVAL;
	memcpy(filters->pids, data, size);
	filters->nr_pids = size / sizeof(u32);
	return 0;
}

/* No name is empty or has a slash or a NUL: it would match no process. */
static int take_names(struct etw_event_filters *filters, const char *data, u32 size)
{
	char before = ';';
	u32 i;

	for (i = 0; i < size; i++) {
		if (!data[i] || data[i] == '/' || (data[i] == ';' && before == ';'))
			return -EINVAL;
		before = data[i];
	}
	if (before == ';')
		return -EINVAL;
	memcpy(filters->names, data, size);
	filters->names_size = size;
	return 0;
}

static int take_ids(struct etw_event_ids *ids, const void *data, u32 size)
{
	const struct etw_filter_event_ids *from = data;

	if (size < offsetof(struct etw_filter_event_ids, ids) || from->in > 1 || from->reserved ||
	    !from->count || from->count > ETW_MAX_FILTER_EVENTS ||
	    size != offsetof(struct etw_filter_event_ids, ids) + from->count * sizeof(u16))
		return -EINVAL;
	ids->in = from->in;
	ids->count = from->count;
	memcpy(ids->ids, from->ids, from->count * sizeof(from->ids[0]));
	return 0;
}

static int take_level(struct etw_event_filters *filters, const void *data, u32 size)
{
	const struct etw_filter_level *from = data;
	struct etw_enable enable = { };

	if (size != sizeof(*from) || from->in > 1 ||
	    memchr_inv(from->reserved, 0, sizeof(from->reserved)))
		return -EINVAL;
	enable.match_any = from->match_any;
	enable.match_all = from->match_all;
	enable.level = from->level;
	filters->stack_mask = etw_event_mask_of(&enable);
	filters->stack_mask_in = from->in;
	return 0;
}

/* The names stay where they are copied to. */
static int take_event_names(struct etw_event_filters *filters, struct etw_event_names *names,
			    const void *data, u32 size)
{
	char *copy = filters->text + filters->text_used;
	int err = etw_event_names_take(names, data, size);

	if (err)
		return err;
	memcpy(copy, data, size);
	filters->text_used += ALIGN(size, 8);
	return etw_event_names_take(names, copy, size);
}

/* @data: a copy. Return: 0; -EINVAL; -EOPNOTSUPP: unknown type */
static int take(struct etw_event_filters *filters, u32 type, const void *data, u32 size)
{
	if (filters->types & type_bit(type))
		return -EINVAL;
	filters->types |= type_bit(type);
	switch (type) {
	case ETW_FILTER_PID:
		return take_pids(filters, data, size);
	case ETW_FILTER_EXECUTABLE:
		return take_names(filters, data, size);
	case ETW_FILTER_EVENT_ID:
		return take_ids(&filters->events, data, size);
	case ETW_FILTER_EVENT_NAME:
		return take_event_names(filters, &filters->event_names, data, size);
	case ETW_FILTER_STACK:
		return take_ids(&filters->stacks, data, size);
	case ETW_FILTER_STACK_NAME:
		return take_event_names(filters, &filters->stack_names, data, size);
	case ETW_FILTER_STACK_LEVEL:
		return take_level(filters, data, size);
	}
	return -EOPNOTSUPP;
}

static bool is_by_name(u32 type)
{
	return type == ETW_FILTER_EVENT_NAME || type == ETW_FILTER_STACK_NAME;
}

static int copy_filter(struct etw_event_filters *filters, const struct etw_event_filter *filter)
{
	const u32 most = is_by_name(filter->type) ? ETW_MAX_NAMES_SIZE : ETW_MAX_FILTER_SIZE;
	void *data;
	int err;

	if (!filter->size || filter->size > most)
		return -EINVAL;
	data = memdup_user(u64_to_user_ptr(filter->data), filter->size);
	if (IS_ERR(data))
		return PTR_ERR(data);
	err = take(filters, filter->type, data, filter->size);
	kfree(data);
	return err;
}

/* Room for the data of all filters by name; a second one of a type is refused later. */
static u32 text_room(const struct etw_event_filter *given, u32 count)
{
	u32 i, room = 0;

	for (i = 0; i < count; i++)
		if (is_by_name(given[i].type) && given[i].size <= ETW_MAX_NAMES_SIZE)
			room += ALIGN(given[i].size, 8);
	return min_t(u32, room, 2 * ETW_MAX_NAMES_SIZE);
}

/**
 * etw_event_filters_copy() - copy the filters of ENABLE
 * @enable: its argument
 *
 * Context: process; sleeps.
 * Return: filters, for kfree(); NULL if there are none; ERR_PTR(): -EINVAL, -EFAULT, -ENOMEM,
 * -EOPNOTSUPP: unknown type.
 */
struct etw_event_filters *etw_event_filters_copy(const struct etw_enable *enable)
{
	const void __user *from = u64_to_user_ptr(enable->filters);
	struct etw_event_filter given[ETW_MAX_EVENT_FILTERS];
	struct etw_event_filters *filters;
	int err = 0;
	u32 i;

	if (!enable->nr_filters)
		return NULL;
	if (enable->nr_filters > ETW_MAX_EVENT_FILTERS)
		return ERR_PTR(-EINVAL);
	if (copy_from_user(given, from, enable->nr_filters * sizeof(given[0])))
		return ERR_PTR(-EFAULT);
	filters = kzalloc(struct_size(filters, text, text_room(given, enable->nr_filters)),
			  GFP_KERNEL);
	if (!filters)
		return ERR_PTR(-ENOMEM);
	for (i = 0; !err && i < enable->nr_filters; i++)
		err = copy_filter(filters, &given[i]);
	if (!err)
		return filters;
	kfree(filters);
	return ERR_PTR(err);
}

static bool has_pid(const struct etw_event_filters *filters, u32 process_id)
{
	u32 i;

	for (i = 0; i < filters->nr_pids; i++)
		if (filters->pids[i] == process_id)
			return true;
	return false;
}

/* @executable was cut to its first ETW_IMAGE_NAME - 1 bytes, and so is each name. */
static bool has_name(const struct etw_event_filters *filters, const char *executable)
{
	const u32 length = strlen(executable);
	const char *at = filters->names, *const end = at + filters->names_size, *behind;

	for (; at < end; at = behind + 1) {
		behind = memchr(at, ';', end - at) ?: end;
		if (min_t(u32, behind - at, ETW_IMAGE_NAME - 1) == length &&
		    !memcmp(at, executable, length))
			return true;
	}
	return false;
}

static bool has_id(const struct etw_event_ids *ids, u16 id)
{
	u32 i;

	for (i = 0; i < ids->count; i++)
		if (ids->ids[i] == id)
			return ids->in;
	return !ids->in;
}

/**
 * etw_event_filters_has() - whether an event meets all filters
 * @filters: of the session that has the provider enabled
 * @process_id: of the writer
 * @executable: of the program that registered the provider; "": none
 * @id: of the event
 *
 * Context: any.
 */
bool etw_event_filters_has(const struct etw_event_filters *filters, u32 process_id,
			   const char *executable, u16 id)
{
	const u32 types = filters->types;

	return (!(types & type_bit(ETW_FILTER_PID)) || has_pid(filters, process_id)) &&
	       (!(types & type_bit(ETW_FILTER_EVENT_ID)) || has_id(&filters->events, id)) &&
	       (!(types & type_bit(ETW_FILTER_EXECUTABLE)) || has_name(filters, executable));
}

/**
 * etw_event_filters_named() - whether an event meets the filter by name, if there is one
 * @filters: of the session that has the provider enabled
 * @event: the event
 * @name: the event's name
 *
 * Context: any.
 */
bool etw_event_filters_named(const struct etw_event_filters *filters,
			     const struct etw_event_descriptor *event,
			     const struct etw_event_name *name)
{
	return !(filters->types & type_bit(ETW_FILTER_EVENT_NAME)) ||
	       etw_event_names_keep(&filters->event_names, event, name);
}

/**
 * etw_event_filters_stack() - whether an event has a stack
 * @filters: with one of ETW_FILTERS_OF_STACKS at least; the event must meet all that there are
 * @event: the event
 * @name: the event's name
 *
 * Context: any.
 */
bool etw_event_filters_stack(const struct etw_event_filters *filters,
			     const struct etw_event_descriptor *event,
			     const struct etw_event_name *name)
{
	const u32 types = filters->types;

	if ((types & type_bit(ETW_FILTER_STACK)) && !has_id(&filters->stacks, event->id))
		return false;
	if ((types & type_bit(ETW_FILTER_STACK_NAME)) &&
	    !etw_event_names_keep(&filters->stack_names, event, name))
		return false;
	return !(types & type_bit(ETW_FILTER_STACK_LEVEL)) ||
	       etw_event_mask_has(&filters->stack_mask, event->level, event->keyword) ==
	       filters->stack_mask_in;
}
