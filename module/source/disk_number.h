/* SPDX-License-Identifier: GPL-2.0 */
/* Numbers of disks, as records have them. */
#ifndef ETW_DISK_NUMBER_H
#define ETW_DISK_NUMBER_H

#include <linux/types.h>

u32 etw_disk_number(dev_t device);

#endif /* ETW_DISK_NUMBER_H */
