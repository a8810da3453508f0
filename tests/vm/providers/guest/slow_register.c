// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* Registers twice, the second time after a message. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdio.h>
#include <sys/ioctl.h>
#include <unistd.h>
#include "etw_provider.h"

static int provide(int node, unsigned int number)
{
	struct etw_provider_register given = { .size = sizeof(given), .guid.data1 = number };

	return ioctl(node, ETW_PROVIDER_REGISTER, &given);
}

int main(void)
{
	int node = open("/dev/etw/provider", O_RDWR);
	char byte;

	/* the first one makes the page, too */
	if (node < 0 || provide(node, 0x5107))
		return 1;
	puts("ready");
	fflush(stdout);
	if (read(STDIN_FILENO, &byte, 1) != 1)
		return 1;
	return provide(node, 0x5108) != 0;
}
