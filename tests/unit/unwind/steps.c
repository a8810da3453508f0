// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* Walk a program's stack at each of its instructions: steps TABLE PROGRAM FROM TO
 *
 * TABLE has rows of uapi/etw_unwind.h for the text of PROGRAM, a static program at a fixed
 * address that is the file's offset plus BIAS in the environment. The program is stepped from
 * the address FROM until TO. The model of its stack is exact: a call pushes its return address,
 * and a stack pointer above that address's place removes it. Prints the number of stops, of
 * stops with another stack than the model, and the deepest stack.
 */
#define _GNU_SOURCE
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/uio.h>
#include <sys/user.h>
#include <sys/wait.h>
#include <unistd.h>
#include "rows.h"

#define DEEPEST	128

static const struct etw_unwind_machine x86 = { .user_end = 0x7ffffffff000 };

struct call {
	__u64 place;	/* of the return address */
	__u64 ip;	/* return address; or, of a signal, where it interrupted */
	bool signal;	/* the return code of a signal handler, then the interrupted function */
};

static struct call calls[DEEPEST];
static __u32 depth, deepest;
static struct etw_unwind_rows table;
static __u64 bias;
static pid_t child;
static char why[64];

static bool read_word(__attribute__((unused)) void *data, __u64 at, __u64 *word)
{
	struct iovec to = { word, sizeof(*word) }, from = { (void *)at, sizeof(*word) };

	return process_vm_readv(child, &to, 1, &from, 1, 0) == sizeof(*word);
}

static void push(__u64 place, __u64 ip, bool is_signal)
{
	if (depth == DEEPEST)
		exit(3);
	calls[depth++] = (struct call){ .place = place, .ip = ip, .signal = is_signal };
	if (depth > deepest)
		deepest = depth;
}

/* What the step from @a to @b did to the model */
static void follow(const struct user_regs_struct *a, const struct user_regs_struct *b, bool handler)
{
	__u64 top = 0;

	while (depth && b->rsp > calls[depth - 1].place && !calls[depth - 1].signal)
		depth--;
	if (depth && calls[depth - 1].signal && b->rip == calls[depth - 1].ip)
		depth--;
	if (handler) {
		push(0, a->rip, true);
		read_word(NULL, b->rsp, &top);
		push(b->rsp, top, false);
		return;
	}
	if (b->rsp == a->rsp - 8 && read_word(NULL, b->rsp, &top) && top > a->rip &&
	    top <= a->rip + 7 && b->rip != top)
		push(b->rsp, top, false);
}

/* Whether the walk finds the model's frames, and goes on above them to the program's end */
static bool is_equal(const struct user_regs_struct *at)
{
	struct etw_unwind_frame frame = {
		.ip = at->rip, .sp = at->rsp, .fp = at->rbp, .exact = true, .has_sp = true,
	};
	enum etw_unwind_end end = ETW_UNWIND_GOES_ON;
	__u32 n, above;

	for (n = 0; n < DEEPEST + 16; n++) {
		__u64 rule = etw_unwind_find(&table, etw_unwind_look_at(&frame) - bias);

		end = etw_unwind_step(&frame, rule, &x86, read_word, NULL);
		if (end)
			break;
		if (n < depth && frame.ip != calls[depth - 1 - n].ip)
			return false;
	}
	above = n - depth;
	snprintf(why, sizeof(why), "end %u at 0x%llx after %u frames", end, frame.ip, n);
	return end == ETW_UNWIND_END_COMPLETE && n >= depth && above >= 1 && above < 16;
}

static __u64 run_to(__u64 from)
{
	long word = ptrace(PTRACE_PEEKTEXT, child, from, 0);
	struct user_regs_struct regs;

	ptrace(PTRACE_POKETEXT, child, from, (word & ~0xffL) | 0xcc);
	ptrace(PTRACE_CONT, child, 0, 0);
	waitpid(child, NULL, 0);
	ptrace(PTRACE_GETREGS, child, 0, &regs);
	ptrace(PTRACE_POKETEXT, child, from, word);
	regs.rip--;
	ptrace(PTRACE_SETREGS, child, 0, &regs);
	return regs.rip;
}

static bool load(const char *path)
{
	static struct etw_unwind_row rows[1 << 17];
	FILE *file = fopen(path, "r");
	size_t nr = file ? fread(rows, sizeof(rows[0]), 1 << 17, file) : 0;
	__u32 refused = nr ? etw_unwind_refused_row(rows, nr) : 1;

	if (refused)
		fprintf(stderr, "row %u of %zu is refused\n", refused, nr);
	return !refused && pack_rows(&table, rows, nr);
}

int main(int argc, char **argv)
{
	unsigned long stops = 0, wrong = 0, to;
	struct user_regs_struct before, now;
	int status, deliver = 0;

	if (argc != 5 || !load(argv[1]))
		return 2;
	bias = strtoull(getenv("BIAS"), NULL, 0);
	to = strtoull(argv[4], NULL, 0);
	child = fork();
	if (!child) {
		ptrace(PTRACE_TRACEME, 0, 0, 0);
		execl(argv[2], argv[2], NULL);
		_exit(127);
	}
	waitpid(child, &status, 0);
	ptrace(PTRACE_SETOPTIONS, child, 0, PTRACE_O_EXITKILL);
	if (run_to(strtoull(argv[3], NULL, 0)) != strtoull(argv[3], NULL, 0))
		return 4;
	ptrace(PTRACE_GETREGS, child, 0, &before);
	while (before.rip != to) {
		if (!is_equal(&before) && wrong++ < 5)
			fprintf(stderr, "wrong at 0x%llx, depth %u: %s\n", before.rip, depth, why);
		stops++;
		if (ptrace(PTRACE_SINGLESTEP, child, 0, deliver) ||
		    waitpid(child, &status, 0) < 0 || !WIFSTOPPED(status))
			return 5;
		ptrace(PTRACE_GETREGS, child, 0, &now);
		follow(&before, &now, deliver);
		deliver = WSTOPSIG(status) == SIGTRAP ? 0 : WSTOPSIG(status);
		before = now;
	}
	printf("%lu %lu %u\n", stops, wrong, deepest);
	return 0;
}
