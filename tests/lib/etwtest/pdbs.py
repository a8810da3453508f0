# SPDX-License-Identifier: GPL-2.0
# Copyright (C) 2026 The etw authors
"""What the tests of etw symbols share: traces of programs, the store, and what its PDBs contain."""
import json
import os
import re
import struct
import subprocess

from etwtest import etlfile as e
from etwtest import harness as h
from etwtest import objects as o

T = e.T0
SIZE = 0x10000
KERNEL = 0xffffffff81000000
KERNEL_SOURCE = r'''
static __attribute__((noinline)) int deep(int x) { __asm__ volatile("" : "+r"(x)); return x * 3; }
__attribute__((noinline)) int in_kernel(int x) { return deep(x) + 1; }
int per_processor __attribute__((section(".percpu")));
int _start(int x)
{
	return in_kernel(x) + per_processor;
}
'''


def trace(records, name='file.etl'):
    data = e.buffer([e.anchor(T + 1, 0)] + records, sequence=1, time=T + 10**9, flags=0x21,
                    size=SIZE)
    return h.save(e.header_buffer(end=e.START + 10**9, written=2, size=SIZE) + data, name)


def image_of(program, pid=7):
    stamp = struct.unpack('<I', program.id[:4])[0]
    return o.image(0x1403, pid, 0x400000, 0x10000, program.path, T + 12 + pid, stamp)


def symbols(file, *options, code=0, store='store', env=None):
    return h.run(h.TOOL, 'symbols', '-q', '-o', h.path(store), *options, file, code=code, env=env)


def guid_of(identity):
    """As Windows prints it: the first three numbers are little-endian."""
    one, two, three = struct.unpack('<IHH', identity[:8])
    return '%08X%04X%04X%s' % (one, two, three, identity[8:16].hex().upper())


def pdb_path(name, identity, store='store'):
    return h.path('%s/%s.pdb/%s1/%s.pdb' % (store, name, guid_of(identity), name))


def dump(path, *what):
    return o.run('llvm-pdbutil', 'dump', *what, path)


def places(path):
    """Address of each section, by its number, as the PDB has them"""
    found = re.findall(r'([0-9A-F]+) virtual address', dump(path, '-section-headers'))
    return dict((i + 1, int(x, 16)) for i, x in enumerate(found))


def functions(path):
    found, sections = {}, places(path)
    for name, section, offset, size in re.findall(
            r'S_GPROC32 \[size = \d+\] `(.*)`\n.*addr = (\d+):(\d+), code size = (\d+)',
            dump(path, '-symbols')):
        found[sections[int(section)] + int(offset)] = (name, int(size))
    return found


def publics(path):
    sections = places(path)
    found = re.findall(r'S_PUB32 \[size = \d+\] `(.*)`\n.*flags = function, addr = (\d+):(\d+)',
                       dump(path, '-publics'))
    return {sections[int(section)] + int(offset): name for name, section, offset in found}


def lines(path):
    """File and line of each address that has one"""
    found, sections = {}, places(path)
    ends = []
    file = base = last = None
    for row in dump(path, '-l').splitlines():
        start = re.match(r'  (\d+):([0-9A-F]+)-([0-9A-F]+), line/addr entries', row)
        named = re.match(r'(/.*) \(no checksum\)$', row)
        if named:
            file = named[1]
        elif start:
            base = sections[int(start[1])]
            last = base + int(start[3], 16)
            ends.append((last, None))
        elif base is not None:
            for line, offset in re.findall(r'(\d+) ([0-9A-F]{8})', row):
                found[base + int(offset, 16)] = '%s:%s' % (file, line)
    for address, nothing in ends:
        found.setdefault(address, nothing)
    return sorted(found.items())


def line_at(found, address):
    before = [x for x in found if x[0] <= address]
    return before[-1][1] if before else None


def demangled(names):
    """As addr2line -f -C prints them: without the hashes of Rust's crates"""
    out = subprocess.run(['c++filt'], input='\n'.join(names), capture_output=True, text=True,
                         check=True).stdout
    return re.sub(r'(?<=\w)\[[0-9a-f]+\]', '', out).splitlines()


def check_functions(path, program):
    """The name that has a size; several names of an address are one function."""
    found, known = functions(path), publics(path)
    wanted = {x: names for x, names in program.functions.items() if x[1]}
    assert len(wanted) >= 4, wanted
    for (address, size), names in wanted.items():
        name, length = found[address - program.base]
        assert length == size, (hex(address), name, length, size)
        assert name in demangled(names), (name, names)
        assert known[address - program.base] in names, names
    assert set(known) == set(found)


def check_lines(path, program, least=30):
    """Of each byte of each function"""
    found = lines(path)
    wanted = sorted(a + i for (a, size), _ in program.functions.items() for i in range(size))
    printed = o.run('addr2line', '-e', program.full, *(hex(x) for x in wanted)).splitlines()
    known = 0
    for address, line in zip(wanted, printed):
        line = None if '?' in line else line.split(' ')[0]
        got = line_at(found, address - program.base)
        assert got == line, (hex(address), got, line)
        known += line is not None
    assert known > least, known


class Made(o.Program):
    """Made of @sources by commands; in these, ROOT is the folder of the sources, OUT the program"""

    def __init__(self, root, name, sources, *commands):
        os.makedirs(root + '/bin', exist_ok=True)
        self.root, self.path, self.full = root, '/bin/' + name, root + '/full-' + name
        self.file = root + self.path
        for source, text in sources.items():
            with open(root + '/' + source, 'w') as file:
                file.write(text)
        for command in commands:
            o.run(*(x.replace('ROOT', root).replace('OUT', self.full) for x in command.split()))
        o.run('cp', self.full, self.file)
        self.base, self.id = o.first_load(self.full), o.build_id(self.full)
        self.functions = o.functions(self.full)


def stored(program, *options, **where):
    """What the summary reports of the program"""
    out = json.loads(symbols(trace([image_of(program)]), '--sysroot', program.root, '--json',
                             *options, **where))
    image, = out['images']
    return image


class Kernel:
    """Code at the kernel's addresses, and a segment of data at address 0, as vmlinux has it"""

    def __init__(self, root):
        os.makedirs(root + '/usr/lib/debug/boot', exist_ok=True)
        os.makedirs(root + '/sys/kernel', exist_ok=True)
        self.full = root + '/usr/lib/debug/boot/vmlinux-6.9-x'
        with open(root + '/kernel.c', 'w') as file:
            file.write(KERNEL_SOURCE)
        o.run('gcc', '-O1', '-fno-inline', '-g', '-mcmodel=large', '-fno-pie', '-no-pie', '-static',
              '-nostdlib', '-Wl,-z,norelro', '-Wl,--build-id', '-Wl,-Ttext=%#x' % KERNEL,
              '-Wl,--section-start=.percpu=0', '-o', self.full, root + '/kernel.c')
        self.id, self.base = o.build_id(self.full), KERNEL
        self.functions = o.functions(self.full)
        with open(root + '/sys/kernel/notes', 'wb') as file:
            file.write(struct.pack('<III', 4, 20, 3) + b'GNU\0' + self.id)
