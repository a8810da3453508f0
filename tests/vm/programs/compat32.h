/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The etw authors */
/* What the 32-bit program writes, and the tests of programs' events expect. */
#ifndef ETW_TEST_COMPAT32_H
#define ETW_TEST_COMPAT32_H

#define COMPAT_NUMBER		0x3200
#define COMPAT_DATA		"what 32 bits say"
#define COMPAT_DATA_SIZE	16
#define COMPAT_GUID { 0x32, 0x01, 0x02, 0x03, 0x04, 0x05, 0x06, 0x07, 0x08, 0x09, 0x0A, 0x0B, \
		      0x0C, 0x0D, 0x0E, 0x0F }

/* Events in their order; each says its number as its type */
#define COMPAT_PLAIN		0
#define COMPAT_MOF		1
#define COMPAT_GUID_PTR		2
#define COMPAT_INSTANCE		3
#define COMPAT_WRITE		4
#define COMPAT_EVENTS		5
/* 0x18 bytes: both ids, the parent's GUID */
#define COMPAT_INSTANCE_PART	"IDENPAREa parent's GUID."

/* Messages of tool.tmf */
#define COMPAT_PLAIN_NUMBER	10
#define COMPAT_POINTER_NUMBER	11
#define COMPAT_VALUE		42
#define COMPAT_POINTER		0x1234ABCDU

#endif /* ETW_TEST_COMPAT32_H */
