// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* Arguments of USDT probes as tracefs spells them. */
#include <elf.h>
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "usdt_argument.h"

#define REGISTER	8

/* All of a decimal or hexadecimal number with its sign */
static bool read_number(const char *text, size_t length, int64_t *number)
{
	char copy[32], *end;

	if (!length || length >= sizeof(copy))
		return false;
	memcpy(copy, text, length);
	copy[length] = 0;
	errno = 0;
	*number = strtoll(copy, &end, 0);
	return !errno && !*end && strchr("+-0123456789", copy[0]);
}

/* "rax", "eax", "ax", "al" as "ax"; parts as "ah" cannot be fetched */
static bool register_of_x86(const char *name, size_t length, char to[REGISTER])
{
	static const char *const old[] = { "ax", "bx", "cx", "dx", "si", "di", "bp", "sp" };
	char copy[REGISTER], wide[REGISTER], low[REGISTER], *end;
	unsigned long number;
	size_t i;

	if (!length || length >= sizeof(copy))
		return false;
	memcpy(copy, name, length);
	copy[length] = 0;
	if (copy[0] == 'r' && copy[1] >= '0' && copy[1] <= '9') {
		number = strtoul(copy + 1, &end, 10);
		snprintf(to, REGISTER, "r%lu", number);
		return number >= 8 && number <= 15 &&
		       (!*end || (strchr("bdw", *end) && !end[1]));
	}
	for (i = 0; i < sizeof(old) / sizeof(old[0]); i++) {
		snprintf(wide, sizeof(wide), "r%s", old[i]);
		snprintf(low, sizeof(low), i < 4 ? "%.1sl" : "%.2sl", old[i]);
		if (strcmp(copy, old[i]) && strcmp(copy, wide) && strcmp(copy, low) &&
		    (copy[0] != 'e' || strcmp(copy + 1, old[i])))
			continue;
		strcpy(to, old[i]);
		return true;
	}
	return false;
}

/* "$NUMBER", "%REGISTER", "[NUMBER](%REGISTER)" */
static void translate_x86(const char *operand, char *to, size_t room)
{
	const size_t length = strlen(operand);
	const char *open = strchr(operand, '(');
	char name[REGISTER];
	int64_t number = 0;

	if (operand[0] == '$' && read_number(operand + 1, length - 1, &number))
		snprintf(to, room, "\\%" PRId64, number);
	else if (operand[0] == '%' && register_of_x86(operand + 1, length - 1, name))
		snprintf(to, room, "%%%s", name);
	else if (open && open[1] == '%' && operand[length - 1] == ')' &&
		 register_of_x86(open + 2, operand + length - open - 3, name) &&
		 (open == operand || read_number(operand, open - operand, &number)))
		snprintf(to, room, "%+" PRId64 "(%%%s)", number, name);
}

/* "x0", "w0" as "x0" */
static bool register_of_arm64(const char *name, size_t length, char to[REGISTER])
{
	int64_t number;

	if (length == 2 && !strncmp(name, "sp", 2)) {
		strcpy(to, "sp");
		return true;
	}
	if (length < 2 || length > 3 || !strchr("xw", name[0]) || name[1] < '0' || name[1] > '9')
		return false;
	number = strtol(name + 1, NULL, 10);
	snprintf(to, REGISTER, "x%u", (unsigned int)number);
	return number <= 30;
}

/* "NUMBER", "REGISTER", "[REGISTER]", "[REGISTER, NUMBER]" */
static void translate_arm64(const char *operand, char *to, size_t room)
{
	const size_t length = strlen(operand);
	const size_t word = strcspn(operand + 1, ",]");
	const char *rest = operand + 1 + word;
	char name[REGISTER];
	int64_t number = 0;

	if (!strcmp(operand, "xzr") || !strcmp(operand, "wzr")) {
		snprintf(to, room, "\\0");
	} else if (read_number(operand + (operand[0] == '#'), length - (operand[0] == '#'),
			       &number)) {
		snprintf(to, room, "\\%" PRId64, number);
	} else if (register_of_arm64(operand, length, name)) {
		snprintf(to, room, "%%%s", name);
	} else if (operand[0] == '[' && operand[length - 1] == ']' &&
		   register_of_arm64(operand + 1, word, name)) {
		rest += *rest == ',';
		rest += strspn(rest, " #");
		if (*rest == ']' || read_number(rest, strcspn(rest, "]"), &number))
			snprintf(to, room, "%+" PRId64 "(%%%s)", number, name);
	}
}

/* "-4@" as s32. Return: behind it; NULL: it is no integer */
static const char *take_type(const char *text, char *to, size_t room)
{
	const bool negative = *text == '-';
	const char *size = text + negative;

	if (!*size || !strchr("1248", *size) || size[1] != '@')
		return NULL;
	snprintf(to, room, "%c%d", negative ? 's' : 'u', 8 * (*size - '0'));
	return size + 2;
}

/* Up to a blank, which may stand in brackets */
static size_t length_of(const char *at)
{
	size_t length;
	bool inside = false;

	for (length = 0; at[length] && (inside || at[length] != ' '); length++)
		inside = at[length] == '[' || (inside && at[length] != ']');
	return length;
}

bool usdt_argument_take(const char **at, unsigned int machine, struct usdt_argument *argument)
{
	const char *operand;
	size_t length;

	*argument = (struct usdt_argument){ };
	*at += strspn(*at, " ");
	length = length_of(*at);
	if (!length)
		return false;
	snprintf(argument->text, sizeof(argument->text), "%.*s", (int)length, *at);
	*at += length;
	operand = take_type(argument->text, argument->type, sizeof(argument->type));
	if (!operand || !*operand || length >= sizeof(argument->text))
		return true;
	if (machine == EM_X86_64)
		translate_x86(operand, argument->fetch, sizeof(argument->fetch));
	else if (machine == EM_AARCH64)
		translate_arm64(operand, argument->fetch, sizeof(argument->fetch));
	return true;
}
