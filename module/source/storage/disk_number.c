// SPDX-License-Identifier: GPL-2.0
/* Numbers of disks: dense from 0, by first sight, the same while the module is there. */
#include <linux/atomic.h>
#include <linux/blkdev.h>
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

/*
 * Disks that are hidden behind others, which is what multipath NVMe does with each way to
 * a namespace: the requests are theirs, and nobody has ever heard of them.
 */
#define HIDDEN	64

/**
 * struct hidden - one of them
 * @device: its device number plus 1; 0: free
 * @head: that of the disk that stands for it, plus 1
 */
static struct hidden {
	u32 device;
	u32 head;
} hidden[HIDDEN];

/**
 * etw_disk_behind() - a bio goes on to a disk
 * @disk: it
 * @head: the device where the bio has been
 *
 * Context: any; lock-free.
 */
void etw_disk_behind(const struct gendisk *disk, dev_t head)
{
	u32 i, mine;

	if (!(disk->flags & GENHD_FL_HIDDEN))
		return;
	mine = (u32)disk_devt((struct gendisk *)disk) + 1;
	for (i = 0; i < HIDDEN; i++) {
		u32 held = READ_ONCE(hidden[i].device);

		if (!held)
			held = cmpxchg(&hidden[i].device, 0, mine) ?: mine;
		if (held != mine)
			continue;
		if (READ_ONCE(hidden[i].head) != (u32)head + 1)
			WRITE_ONCE(hidden[i].head, (u32)head + 1);
		break;
	}
}

static dev_t head_of(dev_t device)
{
	u32 i;

	for (i = 0; i < HIDDEN; i++) {
		u32 head = READ_ONCE(hidden[i].head);

		if (head && READ_ONCE(hidden[i].device) == (u32)device + 1)
			return head - 1;
	}
	return device;
}

static u32 number_of(dev_t device)
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

/**
 * etw_disk_number() - DiskNumber of a disk
 * @disk: it, or one that is hidden behind it
 *
 * Context: any; lock-free. Return: the number; where there are too many disks, all
 * others have DISKS.
 */
u32 etw_disk_number(const struct gendisk *disk)
{
	dev_t device = disk_devt((struct gendisk *)disk);

	return number_of(disk->flags & GENHD_FL_HIDDEN ? head_of(device) : device);
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
		number_of(MKDEV(major, minor));
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
