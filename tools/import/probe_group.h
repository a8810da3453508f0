/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The etw authors */
/* Names in tracefs of the probes that etw makes, and of the providers that their events get. */
#ifndef ETW_IMPORT_PROBE_GROUP_H
#define ETW_IMPORT_PROBE_GROUP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * "etw_kprobes_PID_START", "etw_uprobes_PID_START", "etw_usdt_PID_START_PROVIDER"; what struct
 * trace_format has room for
 */
#define PROBE_GROUP_NAME	61

enum probe_kind {
	PROBE_KERNEL,
	PROBE_USER,
	PROBE_USDT,
	PROBE_KINDS,
};

/**
 * struct probe_group - a group of probes in tracefs
 * @kind: what they are
 * @pid: the process that made them
 * @start: when this process started, in ticks since boot; a later process may have its id
 * @provider: of PROBE_USDT, as an identifier; else ""
 */
struct probe_group {
	enum probe_kind kind;
	uint32_t pid;
	uint64_t start;
	char provider[PROBE_GROUP_NAME];
};

/* What does not fit of @group->provider is cut off */
void probe_group_name(const struct probe_group *group, char to[PROBE_GROUP_NAME]);
/* Return: false: it is no group of etw */
bool probe_group_parse(const char *name, struct probe_group *group);
/* "Linux.kprobes.EVENT", "Linux.uprobes.EVENT" or "Linux.usdt.PROVIDER" */
void probe_group_provider(const struct probe_group *group, const char *event, char *to,
			  size_t room);
/* For users: "kprobes:EVENT", "uprobes:EVENT" or "usdt:PROVIDER:EVENT" */
void probe_group_label(const struct probe_group *group, const char *event, char *to, size_t room);

#endif /* ETW_IMPORT_PROBE_GROUP_H */
