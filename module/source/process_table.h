/* SPDX-License-Identifier: GPL-2.0 */
/* Image names of processes, for records that come when the image is gone. */
#ifndef ETW_PROCESS_TABLE_H
#define ETW_PROCESS_TABLE_H

#include <linux/atomic.h>
#include <linux/types.h>
#include "../record/process.h"

int etw_images_prepare(void);
void etw_images_unprepare(void);
void etw_image_set(u32 process_id, const char *name);
void etw_image_learn(u32 process_id, const char *name);
bool etw_image_get(u32 process_id, char name[ETW_IMAGE_NAME]);
void etw_image_thread_start(u32 process_id);
bool etw_image_thread_end(u32 process_id, const atomic_t *live);
bool etw_image_end(u32 process_id, u64 filetime);
u64 etw_image_ended(u32 process_id);

#endif /* ETW_PROCESS_TABLE_H */
