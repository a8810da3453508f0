/* SPDX-License-Identifier: GPL-2.0 */
/* Messages of programs: found in objects, written as and read from TMF files. */
#ifndef ETW_TMF_H
#define ETW_TMF_H

#include <stdint.h>
#include <stdio.h>
#include "../../libetl/fields.h"
#include "../../libetl/reader.h"
#include "../../libetw/include/etw_wpp_format.h"

/* TMF numbers its arguments from here on: lower ones are of the record itself */
#define TMF_FIRST_ARGUMENT	10
#define TMF_ARGUMENTS		64

/**
 * struct wpp_entry - a trace point, as an object describes it
 * @guid: of the messages of its file
 * @number: message number
 * @line: where it is
 * @level: TRACE_LEVEL_*
 * @flags: its flags
 * @types: ETW_WPP_*, 4 bits for each argument
 * @string: by enum etw_wpp_string
 */
struct wpp_entry {
	struct etw_guid guid;
	uint32_t number;
	uint32_t line;
	uint32_t level;
	uint32_t flags;
	uint64_t types;
	char *string[ETW_WPP_NR_STRINGS];
};

/**
 * struct wpp_list - trace points of one or more objects
 * @entries: them
 * @count: how many
 * @room: how many fit
 */
struct wpp_list {
	struct wpp_entry *entries;
	size_t count;
	size_t room;
};

/* object.c: adds an object's trace points. Return: 0, or -1 after telling what is wrong */
int wpp_read_object(const char *name, struct wpp_list *list);
/* Whether this tool was built with what reads objects */
bool wpp_can_read(void);

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
	TMF_BYTES,
	TMF_STATUS,
	TMF_ADDRESS4,
	TMF_PORT,
	TMF_TIME,
	TMF_LIST,
};

/**
 * struct tmf_item - a type of TMF
 * @name: as files have it
 * @class: how it is printed
 * @size: bytes; 0: it tells itself
 */
struct tmf_item {
	const char *name;
	enum tmf_class class;
	uint8_t size;
};

extern const struct tmf_item tmf_items[];

/* Room for what became of a format */
#define TMF_FORMAT	8192

/**
 * struct tmf_format - a format of printf in TMF's words
 * @text: with %10!d! in it, not quoted
 * @count: arguments
 * @item: their types
 * @wrong: what is wrong, in words; empty: nothing
 */
struct tmf_format {
	char text[TMF_FORMAT];
	unsigned int count;
	const char *item[ETW_WPP_ARGUMENTS];
	char wrong[160];
};

/* printf_format.c. Return: false when @format->wrong says why it can't be */
bool tmf_format_make(const char *printf_format, uint64_t types, struct tmf_format *format);
/* write.c: sorts the list. Return: 0, or -1 after telling what is wrong */
int tmf_write(struct wpp_list *list, const char *const *objects, FILE *to);

/**
 * struct tmf_argument - an argument of a message
 * @item: its type
 * @number: by which the format knows it
 * @names: names of values, with NULs between them and two at the end; or NULL
 */
struct tmf_argument {
	const struct tmf_item *item;
	unsigned int number;
	char *names;
};

/**
 * struct tmf_message - a message, as a TMF file describes it
 * @guid: with @number, what it is known by
 * @number: message number
 * @order: of its reading: the last one of several counts
 * @provider: of its GUID
 * @source: such as main_c42
 * @format: text with %10!d!
 * @function: or empty
 * @level: or empty
 * @flags: or empty
 * @count: arguments
 * @arguments: in the order of the record
 */
struct tmf_message {
	struct etw_guid guid;
	uint32_t number;
	uint32_t order;
	char *provider;
	char *source;
	char *format;
	char *function;
	char *level;
	char *flags;
	unsigned int count;
	struct tmf_argument *arguments;
};

/**
 * struct tmf - all messages that are known
 * @messages: by GUID and number, once tmf_ready() was called
 * @count: how many
 * @room: how many fit
 */
struct tmf {
	struct tmf_message *messages;
	size_t count;
	size_t room;
};

/* read.c. Return: false after telling what is wrong */
bool tmf_read(struct tmf *tmf, const char *name);
bool tmf_parse(struct tmf *tmf, FILE *from, const char *name);
void tmf_ready(struct tmf *tmf);
const struct tmf_message *tmf_find(const struct tmf *tmf, const struct etw_guid *guid,
				   uint32_t number);
void tmf_free(struct tmf *tmf);

/* message_text.c: adds the text of a MESSAGE record. Return: false: it is not known */
bool tmf_decode(const struct tmf *tmf, const struct etl_record *record, struct fields *fields);

#endif /* ETW_TMF_H */
