/* SPDX-License-Identifier: GPL-2.0 */
/* Checks in a child: what they do to a process ends with it, and so does a hang. */
#ifndef CHILD_H
#define CHILD_H

#include <sys/wait.h>
#include <unistd.h>
#include "check.h"

#define CHILD_HANGS	300	/* seconds: what takes a few, but for ever when it hangs */

/* Return: what waitpid() says of a child that does it; SIGALRM: it hung */
static inline int child_of(void (*live)(void))
{
	int status = -1;
	pid_t child = fork();

	if (!child) {
		alarm(CHILD_HANGS);
		failures = 0;
		live();
		_exit(failures);
	}
	waitpid(child, &status, 0);
	return status;
}

#endif /* CHILD_H */
