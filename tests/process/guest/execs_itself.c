// SPDX-License-Identifier: GPL-2.0
/* A process that execs itself again and again: execs_itself leader | other, a second thread */
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static void *again(void *arg)
{
	execv("/proc/self/exe", arg);
	perror("execs_itself");
	_exit(1);
}

int main(int argc, char **argv)
{
	pthread_t thread;

	if (argc != 2)
		return 2;
	if (!strcmp(argv[1], "leader"))
		again(argv);
	if (pthread_create(&thread, NULL, again, argv))
		return 1;
	for (;;)
		pause();
}
