# SPDX-License-Identifier: GPL-2.0
# Copyright (C) 2026 The etw authors
"""The words and the long sentences that the style guide rules out (CONTRIBUTING.md, Language).

language.py PATH...: prints each of them

The text of a file is its paragraphs, comments, docstrings and messages. Quoted terms, code,
examples and links are left out. Each cell of a table and each item of a list is text by itself.
"""
import collections
import re
import subprocess
import sys

# a relative clause that names its actor
NAMED = re.compile(r'\b(?:users?|engineers?)\s+who\b', re.I)
WORDS = {
    'who': re.compile(r"(?<![\w'/-])(?:who|whom|whose|whoever|nobody|somebody|anybody)\b", re.I),
    'told': re.compile(r'\b(?:un)?told\b|\btell(?:s|ing)?\b', re.I),
    'mend': re.compile(r'\bmend(?:s|ed|ing)?\b', re.I),
    'red': re.compile(r'\b(?:is|are|was|were|be|been|go|goes|turns?|turned|stays?) red\b', re.I),
}
LONGEST = 30	# words of a sentence

Finding = collections.namedtuple('Finding', 'path line kind text')


def clean(text):
    """text without what is quoted"""
    text = re.sub(r'``[^`]*``|`[^`]*`', 'X', text)
    text = re.sub(r'"[^"]{0,80}"', 'X', text)
    text = re.sub(r'https?://\S+', 'X', text)
    text = re.sub(r'\[([^]]*)\]\([^)]*\)', r'\1', text)
    return NAMED.sub('X', text)


def paragraphs(lines, first=1):
    """(line, text) of lines of plain text: a blank line, an item or another indent ends one"""
    found, indent = [], None
    for number, line in enumerate(lines, first):
        item = re.match(r'\s*(?:[*-]|\d+\.|#+|@[\w.]+:)\s+', line)
        text = line.strip()
        if not re.search(r'\w', text):
            indent = None
            continue
        here = item.end() if item else len(line) - len(line.lstrip())
        if item or here != indent:
            found.append([number, ''])
        found[-1][1] += ' ' + (line[item.end():] if item else text)
        indent = here
    return found


def table(lines, first):
    """(line, text) of the cells of a simple table, its borders included"""
    starts = [m.start() for m in re.finditer('=+', lines[0])]
    found = []
    for number, line in enumerate(lines, first):
        if re.match(r'[= ]+$', line):
            continue
        cells = [line[a:b].strip() for a, b in zip(starts, starts[1:] + [None])]
        if cells[0] or not found:
            found.append([[number, ''] for _ in starts])
        for cell, text in zip(found[-1], cells):
            # an event or a field has its own sentence
            cell[1] += ' ' + text
    return [cell for row in found for cell in row]


def rst(lines):
    """(line, text) of a page: without literal blocks and directives, tables by their cells"""
    found, plain, i = [], list(lines), 0
    while i < len(plain):
        line, after = plain[i], i + 1
        if re.match(r' *=+( +=+)+$', line):
            borders = 0
            while after < len(plain) and (borders == 0 or plain[after].strip()):
                borders += bool(re.match(r' *=+( +=+)+$', plain[after]))
                after += 1
            while borders == 1 and after < len(plain) and plain[after].strip():
                after += 1
            found += table(plain[i:after], i + 1)
        elif line.endswith('::') or line.startswith('.. '):
            indent = len(line) - len(line.lstrip())
            while after < len(plain) and (not plain[after].strip() or
                                          len(plain[after]) - len(plain[after].lstrip()) > indent):
                after += 1
            if not line.startswith('.. '):
                i += 1
        else:
            i = after
            continue
        plain[i:after] = [''] * (after - i)
        i = after
    return found + paragraphs(plain)


def markdown(lines):
    """(line, text) of a page: without code, tables by their cells"""
    found, plain, code = [], [], False
    for number, line in enumerate(lines, 1):
        code ^= line.startswith('```')
        if line.startswith('|'):
            found += [[number, cell] for cell in line.split('|')]
        plain.append('' if code or line.startswith(('```', '|', '    ')) else line)
    return found + paragraphs(plain)


def manual(lines):
    """(line, text) of a manual page: without examples, a macro ends a paragraph"""
    plain, code = [], False
    for line in lines:
        code = (code or line.startswith(('.EX', '.nf'))) and not line.startswith(('.EE', '.fi'))
        line = re.sub(r'\\f[BIRP]|\\&', '', line.replace('\\-', '-'))
        plain.append('' if code or line.startswith(('.', "'")) else line)
    return paragraphs(plain)


def comments(text):
    """(line, text) of C: comments, and strings that are sentences"""
    found = []
    for match in re.finditer(r'/\*.*?\*/|//[^\n]*|"(?:[^"\\\n]|\\.)*"', text, re.S):
        first, part = text.count('\n', 0, match.start()) + 1, match.group()
        if part.startswith('"'):
            if part.count(' ') > 1:
                found.append([first, re.sub(r'\\.', ' ', part[1:-1])])
            continue
        part = re.sub(r'^\s*/?\*+/?', '', part.replace('*/', '  '), flags=re.M)
        # a row of a table has tabs or blanks between its columns
        found += paragraphs(['' if re.search(r'\S(?:\t|   )\s*\S', line) else line.strip('/')
                             for line in part.split('\n')], first)
    return found


def script(text):
    """(line, text) of a script: comments and docstrings"""
    text = re.sub(r'(?s)(?<=\n)( *)r?"""(.*?)"""',
                  lambda m: '\n'.join('# ' + line for line in m[2].split('\n')), text)
    lines = [line.split('#', 1)[1] if re.match(r'\s*#(?!!)', line) else '' for line in text.split('\n')]
    return paragraphs(lines)


def texts(path):
    """(line, text) of a file, of a kind that has any"""
    with open(path, encoding='utf-8', errors='replace') as file:
        text = file.read()
    text = re.sub(r'^.*(?:SPDX-License-Identifier:|Copyright \(C\)).*$', '', text, flags=re.M)
    lines = text.split('\n')
    if path.endswith('.rst'):
        return rst(lines)
    if path.endswith('.md'):
        return markdown(lines)
    if re.search(r'\.[0-9]$', path):
        return manual(lines)
    if path.endswith(('.c', '.h')):
        return comments(text)
    if path.endswith(('.py', '.sh', '.bash')) or text.startswith('#!'):
        return script(text)
    return []


def findings(path):
    """The number of words of a file, and its findings"""
    words, found = 0, []
    for line, text in texts(path):
        text = clean(text)
        words += len(re.findall(r"[A-Za-z']+", text))
        for kind, pattern in WORDS.items():
            found += [Finding(path, line, kind, m.group()) for m in pattern.finditer(text)]
        for sentence in re.split(r'[.:;!?]["\')]*(?:\s|$)', text):
            if len(re.findall(r"[\w`'/-]+", sentence)) > LONGEST:
                found.append(Finding(path, line, 'long', ' '.join(sentence.split())))
    return words, found


def files(*paths):
    """The files of the project below paths"""
    out = subprocess.run(['git', 'ls-files', '--cached', '--others', '--exclude-standard', *paths],
                         check=True, capture_output=True, text=True)
    return out.stdout.split('\n')[:-1]


if __name__ == '__main__':
    for name in files(*sys.argv[1:]):
        for finding in findings(name)[1]:
            print('%s:%d: %s: %s' % finding)
