/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The etw authors */
/* Parser of a block's EnableFlags: for the parser of blocks only. */
#ifndef ETW_CONFIG_FLAGS_H
#define ETW_CONFIG_FLAGS_H

#include "config.h"

int etw_config_parse_flags(const __u8 *block, __u32 size,
			   const struct wmi_logger_information *info,
			   struct etw_settings *settings, struct etw_config_error *error);
int etw_config_check_overlap(const __u8 *block, const struct wmi_logger_information *info,
			     struct etw_config_error *error);

#endif /* ETW_CONFIG_FLAGS_H */
