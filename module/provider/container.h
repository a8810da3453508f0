/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The etw authors */
/* The container of the current process, for items of events. */
#ifndef ETW_PROVIDER_CONTAINER_H
#define ETW_PROVIDER_CONTAINER_H

#include "etw_trace_headers.h"

/**
 * struct etw_container - the container of a process
 * @looked: it was looked up
 * @id: text of a GUID, for struct etw_event_items; NULL: the process is in no container
 * @text: what @id points to
 */
struct etw_container {
	bool looked;
	const char *id;
	char text[ETW_CONTAINER_ID];
};

#ifdef CONFIG_CGROUPS
void etw_container_look_up(struct etw_container *container);
#else
static inline void etw_container_look_up(struct etw_container *container)
{
	container->looked = true;
}
#endif

/*
 * @container: begins with zeros; it is looked up once for all sessions of an event.
 * Context: process. Return: see @id
 */
static inline const char *etw_container_current(struct etw_container *container)
{
	if (!container->looked)
		etw_container_look_up(container);
	return container->id;
}

#endif /* ETW_PROVIDER_CONTAINER_H */
