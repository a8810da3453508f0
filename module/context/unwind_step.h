/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The etw authors */
/* One step of a walk over a program's stack: from a function to its caller; pure. */
#ifndef ETW_UNWIND_STEP_H
#define ETW_UNWIND_STEP_H

#include <linux/compiler.h>
#include <linux/types.h>
#include "unwind_rows.h"

/**
 * struct etw_unwind_frame - registers of a function
 * @ip: its instruction, or the return address into it
 * @sp: stack pointer; or, without @has_sp, an address below which it is not
 * @fp: frame pointer
 * @lr: with @exact: link register (arm64)
 * @exact: @ip is an instruction that the thread will execute, not a return address. The
 *	return address may still be in the link register
 * @has_sp: @sp is the stack pointer
 */
struct etw_unwind_frame {
	__u64 ip;
	__u64 sp;
	__u64 fp;
	__u64 lr;
	bool exact;
	bool has_sp;
};

/**
 * struct etw_unwind_machine - what differs between processors
 * @user_end: end of the addresses of programs
 * @arm64: arm64, otherwise x86_64
 */
struct etw_unwind_machine {
	__u64 user_end;
	bool arm64;
};

/* Reads a word of the program's memory; false if it cannot be read without a page fault. */
typedef bool etw_unwind_read(void *data, __u64 at, __u64 *word);

/* Offsets in the kernel's frame of a signal, from the stack pointer of its return code */
#define ETW_UNWIND_X86_BP	120
#define ETW_UNWIND_X86_SP	160
#define ETW_UNWIND_X86_IP	168
#define ETW_UNWIND_ARM64_FP	544
#define ETW_UNWIND_ARM64_LR	552
#define ETW_UNWIND_ARM64_SP	560
#define ETW_UNWIND_ARM64_PC	568

/* Pointer authentication is in the high bits of arm64's return addresses. */
static __always_inline __u64 etw_unwind_plain(const struct etw_unwind_machine *m, __u64 address)
{
	return m->arm64 ? address & (m->user_end - 1) : address;
}

static __always_inline bool etw_unwind_is_word(const struct etw_unwind_machine *m, __u64 at)
{
	return !(at % sizeof(__u64)) && at && at <= m->user_end - sizeof(__u64);
}

/* A signal may have changed to another stack, so the stack pointer may be anywhere. */
static __always_inline enum etw_unwind_end
etw_unwind_by_signal(struct etw_unwind_frame *f, const struct etw_unwind_machine *m,
		     etw_unwind_read *read, void *data)
{
	struct etw_unwind_frame next = { .exact = true, .has_sp = true };
	const __u64 sp = f->sp;

	if (!f->has_sp || !etw_unwind_is_word(m, sp))
		return ETW_UNWIND_END_RULE;
	if (!read(data, sp + (m->arm64 ? ETW_UNWIND_ARM64_PC : ETW_UNWIND_X86_IP), &next.ip) ||
	    !read(data, sp + (m->arm64 ? ETW_UNWIND_ARM64_SP : ETW_UNWIND_X86_SP), &next.sp) ||
	    !read(data, sp + (m->arm64 ? ETW_UNWIND_ARM64_FP : ETW_UNWIND_X86_BP), &next.fp) ||
	    (m->arm64 && !read(data, sp + ETW_UNWIND_ARM64_LR, &next.lr)))
		return ETW_UNWIND_END_NOT_PRESENT;
	if (!next.ip || next.ip >= m->user_end)
		return ETW_UNWIND_END_RULE;
	*f = next;
	return ETW_UNWIND_GOES_ON;
}

/*
 * Frame records lie above each other. On x86_64 the caller's stack pointer is directly
 * above its record; on arm64 the record may be anywhere in the caller's frame.
 */
static __always_inline enum etw_unwind_end
etw_unwind_by_fp(struct etw_unwind_frame *f, const struct etw_unwind_machine *m,
		 enum etw_unwind_end otherwise, etw_unwind_read *read, void *data)
{
	const __u64 at = f->fp;
	__u64 fp, ip;

	if (at < f->sp || !etw_unwind_is_word(m, at))
		return otherwise;
	if (!read(data, at, &fp) || !read(data, at + sizeof(fp), &ip))
		return ETW_UNWIND_END_NOT_PRESENT;
	ip = etw_unwind_plain(m, ip);
	if (!ip || ip >= m->user_end)
		return otherwise;
	*f = (struct etw_unwind_frame){
		.ip = ip, .sp = at + 2 * sizeof(fp), .fp = fp, .has_sp = !m->arm64,
	};
	return ETW_UNWIND_GOES_ON;
}

/* Return: false if the word that contains the CFA cannot be read. */
static __always_inline bool etw_unwind_cfa(const struct etw_unwind_frame *f,
					   union etw_unwind_rule rule, etw_unwind_read *read,
					   void *data, __u64 *cfa)
{
	switch (rule.cfa) {
	case ETW_UNWIND_FP:
		*cfa = f->fp + rule.cfa_offset;
		return true;
	case ETW_UNWIND_PLT:
		*cfa = f->sp + ((int)(f->ip & 15) >= rule.cfa_offset ? 16 : 8);
		return true;
	case ETW_UNWIND_SP_DEREF:
		return read(data, f->sp + rule.cfa_offset, cfa);
	case ETW_UNWIND_FP_DEREF:
		return read(data, f->fp + rule.cfa_offset, cfa);
	default:
		*cfa = f->sp + rule.cfa_offset;
		return true;
	}
}

static __always_inline bool etw_unwind_needs_sp(union etw_unwind_rule rule)
{
	return rule.cfa != ETW_UNWIND_FP && rule.cfa != ETW_UNWIND_FP_DEREF;
}

/* The CFA grows, so that each step makes progress; only a leaf of arm64 may have no frame. */
static __always_inline bool etw_unwind_is_cfa(const struct etw_unwind_frame *f,
					      const struct etw_unwind_machine *m, __u64 cfa)
{
	return etw_unwind_is_word(m, cfa) && (cfa > f->sp || (cfa == f->sp && f->exact));
}

/* The caller's registers, once its CFA is known */
static __always_inline enum etw_unwind_end
etw_unwind_above(struct etw_unwind_frame *f, union etw_unwind_rule rule,
		 const struct etw_unwind_machine *m, __u64 cfa, etw_unwind_read *read, void *data)
{
	__u64 ip = f->lr, fp = f->fp;

	if (rule.ra_offset == ETW_UNWIND_RA_REGISTER) {
		if (!f->exact || !m->arm64)
			return ETW_UNWIND_END_RULE;
	} else if (!read(data, cfa + rule.ra_offset, &ip)) {
		return ETW_UNWIND_END_NOT_PRESENT;
	}
	if (rule.fp_offset != ETW_UNWIND_FP_SAME && !read(data, cfa + rule.fp_offset, &fp))
		return ETW_UNWIND_END_NOT_PRESENT;
	ip = etw_unwind_plain(m, ip);
	if (!ip || ip >= m->user_end)
		return ETW_UNWIND_END_RULE;
	*f = (struct etw_unwind_frame){ .ip = ip, .sp = cfa, .fp = fp, .has_sp = true };
	return ETW_UNWIND_GOES_ON;
}

/**
 * etw_unwind_step() - go from a function to its caller
 * @f: in: registers of the function; out: those of the caller, unless the stack ends
 * @word: union etw_unwind_rule of the function's instruction, or of the one before a return
 *	address
 * @m: the machine
 * @read: reads a word of the program
 * @data: argument of @read
 *
 * Without a usable rule the frame pointer leads to the caller.
 *
 * Return: ETW_UNWIND_GOES_ON, or why the stack ends.
 */
static __always_inline enum etw_unwind_end
etw_unwind_step(struct etw_unwind_frame *f, __u64 word, const struct etw_unwind_machine *m,
		etw_unwind_read *read, void *data)
{
	const union etw_unwind_rule rule = { .word = word };
	__u64 cfa;

	if (!rule.known)
		return etw_unwind_by_fp(f, m, ETW_UNWIND_END_NO_TABLE, read, data);
	if (rule.cfa == ETW_UNWIND_END)
		return ETW_UNWIND_END_COMPLETE;
	if (rule.cfa == ETW_UNWIND_SIGNAL)
		return etw_unwind_by_signal(f, m, read, data);
	if (rule.cfa == ETW_UNWIND_NONE || (!f->has_sp && etw_unwind_needs_sp(rule)))
		return etw_unwind_by_fp(f, m, ETW_UNWIND_END_RULE, read, data);
	if (!etw_unwind_cfa(f, rule, read, data, &cfa))
		return ETW_UNWIND_END_NOT_PRESENT;
	if (!etw_unwind_is_cfa(f, m, cfa))
		return ETW_UNWIND_END_RULE;
	return etw_unwind_above(f, rule, m, cfa, read, data);
}

/**
 * etw_unwind_look_at() - the instruction whose rule leads to the caller
 * @f: registers of the function
 *
 * A call may be the last instruction of its function, so the one before the return address
 * counts.
 */
static __always_inline __u64 etw_unwind_look_at(const struct etw_unwind_frame *f)
{
	return f->ip - !f->exact;
}

#endif /* ETW_UNWIND_STEP_H */
