# SPDX-License-Identifier: GPL-2.0
"""Traces that are built byte by byte, into a folder: made.py DIRECTORY"""
import os
import sys

from etwtest import etlfile as e


def save(name, content):
    with open(os.path.join(sys.argv[1], name), 'wb') as file:
        file.write(content)


save('closed.etl', e.good())
save('other.etl', e.good())
save('unclosed.etl', e.good(closed=False))
save('cut.etl', e.good()[:3 * e.BS + 0x200])
save('counters.etl', e.with_records([
    e.cswitch(1, 2, e.T0 + 20, version=0x0204, items=bytes(range(16))),
    e.cswitch(2, 1, e.T0 + 21, version=0x8204, items=bytes(range(24)))]))
save('event.etl', e.with_records([e.event(bytes(range(16)), 7, b'data', e.T0 + 20)]))
