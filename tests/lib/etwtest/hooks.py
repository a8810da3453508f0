# SPDX-License-Identifier: GPL-2.0
# Copyright (C) 2026 The etw authors
"""Hook ids of the module, by its sources."""
import glob
import re

DEFINE = re.compile(r'#define\s+(\w+_LOG_TYPE_\w+)\s+(0x[0-9A-Fa-f]{4})\b')
USE = re.compile(r'(WMI_LOG_TYPE_IPV6\()?\b(\w+_LOG_TYPE_\w+)')


def written():
    """Hook ids that the module's sources name."""
    ids, found = {}, set()
    for path in glob.glob('uapi/**/*.h', recursive=True) + glob.glob('module/**/*.h', recursive=True):
        with open(path, encoding='utf-8') as file:
            ids.update((name, int(value, 16)) for name, value in DEFINE.findall(file.read()))
    for path in glob.glob('module/**/*.c', recursive=True):
        with open(path, encoding='utf-8') as file:
            for ipv6, name in USE.findall(file.read()):
                if name in ids:
                    found.add(f'{ids[name] + (0x10 if ipv6 else 0):04X}')
    return found
