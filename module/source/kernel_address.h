/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The etw authors */
/* Address of a kernel symbol, to be shown and never called. */
#ifndef ETW_KERNEL_ADDRESS_H
#define ETW_KERNEL_ADDRESS_H

/* System call tables; a kernel may lack these symbols */
#define ETW_SYSTEM_CALLS	"sys_call_table"
#ifdef CONFIG_X86
#define ETW_SYSTEM_CALLS_32	"ia32_sys_call_table"
#else
#define ETW_SYSTEM_CALLS_32	"compat_sys_call_table"
#endif

unsigned long etw_kernel_address(const char *symbol);

#endif /* ETW_KERNEL_ADDRESS_H */
