#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
# Copyright (C) 2026 The etw authors
"""Makes a program that traces, and prints by printf, the same random values.

generate.py COUNT SEED >program.c (C11 and C++17)

The program: "program FILE" traces into a private logger, "program device" into
whichever session enables the provider, for which it waits. It prints a text for
each message, each ended by 036. What has no listener works nothing out: the
exit status says.
"""
import random
import sys

HEAD = r'''#define ETW_TRACE_PROVIDER random_values
#define ETW_TRACE_GUID 0x51d6ba0e, 0x7f3a, 0x4c52, 0x8e, 0x17, 0x90, 0x3c, 0x55, 0x0b, 0xd4, 0x61
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "etw_wpp.h"

enum colour { RED, GREEN, BLUE = 70000 };

struct bits {
	unsigned int low : 3;
	int high : 5;
};

static const GUID guids[2] = {
	{ 0x01234567, 0x89ab, 0xcdef, { 1, 2, 3, 4, 5, 6, 7, 8 } },
	{ 0xfedcba98, 0x7654, 0x3210, { 0xf0, 0xe1, 0xd2, 0xc3, 0xb4, 0xa5, 0x96, 0x87 } },
};
static const unsigned char bytes[] = { 0, 1, 0x7f, 0x80, 0xff, 0xa, 0x20, 0x25 };
/* no NUL at its end: the next byte would show */
static const struct {
	char text[8];
	char behind[8];
} open_ended = { { 'u', 'n', 'e', 'n', 'd', 'i', 'n', 'g' }, "WRONG" };
static const struct bits bits = { 5, -7 };
static long long unused;

/* What a program's own calls said is still there behind a trace point. */
static void errors(void)
{
	errno = 77;
	SetLastError(88);
	ETW_TRACE(1, 1, "errors %d %u", errno, GetLastError());
	printf("errors %d %u\036", errno, GetLastError());
}

'''

TAIL = r'''
/* Nobody wants these, nor are their arguments worked out */
static void silent(void)
{
	ETW_TRACE(6, 1, "too detailed %lld", ++unused);
	ETW_TRACE(1, 0x100, "another flag %lld", ++unused);
}

static int private_logger(const char *file)
{
	struct {
		EVENT_TRACE_PROPERTIES properties;
		char name[16];
		char file[1024];
	} block;
	TRACEHANDLE handle;
	ULONG err;

	memset(&block, 0, sizeof(block));
	block.properties.Wnode.BufferSize = sizeof(block);
	block.properties.Wnode.Flags = WNODE_FLAG_TRACED_GUID;
	block.properties.Wnode.Guid = guids[0];
	block.properties.LogFileMode = EVENT_TRACE_PRIVATE_LOGGER_MODE |
				       EVENT_TRACE_FILE_MODE_SEQUENTIAL;
	block.properties.BufferSize = 64;
	block.properties.MinimumBuffers = block.properties.MaximumBuffers = 16;
	block.properties.LoggerNameOffset = sizeof(block.properties);
	block.properties.LogFileNameOffset = sizeof(block.properties) + sizeof(block.name);
	snprintf(block.file, sizeof(block.file), "%s", file);
	err = StartTraceA(&handle, "wpp", &block.properties);
	if (err) {
		fprintf(stderr, "StartTrace: %u\n", err);
		return 1;
	}
	ETW_TRACE_TO(handle, 5, 0xFF);
	all();
	silent();
	ETW_TRACE_OFF();
	silent();
	return !!ControlTraceA(handle, NULL, &block.properties, EVENT_TRACE_CONTROL_STOP);
}

static int device(void)
{
	ULONG err = ETW_TRACE_INIT();
	int i;

	if (err) {
		fprintf(stderr, "RegisterTraceGuids: %u\n", err);
		return 1;
	}
	for (i = 0; i < 200 && !ETW_TRACE_ENABLED(1, 0); i++)
		Sleep(50);
	all();
	silent();
	ETW_TRACE_CLEANUP();
	silent();
	return i == 200;
}

int main(int argc, char **argv)
{
	int err;

	if (argc != 2)
		return 2;
	err = strcmp(argv[1], "device") ? private_logger(argv[1]) : device();
	return err || unused;
}
'''

r = random.Random(int(sys.argv[2]))
INTS = [0, 1, -1, 9, 127, 128, 255, -128, 32767, -32768, 65535, 2147483647, -2147483648]
LONGS = INTS + [4294967295, 1 << 40, -(1 << 40), (1 << 63) - 1, -(1 << 63)]
TEXTS = ['', 'a', 'text', 'with space', '100%%', 'quote\\"d', 'back\\\\slash', 'tab\\there',
         'new\\nline', 'gr\\303\\274n', '\\342\\202\\254', 'x' * 200]


def literal(value, kind):
    if kind == 'int':
        return '(-2147483647 - 1)' if value == -2147483648 else '(int)%dLL' % value
    if value == -(1 << 63):
        return '(%s)(-9223372036854775807LL - 1)' % kind
    return '(%s)%dLL' % (kind, value)


def flags(allowed):
    return ''.join(sorted(x for x in allowed if r.random() < .2))


def width():
    return r.choice(['', '', str(r.randrange(1, 30))])


def star():
    """A width or a precision, and the argument for it."""
    return '*', ['%d' % r.choice([0, 1, 7, 30, -1, -12])]


def integer():
    letter = r.choice('diuxXoc')
    if letter == 'c':
        return '%%%s%sc' % (flags('-'), width()), [r.choice(["'A'", "'~'", "'0'"])]
    length, kind, values = r.choice([
        ('', 'int', INTS), ('hh', 'int', INTS), ('h', 'int', INTS), ('l', 'long', INTS),
        ('ll', 'long long', LONGS), ('j', 'intmax_t', LONGS), ('z', 'size_t', LONGS),
        ('t', 'ptrdiff_t', INTS), ('', 'char', INTS), ('', 'short', INTS),
        ('', 'unsigned char', INTS), ('', 'unsigned int', INTS), ('', 'bits', INTS),
        ('', 'colour', INTS), ('', 'bool', INTS)])
    value = {'bits': r.choice(['bits.low', 'bits.high']), 'colour': 'BLUE',
             'bool': r.choice(['1 > 2', '!0'])}.get(kind)
    value = value or literal(r.choice(values), kind)
    signs = '-+ 0' if letter in 'di' else '-0' if letter == 'u' else '-#0'
    w, arguments = (width(), []) if r.random() < .8 else star()
    p, more = r.choice([('', []), ('', []), ('.%d' % r.randrange(0, 25), []), ('.', [])])
    if r.random() < .1:
        p, more = '.*', ['%d' % r.choice([0, 3, 20, -1])]
    return '%%%s%s%s%s%s' % (flags(signs), w, p, length, letter), arguments + more + [value]


def real():
    value = r.choice(['0.0', '-0.0', '1.0', '3.14159', '-2.5e-10', '1e300', '6.02e23', '1.0f',
                      '0.1f', '1.0 / 3', '(double)INFINITY_', '123456789.125'])
    value = value.replace('(double)INFINITY_', '__builtin_inf()')
    p = r.choice(['', '.0', '.3', '.15', '.'])
    return '%%%s%s%s%s' % (flags('-+ 0#'), width(), p, r.choice('eEfFgGaA')), [value]


def string():
    text = '"%s"' % r.choice(TEXTS)
    how = r.randrange(6)
    if how == 0:
        return '%%%s%s.%ds' % (flags('-'), width(), r.randrange(0, 8)), ['open_ended.text']
    if how == 1:
        return '%%%s%s.*s' % (flags('-'), width()), ['%d' % r.randrange(0, 9), 'open_ended.text']
    if how == 2:
        return '%%%s%ss' % (flags('-'), width()), ['(const char *)NULL_']
    if how == 3:
        n = r.randrange(0, 9)
        return '%%%s%ss' % (flags('-'), width()), [
            ('ETW_TEXT(open_ended.text, %d)' % n, '"%s"' % 'unending'[:n])]
    if how == 4:
        w, arguments = star()
        return '%' + w + 's', arguments + [text]
    return '%%%s%ss' % (flags('-'), width()), [text]


def pointer():
    # the same address in both, whatever it is
    return '%%%s%sp' % (flags('-'), width()), [
        r.choice(['(void *)0', '(void *)0x1234', '(void *)&unused', '(const void *)bytes',
                  '(void *)(uintptr_t)-1'])]


def ours():
    how = r.randrange(4)
    if how == 0:
        i = r.randrange(2)
        text = ('01234567-89ab-cdef-0102-030405060708', 'fedcba98-7654-3210-f0e1-d2c3b4a59687')[i]
        return ('%pU', '%s'), [(r.choice(['guids[%d]', '&guids[%d]']) % i, '"%s"' % text)]
    if how == 1:
        n = r.randrange(0, 9)
        text = ' '.join('%02x' % x for x in (0, 1, 0x7f, 0x80, 0xff, 0xa, 0x20, 0x25)[:n])
        return ('%ph', '%s'), [('ETW_BYTES(bytes, %d)' % n, '"%s"' % text)]
    text = r.choice(['', 'wide', 'gr\\u00fcn', '\\U0001F600!'])
    if how == 2:
        return ('%pW', '%s'), [('u"%s"' % text, 'u8"%s"' % text)]
    return ('%pW', '%s'), [('ETW_TEXT16(u"wide", 2)', '"wi"')]


def message(i):
    """One trace point: format and arguments, as ETW_TRACE and as printf take them."""
    made = [r.choice([integer, integer, real, string, pointer, ours])()
            for _ in range(r.randrange(0, 6))]
    formats = [[], []]
    arguments = [[], []]
    for spec, values in made:
        between = r.choice(['', ' ', ', ', '%%', '=', '!', '"', '\\\\', '%%!'])
        between = between.replace('"', '\\"')
        for side in (0, 1):
            formats[side].append(between + (spec if isinstance(spec, str) else spec[side]))
            arguments[side] += [v if isinstance(v, str) else v[side] for v in values]
    call = []
    for side in (0, 1):
        text = ''.join([', ' + x for x in arguments[side]]).replace('NULL_', 'none')
        call.append('"m%d:%s"%s' % (i, ''.join(formats[side]), text))
    level, wanted = r.randrange(1, 6), r.choice([0, 1, 0x80, 0x181])
    return '\tETW_TRACE(%d, 0x%x, %s);\n\tprintf(%s);\n\tputchar(036);\n' % (
        level, wanted, call[0], call[1])


def main(count):
    print(HEAD, end='')
    for i in range(0, count, 10):
        print('static void part%d(void)\n{\n\tconst char *none = NULL;\n\n\t(void)none;' % i)
        print(''.join(message(j) for j in range(i, min(i + 10, count))) + '}\n')
    calls = ''.join('\tpart%d();\n' % i for i in range(0, count, 10))
    print('static void all(void)\n{\n\terrors();\n%s}' % calls)
    print(TAIL, end='')


main(int(sys.argv[1]))
