/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The etw authors */
/* Interface between the file-name table and the file-name source. */
#ifndef ETW_FILE_NAME_H
#define ETW_FILE_NAME_H

#include <linux/types.h>

struct etw_file_claim;

void etw_file_name_record(u16 hook_id, struct etw_file_claim *claim, u32 length);
bool etw_file_name_is_recorded(u32 change);

#endif /* ETW_FILE_NAME_H */
