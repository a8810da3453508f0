/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The etw authors */
/* End of the addresses of 64-bit programs. */
#ifndef ETW_USER_END_H
#define ETW_USER_END_H

#include <asm/processor.h>

/* arm64's TASK_SIZE_MAX includes address bits that the kernel supports but this CPU may lack */
#ifdef CONFIG_ARM64
#define ETW_USER_END	TASK_SIZE_64
#else
#define ETW_USER_END	TASK_SIZE_MAX
#endif

#endif /* ETW_USER_END_H */
