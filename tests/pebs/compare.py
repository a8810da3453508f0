#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""compare.py DIRECTORY: every switch's PEBS index against the log of who wrote the records."""
import struct
import sys
from collections import namedtuple
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent / 'truth'))
import stream  # noqa: E402

CONTEXTSWAP = 0x0524
PEBS = 0x8000
Log = namedtuple('Log', 'old new before after')
# index is None where the record has none
Swap = namedtuple('Swap', 'old new index')


def swaps(data):
    """Of each CPU, in the order of its buffers."""
    found = {}
    for b in stream.buffers(data)[1:]:
        at = stream.BUFFER_HEADER
        while at < b.used:
            record, size = stream.record_at(b.data, at, b.cpu)
            if record.hook == CONTEXTSWAP:
                version, = struct.unpack_from('<H', b.data, at)
                new, old = struct.unpack_from('<II', record.payload)
                index = struct.unpack_from('<Q', b.data, at + 16)[0] if version & PEBS else None
                found.setdefault(b.cpu, []).append(Swap(old, new, index))
            at += (size + 7) & ~7
    return found


def fits(swap, log):
    return (swap.old, swap.new) == (log.old, log.new) and swap.index is not None and \
        log.before <= swap.index <= log.after


def compare(swapped, logged):
    """How many agree from the best place in the log on; the log began before the session."""
    best = 0
    for start in range(len(logged) - len(swapped) + 1):
        n = 0
        while n < len(swapped) and fits(swapped[n], logged[start + n]):
            n += 1
        if n == len(swapped):
            return start, n
        best = max(best, n)
    return None, best


def main():
    directory = Path(sys.argv[1])
    found = swaps((directory / 'pebs.etl').read_bytes())
    total = exact = last = 0
    for cpu, swapped in sorted(found.items()):
        data = (directory / f'cpu{cpu}').read_bytes()
        logged = [Log(*fields) for fields in struct.iter_unpack('<IIQQ', data)]
        start, n = compare(swapped, logged)
        if start is None:
            bare = sum(swap.index is None for swap in swapped)
            print(f'cpu {cpu}: {n} of {len(swapped)} switches agree, {bare} have no index; '
                  f'{len(logged)} logged')
            return 1
        total += n
        exact += sum(log.before == log.after for log in logged[start:start + n])
        last += swapped[-1].index
    print(f'{total} switches on {len(found)} CPUs agree, {exact} of them to the record; '
          f'{last} records')
    return 0 if total >= 1000 and exact * 10 > total * 8 and last > 5 * total else 1


if __name__ == '__main__':
    sys.exit(main())
