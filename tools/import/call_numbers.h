/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The etw authors */
/* Numbers of system calls, which LTTng records by name. */
#ifndef ETW_IMPORT_CALL_NUMBERS_H
#define ETW_IMPORT_CALL_NUMBERS_H

#include <stdint.h>

/* Machines whose numbers are known */
enum call_machine {
	CALL_MACHINE_UNKNOWN,
	CALL_MACHINE_X86_64,
	CALL_MACHINE_ARM64,
};

/* The machine of a kernel whose release is @release, as "6.1.0-18-amd64"; may be NULL */
enum call_machine call_machine_of_release(const char *release);
/* The machine that has the 64-bit system call @name, if only one has it */
enum call_machine call_machine_of_name(const char *name);
/* Return: the number of the 64-bit system call @name, or -1 */
int16_t call_number(const char *name, enum call_machine machine);

#endif /* ETW_IMPORT_CALL_NUMBERS_H */
