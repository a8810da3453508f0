/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The etw authors */
/* System calls that a filter of the process's own (seccomp) answers, from now on. */
#ifndef FILTER_H
#define FILTER_H

#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

/**
 * filter_calls() - of this thread, and of those that it makes
 * @number: of a call
 * @other: of another one, or @number
 * @verdict: SECCOMP_RET_* of both
 * @flags: SECCOMP_FILTER_FLAG_*
 *
 * Return: 0, or what @flags asked for; -1
 */
static inline int filter_calls(unsigned int number, unsigned int other, unsigned int verdict,
			       unsigned int flags)
{
	struct sock_filter filter[] = {
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, number, 1, 0),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, other, 0, 1),
		BPF_STMT(BPF_RET | BPF_K, verdict),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
	};
	struct sock_fprog program = { .len = 5, .filter = filter };

	if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0))
		return -1;
	return syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, flags, &program);
}

/* They fail with @err */
static inline int forbid(unsigned int number, unsigned int other, unsigned int err)
{
	return filter_calls(number, other, SECCOMP_RET_ERRNO | err, 0);
}

#endif /* FILTER_H */
