/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The etw authors */
/* Messages of programs, as TMF files describe them. */
#ifndef ETW_TMF_H
#define ETW_TMF_H

#include <stdint.h>
#include <stdio.h>
#include "libetl/fields.h"
#include "libetl/reader.h"

/* TMF numbers its arguments from here on: lower ones are of the record itself */
#define TMF_FIRST_ARGUMENT	10
#define TMF_ARGUMENTS		64

/* How an item of a message is printed */
enum tmf_class {
	TMF_UNKNOWN,
	TMF_SIGNED,
	TMF_UNSIGNED,
	TMF_HEX,
	TMF_REAL,
	TMF_POINTER,
	TMF_STRING,
	TMF_STRING16,
	TMF_COUNTED,
	TMF_COUNTED16,
	TMF_GUID,
	TMF_SID,
	TMF_BYTES,
	TMF_STATUS,
	TMF_ADDRESS4,
	TMF_ADDRESS6,
	TMF_MAC,
	TMF_PORT,
	TMF_TIME,
	TMF_DURATION,
	TMF_CHARACTERS,
	TMF_LIST,
	TMF_SET,
	TMF_ENUM,
	TMF_FLAGS,
};

/**
 * struct tmf_item - a type of TMF
 * @name: as files have it, in any case
 * @class: how it is printed
 * @size: bytes; 0: the record contains the size, or the size of its pointers
 */
struct tmf_item {
	const char *name;
	enum tmf_class class;
	uint8_t size;
};

/* items.c. Return: the type, or one of class TMF_UNKNOWN */
const struct tmf_item *tmf_item_find(const char *name);

/**
 * struct tmf_name - the name of a value
 * @value: it, or the position of a bit
 * @order: of its reading
 * @text: the name
 */
struct tmf_name {
	uint64_t value;
	uint32_t order;
	const char *text;
};

/**
 * struct tmf_names - names of values
 * @count: how many
 * @name: the names, by value, then order
 */
struct tmf_names {
	size_t count;
	struct tmf_name *name;
};

/**
 * struct tmf_enumeration - names that arguments of several messages may refer to
 * @name: of the enumeration
 * @file: number of the file that contains it
 * @order: of its reading: the last one of several counts
 * @names: the names of its values
 */
struct tmf_enumeration {
	const char *name;
	uint32_t file;
	uint32_t order;
	struct tmf_names names;
};

/**
 * struct tmf_argument - an argument of a message
 * @item: its type
 * @number: by which the format refers to it
 * @names: names of its values, or NULL
 * @enumeration: name of an enumeration, from which tmf_ready() sets @names; or NULL
 */
struct tmf_argument {
	const struct tmf_item *item;
	unsigned int number;
	const struct tmf_names *names;
	const char *enumeration;
};

/**
 * struct tmf_block - the arguments of one or more messages
 * @next: the block that was read before
 * @file: number of the file that contains it
 * @count: arguments
 * @argument: in the order of the record
 */
struct tmf_block {
	struct tmf_block *next;
	uint32_t file;
	unsigned int count;
	struct tmf_argument argument[];
};

/**
 * struct tmf_message - a message, as a TMF file describes it
 * @guid: the message is identified by GUID and number
 * @number: message number
 * @order: of its reading: the last one of several counts
 * @line: of the file
 * @provider: of its GUID
 * @source: such as main_c42
 * @format: text with %10!d!
 * @function: or empty
 * @level: or empty
 * @flags: or empty
 * @block: its arguments; NULL: none
 */
struct tmf_message {
	struct etw_guid guid;
	uint32_t number;
	uint32_t order;
	uint32_t line;
	const char *provider;
	const char *source;
	const char *format;
	const char *function;
	const char *level;
	const char *flags;
	const struct tmf_block *block;
};

/**
 * struct tmf - all messages that are known
 * @messages: by GUID and number, once tmf_ready() was called
 * @count: how many
 * @room: how many fit
 * @enumerations: by name, file and order, once tmf_ready() was called
 * @nr_enumerations: how many
 * @enumeration_room: how many fit
 * @blocks: all of them
 * @files: how many were read
 * @pieces: memory of all that the others point to
 */
struct tmf {
	struct tmf_message *messages;
	size_t count;
	size_t room;
	struct tmf_enumeration *enumerations;
	size_t nr_enumerations;
	size_t enumeration_room;
	struct tmf_block *blocks;
	uint32_t files;
	struct tmf_piece *pieces;
};

/* known.c: memory that tmf_free() frees. Return: NULL: there is none */
void *tmf_keep(struct tmf *tmf, const void *from, size_t bytes);
const char *tmf_keep_text(struct tmf *tmf, const char *from, size_t bytes);
/* Room for one more element in an array that grows */
void *tmf_grow(void *array, size_t count, size_t *room, size_t size);
/* Once all files were read */
void tmf_ready(struct tmf *tmf);
const struct tmf_message *tmf_find(const struct tmf *tmf, const struct etw_guid *guid,
				   uint32_t number);
void tmf_free(struct tmf *tmf);

/* names.c: A,B=5,C as names; values have @size bytes. Return: NULL: there is no memory */
const struct tmf_names *tmf_names_parse(struct tmf *tmf, const char *list, unsigned int size);
/* A value that stands behind a name. Return: false: there is none */
bool tmf_value_parse(const char *text, uint64_t *value);
void tmf_names_sort(struct tmf_names *names);
/* Return: the name of the value, or NULL */
const char *tmf_names_find(const struct tmf_names *names, uint64_t value);

/* load.c. Return: the whole file as UTF-8 with a NUL at its end, or NULL after a message */
char *tmf_load(FILE *from, const char *name);

/*
 * read.c: adds a file's messages. What is no TMF is a warning with file and line, and the rest
 * is read. Return: false after a message: there is no file, or no memory
 */
bool tmf_read(struct tmf *tmf, const char *name);
bool tmf_parse(struct tmf *tmf, FILE *from, const char *name);

/**
 * struct tmf_rest - what a text leaves out
 * @at: bytes of the record behind the last argument
 * @size: of these
 * @truncated: the record ends inside an argument, or the text has no room
 */
struct tmf_rest {
	const uint8_t *at;
	uint32_t size;
	bool truncated;
};

/*
 * message_text.c: the text of a record, which @processor wrote, by its message. It is valid up to
 * the next call; two threads may not call at once. Return: UTF-8, with the bytes of narrow strings
 */
const char *tmf_text(const struct tmf_message *message, const struct etl_record *record,
		     const struct etl_logfile *log, unsigned int processor,
		     struct tmf_rest *rest);
/*
 * message_text.c: adds the text of a MESSAGE record, which @processor wrote.
 * Return: false: the message is not known
 */
bool tmf_decode(const struct tmf *tmf, const struct etl_record *record,
		const struct etl_logfile *log, unsigned int processor, struct fields *fields);

#endif /* ETW_TMF_H */
