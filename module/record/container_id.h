/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The etw authors */
/* The id of a container, read from the name of its control group, as a GUID: pure. */
#ifndef ETW_CONTAINER_ID_H
#define ETW_CONTAINER_ID_H

#include "etw_trace_headers.h"

/* Room for each name that has an id: the longest one is cri-containerd-ID.scope */
#define ETW_CONTAINER_NAME	128

/*
 * @name: last part of a control group's path
 * @id: out: the first half of the id as the text of a GUID, ETW_CONTAINER_ID bytes without a
 *	terminator; unchanged if there is none
 * Return: whether it is the name of a container
 */
int etw_container_id_of(const char *name, char *id);

#endif /* ETW_CONTAINER_ID_H */
