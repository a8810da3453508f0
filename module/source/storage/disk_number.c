// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* Disk numbers: dense from 0, in order of first sight, constant while the module is loaded. */
#include <linux/atomic.h>
#include <linux/blkdev.h>
#include <linux/kdev_t.h>
#include <linux/kernel.h>
#include <linux/module.h>
#include <linux/moduleparam.h>
#include <linux/string.h>
#include "disk_number.h"

/*
 * A module cannot list the disks of the kernel. So the program that writes a session's
 * system configuration lists them, and writes them to parameter "disks" before the
 * session starts. It then reads their numbers from that parameter, since disks may
 * already have been seen or written before.
 */
#define DISKS	256

/* Device numbers plus 1, in order; 0: free. Entries in use never change */
static u32 devices[DISKS];

/*
 * Hidden disks, such as each path of multipath NVMe to a namespace. Requests go to the
 * hidden disk, but users know only the disk in front of it.
 */
#define HIDDEN	64

/**
 * struct hidden - a hidden disk
 * @device: its device number plus 1; 0: free
 * @head: device number of the disk in front of it, plus 1
 */
static struct hidden {
	u32 device;
	u32 head;
} hidden[HIDDEN];

/**
 * etw_disk_behind() - note that a bio is passed on to a disk
 * @disk: the disk
 * @head: the device that passes it on
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
 * @disk: the disk, or a hidden one behind it
 *
 * Context: any; lock-free. Return: the number; DISKS for all disks beyond the table.
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
