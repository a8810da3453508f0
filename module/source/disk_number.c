// SPDX-License-Identifier: GPL-2.0
/* Numbers of disks: dense from 0, by first sight, the same while the module is there. */
#include <linux/atomic.h>
#include <linux/kdev_t.h>
#include <linux/kernel.h>
#include <linux/module.h>
#include <linux/moduleparam.h>
#include <linux/string.h>
#include "disk_number.h"

/*
 * The kernel lets no module list its disks. So who writes a session's system
 * configuration lists them, and tells them here before the session starts:
 * parameter "disks". It reads there which number each one has, since others may
 * have been seen, or told, before.
 */
#define DISKS	256

/* Device numbers plus 1, in order; 0: free. Entries never change again */
static u32 devices[DISKS];

/**
 * etw_disk_number() - DiskNumber of a disk
 * @device: of the whole disk
 *
 * Context: any; lock-free. Return: the number; where there are too many disks, all
 * others have DISKS.
 */
u32 etw_disk_number(dev_t device)
{
	u32 i, mine = (u32)device + 1;

	for (i = 0; i < DISKS; i++) {
		u32 held = READ_ONCE(devices[i]);

		if (!held)
			held = cmpxchg(&devices[i], 0, mine) ?: mine;
		if (held == mine)
			break;
	}
	return i;
}

/* "MAJOR:MINOR ..." */
static int set_disks(const char *text, const struct kernel_param *param)
{
	unsigned int major, minor;
	int used;

	while (*(text = skip_spaces(text))) {
		if (sscanf(text, "%u:%u%n", &major, &minor, &used) < 2)
			return -EINVAL;
		if (major > MAJOR(~0U) || minor > MINORMASK)
			return -EINVAL;
		etw_disk_number(MKDEV(major, minor));
		text += used;
	}
	return 0;
}

/* "MAJOR:MINOR NUMBER" lines */
static int get_disks(char *buffer, const struct kernel_param *param)
{
	int i, length = 0;

	for (i = 0; i < DISKS && READ_ONCE(devices[i]); i++)
		length += scnprintf(buffer + length, PAGE_SIZE - length, "%u:%u %d\n",
				    MAJOR(devices[i] - 1), MINOR(devices[i] - 1), i);
	return length;
}

static const struct kernel_param_ops disks_ops = { .set = set_disks, .get = get_disks };
module_param_cb(disks, &disks_ops, NULL, 0644);
MODULE_PARM_DESC(disks, "numbers of disks; write MAJOR:MINOR to number one");
