/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The etw authors */
/* The numbers in a description of TraceLogging. */
#ifndef ETW_TRACELOGGING_FORM_H
#define ETW_TRACELOGGING_FORM_H

#define TL_TYPE_MASK		0x1F
#define TL_COUNT_MASK		0x60
#define TL_COUNT_CONSTANT	0x20
#define TL_COUNT_VARIABLE	0x40
#define TL_COUNT_CUSTOM		0x60
#define TL_CHAIN		0x80	/* another byte follows */

#endif /* ETW_TRACELOGGING_FORM_H */
