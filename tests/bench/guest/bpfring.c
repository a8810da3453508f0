// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/*
 * The peer of the bench: sched_switch to a BPF ring buffer, without libbpf.
 * bpfring [-s] COMMAND...; -s: with the ids of the kernel's and the program's stack.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <linux/bpf.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#define RING_BYTES	(16U << 20)
#define RECORD		32
/* Two ids of stacks more, and the stacks that a map holds */
#define STACK_IDS	16
#define STACKS		16384
#define FRAMES		127

#define INSN(op, dst, src, offset, value) \
	((struct bpf_insn){ .code = (op), .dst_reg = (dst), .src_reg = (src), \
			    .off = (offset), .imm = (value) })
#define MOVE(dst, src)		INSN(BPF_ALU64 | BPF_MOV | BPF_X, dst, src, 0, 0)
#define SET(dst, value)		INSN(BPF_ALU64 | BPF_MOV | BPF_K, dst, 0, 0, value)
#define CALL(function)		INSN(BPF_JMP | BPF_CALL, 0, 0, 0, function)
#define STORE(dst, offset, src)	INSN(BPF_STX | BPF_MEM | BPF_DW, dst, src, offset, 0)
#define LOAD(dst, src, offset)	INSN(BPF_LDX | BPF_MEM | BPF_DW, dst, src, offset, 0)

enum { R0, R1, R2, R3, R4, R5, CONTEXT, ENTRY };

static int bpf(int command, union bpf_attr *attr)
{
	return syscall(SYS_bpf, command, attr, sizeof(*attr));
}

static void die(const char *what)
{
	fprintf(stderr, "bpfring: %s: %s\n", what, strerror(errno));
	exit(1);
}

static int make_ring(void)
{
	union bpf_attr attr = { .map_type = BPF_MAP_TYPE_RINGBUF, .max_entries = RING_BYTES };
	int fd = bpf(BPF_MAP_CREATE, &attr);

	if (fd < 0)
		die("ring buffer");
	return fd;
}

static int make_stacks(void)
{
	union bpf_attr attr = {
		.map_type = BPF_MAP_TYPE_STACK_TRACE, .key_size = 4,
		.value_size = FRAMES * sizeof(uint64_t), .max_entries = STACKS,
	};
	int fd = bpf(BPF_MAP_CREATE, &attr);

	if (fd < 0)
		die("map of stacks");
	return fd;
}

struct program {
	struct bpf_insn code[64];
	unsigned int nr;
};

static void append(struct program *program, const struct bpf_insn *code, size_t nr)
{
	memcpy(&program->code[program->nr], code, nr * sizeof(code[0]));
	program->nr += nr;
}

#define APPEND(program, ...) do { \
	const struct bpf_insn code_[] = { __VA_ARGS__ }; \
	append(program, code_, sizeof(code_) / sizeof(code_[0])); \
} while (0)

/* {time, current's ids, next task, 0}: as much as a useful record has */
static void write_record(struct program *program)
{
	APPEND(program,
	       MOVE(ENTRY, R0),
	       CALL(BPF_FUNC_ktime_get_ns),
	       STORE(ENTRY, 0, R0),
	       CALL(BPF_FUNC_get_current_pid_tgid),
	       STORE(ENTRY, 8, R0),
	       LOAD(R1, CONTEXT, 16),
	       STORE(ENTRY, 16, R1),
	       INSN(BPF_ST | BPF_MEM | BPF_DW, ENTRY, 0, 24, 0));
}

static void write_stack(struct program *program, int map, int flags, int offset)
{
	APPEND(program,
	       MOVE(R1, CONTEXT),
	       INSN(BPF_LD | BPF_DW | BPF_IMM, R2, BPF_PSEUDO_MAP_FD, 0, map),
	       INSN(0, 0, 0, 0, 0),
	       SET(R3, flags),
	       CALL(BPF_FUNC_get_stackid),
	       STORE(ENTRY, offset, R0));
}

/* @stacks: map of stacks, or -1 */
static void make_program(struct program *program, int ring, int stacks)
{
	unsigned int jump;

	APPEND(program,
	       MOVE(CONTEXT, R1),
	       INSN(BPF_LD | BPF_DW | BPF_IMM, R1, BPF_PSEUDO_MAP_FD, 0, ring),
	       INSN(0, 0, 0, 0, 0),
	       SET(R2, RECORD + (stacks < 0 ? 0 : STACK_IDS)),
	       SET(R3, 0),
	       CALL(BPF_FUNC_ringbuf_reserve),
	       INSN(BPF_JMP | BPF_JEQ | BPF_K, R0, 0, 0, 0));
	jump = program->nr - 1;
	write_record(program);
	if (stacks >= 0) {
		write_stack(program, stacks, 0, RECORD);
		write_stack(program, stacks, BPF_F_USER_STACK, RECORD + 8);
	}
	APPEND(program,
	       MOVE(R1, ENTRY),
	       SET(R2, BPF_RB_NO_WAKEUP),
	       CALL(BPF_FUNC_ringbuf_submit));
	program->code[jump].off = program->nr - jump - 1;
	APPEND(program,
	       SET(R0, 0),
	       INSN(BPF_JMP | BPF_EXIT, 0, 0, 0, 0));
}

static int load_program(int ring, int stacks)
{
	static char log[65536];
	struct program program = { .nr = 0 };
	union bpf_attr attr = {
		.prog_type = BPF_PROG_TYPE_RAW_TRACEPOINT,
		.insns = (uintptr_t)program.code,
		.license = (uintptr_t)"GPL",
		.log_buf = (uintptr_t)log,
		.log_size = sizeof(log),
		.log_level = 1,
	};
	int fd;

	make_program(&program, ring, stacks);
	attr.insn_cnt = program.nr;
	fd = bpf(BPF_PROG_LOAD, &attr);
	if (fd < 0) {
		fputs(log, stderr);
		die("program");
	}
	return fd;
}

int main(int argc, char **argv)
{
	union bpf_attr attr;
	int ring, link, status = 0, stacks = -1;
	unsigned long *positions, record = RECORD;
	pid_t pid;

	if (argc > 1 && !strcmp(argv[1], "-s")) {
		stacks = make_stacks();
		record += STACK_IDS;
		argv++;
		argc--;
	}
	if (argc < 2) {
		fprintf(stderr, "bpfring [-s] COMMAND...\n");
		return 2;
	}
	ring = make_ring();
	memset(&attr, 0, sizeof(attr));
	attr.raw_tracepoint.name = (uintptr_t)"sched_switch";
	attr.raw_tracepoint.prog_fd = load_program(ring, stacks);
	link = bpf(BPF_RAW_TRACEPOINT_OPEN, &attr);
	if (link < 0)
		die("raw tracepoint");
	pid = fork();
	if (!pid) {
		execvp(argv[1], argv + 1);
		_exit(127);
	}
	waitpid(pid, &status, 0);
	close(link);
	/* the second page of a ring holds the producer's position */
	positions = mmap(NULL, 4096, PROT_READ, MAP_SHARED, ring, sysconf(_SC_PAGESIZE));
	if (positions == MAP_FAILED)
		die("mmap");
	printf("bpfring: %lu bytes, %lu records%s\n", positions[0], positions[0] / (record + 8),
	       positions[0] + 4096 > RING_BYTES ? ", FULL" : "");
	return status ? 1 : 0;
}
