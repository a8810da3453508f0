/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The etw authors */
/* Arguments of USDT probes as tracefs spells them. */
#ifndef ETW_PROBES_USDT_ARGUMENT_H
#define ETW_PROBES_USDT_ARGUMENT_H

#include <stdbool.h>
#include <stddef.h>

/* Arguments that a probe can have */
#define USDT_ARGUMENTS	12

/**
 * struct usdt_argument - an argument of a note
 * @text: as the note has it
 * @fetch: as tracefs takes it, "%di"
 * @type: of the value, "s32"
 */
struct usdt_argument {
	char text[64];
	char fetch[64];
	char type[8];
};

/*
 * Takes the next argument of a note's text, as the assembler of @machine spells it, and moves @at
 * behind it. Return: false: there is none. Without a @fetch, tracefs cannot fetch it.
 */
bool usdt_argument_take(const char **at, unsigned int machine, struct usdt_argument *argument);

#endif /* ETW_PROBES_USDT_ARGUMENT_H */
