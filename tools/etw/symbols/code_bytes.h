/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The etw authors */
/* The bytes of code, from a program's file or the running kernel's memory. */
#ifndef ETW_CODE_BYTES_H
#define ETW_CODE_BYTES_H

#include <stddef.h>
#include <stdint.h>

/* The running kernel's memory as an ELF file, for root */
#define KERNEL_MEMORY	"/proc/kcore"

/**
 * code_bytes_read() - read bytes at an address of an ELF file of 64 bits
 * @path: the file
 * @address: as its program headers say
 * @to: gets the bytes
 * @size: of them
 * @machine: gets e_machine of the file's header
 *
 * Return: NULL, or in words, why they can't be had.
 */
const char *code_bytes_read(const char *path, uint64_t address, uint8_t *to, size_t size,
			    uint16_t *machine);

#endif /* ETW_CODE_BYTES_H */
