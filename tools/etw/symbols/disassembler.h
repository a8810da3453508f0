/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The etw authors */
/* Instructions as text, by libcapstone, which is loaded only when it is needed. */
#ifndef ETW_DISASSEMBLER_H
#define ETW_DISASSEMBLER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct disassembler;

/**
 * disassembler_open() - get ready for the instructions of a machine
 * @machine: e_machine of ELF headers; x86_64 and arm64 are known
 * @intel: Intel's syntax on x86_64, otherwise AT&T's
 * @why: in words, why there is none
 *
 * Return: NULL: there is none
 */
struct disassembler *disassembler_open(uint16_t machine, bool intel, const char **why);

/**
 * disassembler_next() - get the text of an instruction
 * @with: the disassembler
 * @code: the instruction, and at most @size bytes
 * @size: at least 1
 * @address: of the instruction
 * @text: the instruction, or "(bad)"
 * @room: bytes of @text
 * @target: where a call or jump goes, 0: to no fixed place, or it is none
 *
 * Return: bytes of it, at most @size
 */
size_t disassembler_next(struct disassembler *with, const uint8_t *code, size_t size,
			 uint64_t address, char *text, size_t room, uint64_t *target);
void disassembler_close(struct disassembler *with);

#endif /* ETW_DISASSEMBLER_H */
