/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The etw authors */
/* Failed TCP connection attempts. */
#ifndef ETW_TCP_FAIL_H
#define ETW_TCP_FAIL_H

#include <linux/kprobes.h>

struct sock;

int etw_tcp_enter_connect(struct kretprobe_instance *call, struct pt_regs *regs);
int etw_tcp_return_connect(struct kretprobe_instance *call, struct pt_regs *regs);
void etw_tcp_failed(const struct sock *sk);

#endif /* ETW_TCP_FAIL_H */
