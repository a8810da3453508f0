// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/*
 * A program with functions and USDT probes that are recorded: probed N; prints how many of them
 * were enabled. The notes are those of SystemTap's sys/sdt.h, which a machine need not have.
 */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>

/* A tracer counts it up while it wants the events */
unsigned short probed_tick_semaphore __attribute__((section(".probes"), used,
						    visibility("hidden")));

#define NOTE(name, semaphore, arguments, ...)						\
	asm volatile("990: nop\n"							\
		     ".pushsection .note.stapsdt, \"\", \"note\"\n"			\
		     ".balign 4\n"							\
		     ".4byte 992f - 991f, 994f - 993f, 3\n"				\
		     "991: .asciz \"stapsdt\"\n"					\
		     "992: .balign 4\n"							\
		     "993: .8byte 990b, _.stapsdt.base, " semaphore "\n"		\
		     ".asciz \"probed\"\n"						\
		     ".asciz \"" name "\"\n"						\
		     ".asciz \"" arguments "\"\n"					\
		     "994: .balign 4\n"							\
		     ".popsection\n"							\
		     ".ifndef _.stapsdt.base\n"						\
		     ".pushsection .stapsdt.base, \"aG\", \"progbits\", .stapsdt.base, comdat\n" \
		     ".weak _.stapsdt.base\n"						\
		     ".hidden _.stapsdt.base\n"						\
		     "_.stapsdt.base: .space 1\n"					\
		     ".size _.stapsdt.base, 1\n"					\
		     ".popsection\n"							\
		     ".endif\n"								\
		     : : __VA_ARGS__)

int work(int number, const char *text);

/* Two places of one probe, and one that has other types */
int __attribute__((noinline)) work(int number, const char *text)
{
	const long twice = 2L * number;

	if (probed_tick_semaphore && number & 1)
		NOTE("tick", "probed_tick_semaphore", "-4@%0 8@%1 -4@%2",
		     "r"(number), "m"(twice), "i"(7));
	else if (probed_tick_semaphore)
		NOTE("tick", "probed_tick_semaphore", "-4@%0 8@%1 -4@%2",
		     "m"(number), "r"(twice), "i"(7));
	NOTE("always", "0", "8@%0", "r"(text));
	return open(text, O_RDONLY) < 0 ? 3 * number : -1;
}

int main(int argc, char **argv)
{
	int i, ticks = 0, count = argc > 1 ? atoi(argv[1]) : 1;
	char text[64];

	for (i = 0; i < count; i++) {
		snprintf(text, sizeof(text), "/nothing-probed-%d", i);
		ticks += probed_tick_semaphore != 0;
		if (work(i, text) != 3 * i)
			return 1;
	}
	printf("%d\n", ticks);
	return 0;
}
