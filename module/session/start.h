/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The etw authors */
/* A session from a configuration: what START, UPDATE and SNAPSHOT share. */
#ifndef ETW_START_H
#define ETW_START_H

#include <linux/types.h>

struct etw_clocks;
struct etw_config_error;
struct etw_session;
struct etw_settings;

struct etw_session *etw_session_alloc(const struct etw_settings *settings,
				      const struct etw_clocks *clocks);
struct etw_settings *etw_session_parse(const void *block, u32 size,
				       struct etw_config_error *error, int *err);

#endif /* ETW_START_H */
