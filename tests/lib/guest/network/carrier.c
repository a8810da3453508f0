// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* A process that carries packets in, with etw_carrier.ko. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <signal.h>
#include <sys/prctl.h>
#include <unistd.h>
#include "network.h"

/* From now on all packets come in by a process's hand, where there is etw_carrier.ko. */
pid_t carry(void)
{
	int fd = open("/dev/etw-carrier", O_WRONLY | O_CLOEXEC);
	pid_t child = fd < 0 ? 0 : fork();

	if (child < 0)
		die("fork");
	if (fd >= 0 && !child) {
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		while (write(fd, "", 1) == 1)
			;
		_exit(1);
	}
	if (fd >= 0)
		close(fd);
	return child;
}
