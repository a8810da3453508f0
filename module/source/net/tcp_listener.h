/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The etw authors */
/* Processes that listen on TCP ports. */
#ifndef ETW_TCP_LISTENER_H
#define ETW_TCP_LISTENER_H

#include <linux/types.h>

struct kprobe;
struct pt_regs;
struct sock;

void etw_tcp_listeners_prepare(void);
u32 etw_tcp_listener_process(const struct sock *child);
int etw_tcp_enter_hash(struct kprobe *kprobe, struct pt_regs *regs);
int etw_tcp_enter_accept(struct kprobe *kprobe, struct pt_regs *regs);
int etw_tcp_enter_listen_stop(struct kprobe *kprobe, struct pt_regs *regs);

#endif /* ETW_TCP_LISTENER_H */
