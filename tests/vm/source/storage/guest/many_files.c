// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* many_files DIRECTORY FILES ROUNDS: make files, and open each in turn, so often. */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

int main(int argc, char **argv)
{
	int round, n, fd;

	if (argc != 4 || chdir(argv[1])) {
		perror("many_files DIRECTORY FILES ROUNDS");
		return 2;
	}
	for (round = 0; round < atoi(argv[3]); round++)
		for (n = 0; n < atoi(argv[2]); n++) {
			char name[16];

			snprintf(name, sizeof(name), "n%d", n);
			fd = open(name, O_RDONLY | O_CREAT, 0600);
			if (fd < 0) {
				perror(name);
				return 1;
			}
			close(fd);
		}
	return 0;
}
