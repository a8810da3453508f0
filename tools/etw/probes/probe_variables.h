/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The etw authors */
/* Arguments of probes that are names of variables. */
#ifndef ETW_PROBES_PROBE_VARIABLES_H
#define ETW_PROBES_PROBE_VARIABLES_H

#include <stddef.h>
#include <stdint.h>

/**
 * struct probe_variable - where a variable is
 * @fetch: its value, as tracefs fetches it: "%di", "+8(%sp)", "$arg1"; "": the kernel finds it
 * @type: of its value: "s32"; "string": its value is the address of one
 */
struct probe_variable {
	char fetch[64];
	char type[16];
};

/* Finds a variable. Return: NULL, or why there is none */
typedef const char *probe_variable_find(void *context, const char *name,
					struct probe_variable *variable);

/*
 * Replaces [NAME=]VARIABLE[:TYPE] among the arguments by what tracefs takes. Return: NULL, or why
 * not, with the name of the variable at @wrong
 */
const char *probe_variables_replace(const char *arguments, probe_variable_find *find, void *context,
				    char *to, size_t room, char wrong[64]);

/* btf_function.c: an argument of a kernel's function, by the kernel's BTF */
probe_variable_find btf_find_argument;

/**
 * struct program_place - a place in a program
 * @path: of the program
 * @offset: in the file
 */
struct program_place {
	const char *path;
	uint64_t offset;
};

/* program_variable.c: a variable at a place, by DWARF. @context: a struct program_place */
probe_variable_find program_find_variable;

/* Places of a source line that an error can list */
#define LINE_PLACES	16

/**
 * struct line_places - the code of a source line
 * @offsets: in the file, of the first LINE_PLACES functions that contain code of the line
 * @count: number of these functions; code that is inlined counts for itself. Above LINE_PLACES,
 *	rows of the line table are counted
 * @next: the next line that has code; 0: there is none
 */
struct line_places {
	uint64_t offsets[LINE_PLACES];
	unsigned int count;
	unsigned int next;
};

/*
 * program_line.c: finds the code of a line. @source: the end of the source file's path. Return:
 * NULL, or why it is not known
 */
const char *program_find_line(const char *path, const char *source, unsigned int line,
			      struct line_places *places);

#endif /* ETW_PROBES_PROBE_VARIABLES_H */
