# SPDX-License-Identifier: GPL-2.0
# Copyright (C) 2026 The etw authors
"""What headers declare, and what it evaluates to, as clang sees it. Used by test_headers."""
import codecs
import collections
import json
import os
import re
import subprocess

MACRO = re.compile(r'#define (\w+)(\([^)]*\))?(?: (.*))?$')
MARKER = re.compile(r'# \d+ "([^"]*)"')
UNNAMED = re.compile(r'\b(unnamed|anonymous)\b')
# A field's name is a pair: its record, its path in that
Declared = collections.namedtuple('Declared', 'kind name header text')


class Side:
    """A program that includes headers, and the options that find them."""

    def __init__(self, options, program):
        self.options = options
        self.program = program

    def clang(self, *options, text=None):
        command = ['clang', *self.options, '-w', '-x', 'c', *options, '-']
        return subprocess.run(command, input=(text or self.program).encode(),
                              capture_output=True)

    def output(self, *options, text=None):
        result = self.clang(*options, text=text)
        assert not result.returncode, result.stderr.decode()
        return result.stdout.decode()

    def macros(self):
        """Macros that are defined at the end; text is parameters and body."""
        found, file = {}, ''
        for line in self.output('-E', '-dD').splitlines():
            marker, macro = MARKER.match(line), MACRO.match(line)
            if marker:
                file = os.path.basename(marker.group(1))
            elif line.startswith('#undef '):
                found.pop(line[7:], None)
            elif macro:
                name, parameters, body = macro.groups(default='')
                found[name] = Declared('macro', name, file, (parameters, body))
        return list(found.values())

    def declarations(self):
        """All else; text is the type as it is written."""
        file = ''

        # clang names a file only where it differs from the location before
        def located(pairs):
            nonlocal file
            node = dict(pairs)
            if 'offset' in node:
                file = node.get('file', file)
                node['where'] = os.path.basename(file)
            return node

        tree = json.loads(self.output('-fsyntax-only', '-Xclang', '-ast-dump=json'),
                          object_pairs_hook=located)
        record = None
        for node in tree['inner']:
            yield from declared(node, record)
            # an unnamed record has the name of the typedef that follows
            record = node if node['kind'] == 'RecordDecl' and not node.get('name') else None

    def values(self, lines):
        """{key: value} of {key: definition of @}, without those that do not compile."""
        keys = list(lines)
        head = self.program + '#include <stddef.h>\n'
        first = head.count('\n') + 1

        def text(without):
            return head + ''.join(('' if i in without else lines[key].replace('@', 'v%d' % i)) +
                                  '\n' for i, key in enumerate(keys))

        said = self.clang('-fsyntax-only', '-ferror-limit=0', text=text(())).stderr.decode()
        bad = {int(x) - first for x in re.findall(r'^<stdin>:(\d+):\d+: error', said, re.M)}
        data = assembled(self.output('-S', '-o', '-', text=text(bad)))
        # all that is not ours to name is what DEFINE_GUID() defined, with INITGUID
        return {keys[int(x[1:])] if re.match(r'v\d+$', x) else x: y for x, y in data.items()}


SIZES = {'byte': 1, 'short': 2, 'long': 4, 'quad': 8}


def assembled(text):
    """{label: bytes} of the data in an assembler's text; data with addresses in it is left out."""
    found, label = {}, None
    for line in text.splitlines():
        mark = re.match(r'(\S+):', line)
        what = re.match(r'\t\.(\w+)\t([^#]*)', line)
        if mark:
            label = mark.group(1)
            found[label] = b''
        elif not what or label not in found:
            continue
        elif what.group(1) in SIZES:
            number = what.group(2).strip()
            if re.match(r'-?\d+$', number):
                size = SIZES[what.group(1)]
                found[label] += (int(number) % (1 << 8 * size)).to_bytes(size, 'little')
            else:
                del found[label]
        elif what.group(1) == 'zero':
            found[label] += bytes(int(what.group(2)))
        elif what.group(1) in ('ascii', 'asciz'):
            string = codecs.escape_decode(line.split('"', 1)[1].rsplit('"', 1)[0])[0]
            found[label] += string + b'\0' * (what.group(1) == 'asciz')
    return found


def declared(node, unnamed):
    """The declarations of a node at file level."""
    where = node.get('loc', {})
    where = where.get('expansionLoc', where).get('where', '')
    kind, name = node['kind'], node.get('name')
    text = node.get('type', {}).get('qualType', '')
    if kind == 'TypedefDecl':
        yield Declared('type', name, where, text)
        if unnamed and text in ('struct ' + name, name):
            yield from fields(unnamed, name, '', where)
    elif kind == 'RecordDecl' and name and 'inner' in node:
        name = '%s %s' % (node['tagUsed'], name)
        yield Declared('tag', name, where, '')
        yield from fields(node, name, '', where)
    elif kind == 'EnumDecl':
        for x in node.get('inner', ()):
            if x['kind'] == 'EnumConstantDecl':
                yield Declared('constant', x['name'], where, '')
    elif kind == 'FunctionDecl':
        # calling convention and va_list are the target's
        text = re.sub(r' __attribute__\(.*', '', text).replace('struct __va_list_tag *', 'va_list')
        yield Declared('function', name, where, text)
    elif kind == 'VarDecl':
        yield Declared('object', name, where, text)


def fields(record, of, prefix, where):
    """The fields of a record, of unnamed records in it with their path."""
    inner = None
    for x in record.get('inner', ()):
        if x['kind'] == 'RecordDecl':
            inner = x
        elif x['kind'] == 'FieldDecl':
            name, text = x.get('name', ''), x['type']['qualType']
            unnamed = UNNAMED.search(text)
            if name:
                written = ('' if unnamed else text) + ' bits' * bool(x.get('isBitfield'))
                yield Declared('field', (of, prefix + name), where, written)
            if unnamed and inner:
                yield from fields(inner, of, prefix + (name + '.' if name else ''), where)


def probes(item):
    """{key: definition} with the same values where the declaration is."""
    number = 'const unsigned long long @ = (unsigned long long)(%s);'
    kind, name = item.kind, item.name
    if kind == 'macro' and not item.text[0] and item.text[1]:
        return {(name, 'wide string'): 'const WCHAR @[] = %s;' % name,
                (name, 'string'): 'const char @[] = %s;' % name,
                (name, 'value'): number % name,
                (name, 'size'): number % 'sizeof(%s)' % name}
    if kind == 'constant':
        return {(name, 'value'): number % name}
    if kind in ('type', 'tag'):
        return {(name, 'size'): number % 'sizeof(%s)' % name,
                (name, 'alignment'): number % '_Alignof(%s)' % name}
    if kind == 'field' and item.text.endswith(' bits'):
        return {(name, 'bits'): 'const %s @ = { .%s = -1 };' % name}
    if kind == 'field':
        return {(name, 'offset'): number % 'offsetof(%s, %s)' % name,
                (name, 'size'): number % 'sizeof(((%s *)0)->%s)' % name}
    return {}
