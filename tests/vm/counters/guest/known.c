// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* Processes that run a number of user instructions known to the last one. */
#define _GNU_SOURCE
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

/*
 * known [-1] LOOPS...: a process for each, at once or (-1) one after another.
 * Prints "TID LOOPS INSTRUCTIONS"; between its birth and its death a process
 * runs these user instructions and no other.
 */

/* A child that turns @loops times, at least once, and exits. Returns its id. */
static pid_t spawn(unsigned long loops)
{
#if defined(__x86_64__)
	register unsigned long tls __asm__("r8") = 0;
	register unsigned long child __asm__("r10") = 0;
	long id = 56;	/* clone */

	__asm__ volatile("syscall\n"
			 "	test	%%eax, %%eax\n"
			 "	jnz	2f\n"
			 "1:	dec	%[loops]\n"
			 "	jnz	1b\n"
			 "	xor	%%edi, %%edi\n"
			 "	mov	$231, %%eax\n"	/* exit_group */
			 "	syscall\n"
			 "2:"
			 : "+a"(id), [loops] "+r"(loops)
			 : "D"(SIGCHLD), "S"(0L), "d"(0L), "r"(tls), "r"(child)
			 : "rcx", "r11", "memory", "cc");
	return id;
#else
	register long id __asm__("x0") = SIGCHLD;
	register long stack __asm__("x1") = 0, parent __asm__("x2") = 0;
	register long tls __asm__("x3") = 0, child __asm__("x4") = 0;
	register long number __asm__("x8") = 220;	/* clone */

	__asm__ volatile("svc	#0\n"
			 "	cbnz	x0, 2f\n"
			 "1:	subs	%[loops], %[loops], #1\n"
			 "	b.ne	1b\n"
			 "	mov	x0, #0\n"
			 "	mov	x8, #94\n"	/* exit_group */
			 "	svc	#0\n"
			 "2:"
			 : "+r"(id), [loops] "+r"(loops), "+r"(number)
			 : "r"(stack), "r"(parent), "r"(tls), "r"(child) : "memory", "cc");
	return id;
#endif
}

/* Besides two a loop: from behind the system call that made it to its exit */
#if defined(__x86_64__)
#define OTHERS	5
#else
#define OTHERS	4
#endif

int main(int argc, char **argv)
{
	int alone = argc > 1 && !strcmp(argv[1], "-1"), status, bad = 0;
	int i;

	for (i = 1 + alone; i < argc; i++) {
		unsigned long loops = strtoul(argv[i], NULL, 0);
		pid_t pid;

		if (!loops)
			return 2;
		pid = spawn(loops);
		if (pid < 0)
			return 1;
		printf("%d %lu %lu\n", pid, loops, 2 * loops + OTHERS);
		if (alone && (waitpid(pid, &status, 0) != pid || status))
			bad = 1;
	}
	while (waitpid(-1, &status, 0) > 0)
		bad |= status != 0;
	return bad;
}
