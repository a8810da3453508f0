/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The etw authors */
/* etw mc: headers of manifests. */
#ifndef ETW_MC_TOOL_H
#define ETW_MC_TOOL_H

#include <stdio.h>
#include "manifest/manifest.h"

/* mc_header.c: the header of all providers. Return: 0, or -1 after a message */
int mc_write_header(FILE *to, struct manifest *manifest);
/*
 * mc_event.c: descriptor, function and macros of an event. @info: its description; @symbol: of the
 * event; @provider: symbol of its provider. Return: 0, or -1 after a message
 */
int mc_write_event(FILE *to, const struct manifest *manifest, const struct xml_node *event,
		   const struct event_info *info, const char *provider);
/* A name as one of C: what is no letter or digit becomes '_' */
void mc_name(const char *from, char *to, size_t room);
/* The same of the attribute symbol of @node. Return: -1 after a message: it is no name of C */
int mc_symbol(const struct manifest *manifest, const struct xml_node *node, const char *from,
	      char *to, size_t room);

#endif /* ETW_MC_TOOL_H */
