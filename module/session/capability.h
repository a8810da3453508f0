/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The etw authors */
/* Checks whether the machine supports a request. */
#ifndef ETW_CAPABILITY_H
#define ETW_CAPABILITY_H

struct etw_clocks;
struct etw_config_error;
struct etw_settings;

int etw_session_check_supported(struct etw_config_error *error, const void *block,
				const struct etw_settings *settings, struct etw_clocks *clocks);
int etw_session_check_events(struct etw_config_error *error, const void *block,
			     const struct etw_settings *settings);

#endif /* ETW_CAPABILITY_H */
