/* SPDX-License-Identifier: GPL-2.0 */
/* Interface between the file-name table and the file-name source. */
#ifndef ETW_FILE_NAME_H
#define ETW_FILE_NAME_H

#include <linux/types.h>

struct etw_file_claim;

void etw_file_name_record(u16 hook_id, const struct etw_file_claim *claim, u32 length);

#endif /* ETW_FILE_NAME_H */
