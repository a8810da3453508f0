// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* Hand an unwind table to a session: unwind_table LOGGER FILE ROWS; prints the result. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>
#include "etw_abi.h"
#include "etw_unwind.h"

static struct etw_unwind_row rows[1 << 18];

int main(int argc, char **argv)
{
	struct etw_unwind_table table = { .size = sizeof(table), .rows = (unsigned long)rows };
	int control = open("/dev/etw/control", O_RDWR);
	FILE *file = argc == 4 ? fopen(argv[3], "r") : NULL;

	if (control < 0 || !file) {
		perror("unwind_table");
		return 2;
	}
	table.logger_id = strtoul(argv[1], NULL, 0);
	table.fd = open(argv[2], O_RDONLY);
	table.nr_rows = fread(rows, sizeof(rows[0]), sizeof(rows) / sizeof(rows[0]), file);
	if (!ioctl(control, ETW_IOC_UNWIND_TABLE, &table))
		return 0;
	printf("%s row %u\n", strerrorname_np(errno), table.error_row);
	return 1;
}
