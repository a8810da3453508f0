// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* How tables look on a terminal: its width, colours, and numbers for people. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>
#include "common/print_fields.h"
#include "terminal.h"

#define LEAST_WIDTH	8

struct terminal terminal_of_stdout(void)
{
	struct terminal terminal = { .is = isatty(STDOUT_FILENO) };
	const char *columns = getenv("COLUMNS"), *kind = getenv("TERM");
	const char *no_colour = getenv("NO_COLOR");
	struct winsize size;

	if (!terminal.is)
		return terminal;
	terminal.colours = !(no_colour && *no_colour) && kind && strcmp(kind, "dumb");
	if (!ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) && size.ws_col)
		terminal.width = size.ws_col;
	else if (columns && atoi(columns) > 0)
		terminal.width = atoi(columns);
	return terminal;
}

void terminal_begin_head(const struct terminal *terminal)
{
	if (terminal->colours)
		fputs("\033[1m", stdout);
}

void terminal_end_head(const struct terminal *terminal)
{
	if (terminal->colours)
		fputs("\033[0m", stdout);
}

void terminal_count(uint64_t number, char to[TERMINAL_NUMBER])
{
	char digits[TERMINAL_NUMBER];
	int length = snprintf(digits, sizeof(digits), "%" PRIu64, number), i;
	size_t at = 0;

	for (i = 0; i < length; i++) {
		if (i && (length - i) % 3 == 0)
			to[at++] = ',';
		to[at++] = digits[i];
	}
	to[at] = '\0';
}

void terminal_time(int64_t ns, char to[TERMINAL_NUMBER])
{
	int64_t size = ns < 0 ? -ns : ns;

	if (size >= 1000000000)
		snprintf(to, TERMINAL_NUMBER, "%.3f s", ns / 1e9);
	else if (size >= 1000000)
		snprintf(to, TERMINAL_NUMBER, "%.3f ms", ns / 1e6);
	else if (size >= 1000)
		snprintf(to, TERMINAL_NUMBER, "%.3f us", ns / 1e3);
	else
		snprintf(to, TERMINAL_NUMBER, "%" PRId64 " ns", ns);
}

void terminal_bytes(uint64_t bytes, char to[TERMINAL_NUMBER])
{
	static const char *const units[] = { "B", "KB", "MB", "GB", "TB", "PB", "EB" };
	double number = bytes;
	size_t unit = 0;

	for (; number >= 1024 && unit + 1 < sizeof(units) / sizeof(units[0]); unit++)
		number /= 1024;
	snprintf(to, TERMINAL_NUMBER, unit ? "%.1f %s" : "%.0f %s", number, units[unit]);
}

static bool is_start(char c)
{
	return (c & 0xC0) != 0x80;
}

size_t terminal_length(const char *text)
{
	size_t length = 0;

	for (; *text; text++)
		length += is_start(*text);
	return length;
}

/* U+0080 to U+009F. A text that was cut can end behind the first byte. */
static bool is_wide_control(const unsigned char *text)
{
	return text[0] == 0xC2 && text[1] >= 0x80 && text[1] < 0xA0;
}

void terminal_print(const char *text, size_t width, bool fill)
{
	size_t length = terminal_length(text), shown = length > width ? width - 1 : length, i;

	for (i = 0; *text; text++) {
		if (is_start(*text) && i++ == shown)
			break;
		/* control characters would steer the terminal: also those of two bytes */
		if (is_wide_control((const unsigned char *)text)) {
			text++;
			putchar('?');
		} else {
			putchar((unsigned char)*text < ' ' || *text == 0x7F ? '?' : *text);
		}
	}
	if (length > width)
		fputs("\u2026", stdout);
	for (i = length; fill && i < width; i++)
		putchar(' ');
}

void terminal_wrap(const struct terminal *terminal, const char *text, unsigned int indent)
{
	size_t at = 0, length;
	const char *end;

	for (; *text; text = end) {
		end = text + 1 + strcspn(text + 1, " ");
		length = end - text;
		if (terminal->width && at && at + length > terminal->width) {
			printf("\n%*s", indent, "");
			at = indent;
			text++;
			length--;
		}
		fwrite(text, 1, length, stdout);
		at += length;
	}
}

static void print_name(const char *name, size_t width, size_t room)
{
	if (room)
		terminal_print(name, width ? width : 1, false);
	else
		text_print_quoted(name, stdout);
}

void terminal_names(const char *process, const char *thread, size_t room)
{
	size_t widths[] = { terminal_length(process), terminal_length(thread) };

	if (room)
		terminal_shrink(widths, 2, room - 1);
	print_name(process, widths[0], room);
	putchar(' ');
	print_name(thread, widths[1], room);
}

size_t terminal_names_room(const struct terminal *terminal, size_t used)
{
	const size_t least = 2 * LEAST_WIDTH + 1;

	if (!terminal->width)
		return 0;
	return terminal->width > used + least ? terminal->width - used : least;
}

void terminal_shrink(size_t *widths, size_t count, size_t room)
{
	size_t sum = 0, widest, i;

	for (i = 0; i < count; i++)
		sum += widths[i];
	while (sum > room) {
		widest = 0;
		for (i = 1; i < count; i++)
			if (widths[i] > widths[widest])
				widest = i;
		if (widths[widest] <= LEAST_WIDTH)
			break;
		widths[widest]--;
		sum--;
	}
}
