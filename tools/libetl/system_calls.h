/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The etw authors */
/* Linux' system calls by their numbers and by their names. */
#ifndef ETW_SYSTEM_CALLS_H
#define ETW_SYSTEM_CALLS_H

#include <stddef.h>
#include <stdint.h>

/* ProcessorArchitecture of SystemConfig/CPU */
#define MACHINE_AMD64	9
#define MACHINE_ARM64	12
#define MACHINE_UNKNOWN	0xFFFF

/**
 * struct system_call - a system call
 * @name: without "sys_"
 * @number: on x86_64 and on arm64; SYSTEM_CALL_NONE: this machine does not have it
 * @arguments: how many it takes, at most 6
 */
struct system_call {
	const char *name;
	uint16_t number[2];
	uint8_t arguments;
};

#define SYSTEM_CALL_NONE	UINT16_MAX

/* The machine that this program runs on; 0: another one */
uint16_t system_call_machine(void);
/* The call of a 64-bit program. Return: NULL: the number or the machine is unknown */
const struct system_call *system_call_of(uint16_t machine, uint64_t number);
/*
 * The call @name, which may be that of the kernel's function without "sys_", as LTTng records it
 * (newfstat). Return: NULL: the name is unknown
 */
const struct system_call *system_call_named(const char *name);
/* Return: SYSTEM_CALL_NONE: the machine does not have it, or is unknown */
uint16_t system_call_number(const struct system_call *call, uint16_t machine);

#endif /* ETW_SYSTEM_CALLS_H */
