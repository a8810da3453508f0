/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The etw authors */
/* Probes that etw makes: --probe, --uprobe, --usdt. */
#ifndef ETW_PROBES_PROBES_H
#define ETW_PROBES_PROBES_H

#include <limits.h>
#include "linux_events/linux_events.h"
#include "import/probe_group.h"
#include "probe_text.h"

/**
 * struct probe_option - an option that makes probes
 * @verb: for messages
 * @name: of the option, for messages
 * @text: its value
 * @kind: what it makes
 * @events: the session's, which get the new ones
 */
struct probe_option {
	const char *verb;
	const char *name;
	const char *text;
	enum probe_kind kind;
	struct linux_events *events;
};

/* Makes the probes and adds their events. Return: 0, or an exit code after a message */
int probes_add(struct linux_events *events, const char *verb, enum probe_kind kind,
	       const char *text);

/* Prints what is wrong with an option. Return: EXIT_USAGE */
int probe_refuse(const struct probe_option *option, const char *format, ...)
	__attribute__((format(printf, 2, 3)));
/*
 * Writes a probe to tracefs. @group: with kind and provider. Return: 0, or an exit code after a
 * message
 */
int probe_make(const struct probe_option *option, struct probe_group *group, const char *type,
	       const char *event, const char *place_and_arguments);
/* As probe_make(), but a probe that tracefs refuses is no message: @err is its errno, or 0 */
int probe_try(const struct probe_option *option, struct probe_group *group, const char *type,
	      const char *event, const char *place_and_arguments, int *err);
/* Adds the event of probe_make(). Return: likewise */
int probe_record(const struct probe_option *option, const struct probe_group *group,
		 const char *event);
/* The event's name, or NAME_N if this process has one of that name in the group */
void probe_free_name(const struct probe_option *option, const struct probe_group *group,
		     const char *name, char to[PROBE_EVENT_NAME]);
/* The whole path of a file, as tracefs needs it. Return: likewise */
int probe_file_path(const struct probe_option *option, const char *file, char path[PATH_MAX]);

/* probe_error.c: what the kernel has said of the line. Return: @to, "" for nothing */
const char *probe_error_text(const char *line, char *to, size_t room);
/*
 * syscall_paths.c: for --syscalls, a probe at the return of the function that copies each path from
 * the program, and probes that read addresses of sockets. A kernel without them is a warning.
 * Return: 0, or an exit code after a message
 */
int syscall_paths_add(struct linux_events *events, const char *verb);
/* usdt.c: the probes of --usdt */
int usdt_add(const struct probe_option *option);

#endif /* ETW_PROBES_PROBES_H */
