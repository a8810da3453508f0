// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/*
 * A 32-bit program without a libc: waits for a signal, with an argument just ends, and with
 * more it becomes that program.
 */
#include <asm/unistd_32.h>

static long call3(long number, long a, long b, long c)
{
	long result;

	__asm__ volatile("int $0x80" : "=a" (result) : "0" (number), "b" (a), "c" (b), "d" (c) :
			 "memory");
	return result;
}

/* As the kernel leaves the stack: the number of arguments first, the program's name is one */
__attribute__((used)) static void run(const int *arguments)
{
	if (*arguments < 2)
		call3(__NR_pause, 0, 0, 0);
	if (*arguments > 2)
		call3(__NR_execve, arguments[2], (long)&arguments[2], 0);
	for (;;)
		call3(__NR_exit, *arguments > 2, 0, 0);
}

__asm__(".globl _start\n_start:\tmov %esp, %eax\n\tpush %eax\n\tcall run\n");
