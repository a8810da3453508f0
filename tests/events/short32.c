// SPDX-License-Identifier: GPL-2.0
/* A 32-bit program without a libc: waits for a signal, or with an argument just ends. */
#include <asm/unistd_32.h>

static long call1(long number, long a)
{
	long result;

	__asm__ volatile("int $0x80" : "=a" (result) : "0" (number), "b" (a) : "memory");
	return result;
}

/* As the kernel leaves the stack: the number of arguments first */
__attribute__((used)) static void run(const int *arguments)
{
	if (*arguments < 2)
		call1(__NR_pause, 0);
	for (;;)
		call1(__NR_exit, 0);
}

__asm__(".globl _start\n_start:\tmov %esp, %eax\n\tpush %eax\n\tcall run\n");
