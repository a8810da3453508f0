# SPDX-License-Identifier: GPL-2.0
# Copyright (C) 2026 The etw authors
"""Programs with known functions, stripped in all the ways that distributions know."""
import os
import shutil
import struct
import subprocess

SOURCE = r'''
#include <stdint.h>
static __attribute__((noinline)) int quiet(int x) { __asm__ volatile("" : "+r"(x)); return x * 3; }
__attribute__((noinline)) int inner(int x) { __asm__ volatile("" : "+r"(x)); return quiet(x) + 1; }
__attribute__((noinline)) int middle(int x) { return inner(x) - 7; }
int outer(int x) { return middle(x) ^ 5; }
int alias(int x) __attribute__((weak, alias("outer")));
int main(int argc, char **argv) { (void)argv; return outer(argc); }
'''


def run(*command):
    return subprocess.run([str(x) for x in command], check=True, capture_output=True).stdout.decode()


def functions(path, *options):
    """Address, size and names of what is code, as nm says it."""
    found = {}
    for line in run('nm', '-S', *options, path).splitlines():
        words = line.split()
        if len(words) == 4 and words[2] in 'tTwWi':
            found.setdefault((int(words[0], 16), int(words[1], 16)), []).append(words[3])
    return found


def vdso(path):
    """A copy of this process's; all 64-bit processes of a boot have the same. Return: the path"""
    with open('/proc/self/maps', encoding='utf-8') as maps:
        spans = [line.split()[0].split('-') for line in maps if line.endswith(' [vdso]\n')]
    start, end = (int(x, 16) for x in spans[0])
    with open('/proc/self/mem', 'rb', buffering=0) as memory, open(path, 'wb') as file:
        memory.seek(start)
        file.write(memory.read(end - start))
    return path


def first_load(path):
    for line in run('readelf', '-lW', path).splitlines():
        words = line.split()
        if words and words[0] == 'LOAD':
            return int(words[2], 16) - int(words[1], 16)
    raise AssertionError(path)


def build_id(path):
    for line in run('readelf', '-nW', path).splitlines():
        if 'Build ID:' in line:
            return bytes.fromhex(line.split()[-1])
    return b''


def fake_server(directory, *flags):
    """Makes a library there that the tool takes for libdebuginfod. Return: the environment"""
    os.makedirs(directory, exist_ok=True)
    run('cc', '-shared', '-fPIC', '-Wall', '-Wextra', '-Werror', *flags, '-o',
        directory + '/libdebuginfod.so.1', 'tests/unit/symbols/fake_debuginfod.c')
    return {'LD_LIBRARY_PATH': directory, 'FAKE_DIR': directory, 'DEBUGINFOD_URLS': 'http://x/'}


def calls_of(directory):
    """The calls of that library since the last time, in order"""
    path = directory + '/calls'
    if not os.path.exists(path):
        return []
    with open(path) as file:
        lines = file.read().splitlines()
    os.remove(path)
    return lines


class Program:
    """@path: where the trace says that it is; @full: with all symbols, for nm."""

    def __init__(self, root, name, *flags):
        self.root, self.path = root, '/bin/' + name
        self.file = root + self.path
        self.full = root + '/full-' + name
        os.makedirs(root + '/bin', exist_ok=True)
        source = root + '/' + name + '.c'
        with open(source, 'w') as file:
            file.write(SOURCE)
        run('gcc', '-O1', '-fno-inline', '-g', '-o', self.full, source, *flags)
        shutil.copy(self.full, self.file)
        self.base = first_load(self.full)
        self.functions = functions(self.full)
        self.id = build_id(self.full)

    def strip(self):
        run('strip', self.file)
        return self

    def debug_link(self):
        debug = self.root + '/usr/lib/debug/bin/' + os.path.basename(self.path) + '.debug'
        os.makedirs(os.path.dirname(debug), exist_ok=True)
        run('objcopy', '--only-keep-debug', self.full, debug)
        run('strip', self.file)
        run('objcopy', '--add-gnu-debuglink=' + debug, self.file)
        return self

    def debug_by_id(self):
        text = self.id.hex()
        debug = '%s/usr/lib/debug/.build-id/%s/%s.debug' % (self.root, text[:2], text[2:])
        os.makedirs(os.path.dirname(debug), exist_ok=True)
        run('objcopy', '--only-keep-debug', self.full, debug)
        return self.strip()

    def mini(self):
        small = self.root + '/mini'
        run('objcopy', '--strip-debug', '--only-keep-debug', self.full, small)
        run('xz', '-kf', small)
        run('strip', self.file)
        run('objcopy', '--add-section', '.gnu_debugdata=' + small + '.xz', self.file)
        return self

    def down(self, by):
        """
        The same file with @by bytes more between its head and all else: no segment is mapped from
        offset 0, and each has an offset that is higher by that than it was, at its old address.
        """
        with open(self.file, 'rb') as file:
            content = bytearray(file.read())
        heads, sections, _, head, step, count, section, named = struct.unpack_from(
            '<QQIHHHHH', content, 0x20)
        struct.pack_into('<QQ', content, 0x20, heads + by, sections + by)
        for at in [heads + i * step + 8 for i in range(count)] + [
                sections + i * section + 0x18 for i in range(named)]:
            struct.pack_into('<Q', content, at, struct.unpack_from('<Q', content, at)[0] + by)
        with open(self.file, 'wb') as file:
            file.write(content[:head] + bytes(by) + content[head:])
        self.base = first_load(self.file)
        return self


def image(hook, pid, base, size, path, time, stamp=0):
    from etwtest import etlfile as e
    payload = struct.pack('<QQIIIBBHQ4I', base, size, pid, 0, stamp, 0, 0, 0, 0, 0, 0, 0, 0)
    return e.system(hook, 3, payload + e.wide(path), time, tid=pid, pid=pid)


def sample(address, tid, time):
    from etwtest import etlfile as e
    return e.perfinfo(0x0F2E, 2, struct.pack('<QIHBB', address, tid, 1, 8 << 3, 0), time)


def stack(of, pid, tid, frames, time):
    from etwtest import etlfile as e
    return e.perfinfo(0x1820, 2, struct.pack('<QII', of, pid, tid) +
                      struct.pack('<%dQ' % len(frames), *frames), time)


def by_key(hook, of, pid, tid, key, time):
    from etwtest import etlfile as e
    return e.perfinfo(hook, 2, struct.pack('<QIIQ', of, pid, tid, key), time)


def key(hook, number, frames, time):
    from etwtest import etlfile as e
    return e.perfinfo(hook, 2, struct.pack('<Q%dQ' % len(frames), number, *frames), time)
