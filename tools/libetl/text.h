/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The etw authors */
/* Text of a trace: UTF-16 to UTF-8 and back, GUIDs, dates. */
#ifndef ETW_TEXT_H
#define ETW_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "etw_format.h"

#define GUID_TEXT	39
/* Room for any number of 64 bits, also for a real one */
#define TEXT_NUMBER	32

/*
 * Each writes at most @room bytes, a terminating zero among them, and cuts at
 * whole characters. What is no valid text becomes U+FFFD.
 * Return: bytes written without the zero.
 */
size_t text_from_utf16(const uint8_t *from, size_t bytes, char *to, size_t room);
size_t text_from_utf32(const uint8_t *from, size_t bytes, char *to, size_t room);
/* Bytes of no known code page: UTF-8 where they are that, else Latin-1 */
size_t text_from_bytes(const uint8_t *from, size_t bytes, char *to, size_t room);
/* The same, with an ellipsis at its end where it was cut */
size_t text_from_bytes_marked(const uint8_t *from, size_t bytes, char *to, size_t room);
size_t text_from_hex(const uint8_t *from, size_t bytes, char *to, size_t room);

/* Digits without a terminator, less than TEXT_NUMBER. Return: how many */
size_t text_from_unsigned(uint64_t value, char *to);
size_t text_from_signed(int64_t value, char *to);
size_t text_from_hex_number(uint64_t value, char *to);
/* As snprintf() of "%s", for text that is printed often */
void text_copy(char *to, size_t room, const char *text);

/* How much of UTF-8 @text fits in @most bytes, by whole characters */
size_t text_fit(const char *text, size_t most);

/* In lower case if it is an ASCII letter, whatever the locale is */
char text_lower(char c);
/* Compares names of sessions as the module does: without the case of ASCII letters */
bool text_is_same_name(const char *a, const char *b);

/*
 * Control characters, of both halves, become '?': nothing of a name steers a terminal. A piece
 * of a character at the end goes: the text may have been cut.
 */
void text_escape_control(char *text);

/* Return: UTF-16 units written, at most @units; no terminator */
size_t text_to_utf16(const char *from, uint16_t *to, size_t units);

void text_from_guid(const struct etw_guid *guid, char to[GUID_TEXT]);
/* With braces or without. Return: false: it is none */
bool text_to_guid(const char *text, struct etw_guid *guid);
/* A SID of @bytes as S-1-5-18; at least 8 bytes */
void text_from_sid(const uint8_t *sid, size_t bytes, char *to, size_t room);
/* FILETIME as "2024-05-06 07:08:09.1234567", UTC */
void text_from_filetime(uint64_t filetime, char *to, size_t room);

/* 100 ns units between 1601 and 1970 */
#define FILETIME_OF_UNIX	116444736000000000ULL

#endif /* ETW_TEXT_H */
