# SPDX-License-Identifier: GPL-2.0
# Copyright (C) 2026 The etw authors
"""Paths as a trace has them: whole; of PREEMPT_RT what limits.rst says."""
import os


class Paths:
    """@directory has what tests/lib/guest/mounts.sh left, if it is of such a kernel."""

    def __init__(self, directory):
        self.mounts = None
        if os.path.exists(f'{directory}/mounts.txt'):
            with open(f'{directory}/mounts.txt', encoding='utf-8') as file:
                self.mounts = sorted((line.strip() for line in file), key=len)

    def shown(self, path):
        """Of a file that no rundown contains."""
        if self.mounts is None:
            return path
        path = path.removesuffix(' (deleted)')
        for mount in reversed(self.mounts):
            inner = mount.rstrip('/') + '/'
            if (path + '/').startswith(inner):
                path = path[len(inner) - 1:] or '/'
                break
        parts = path.split('/')[1:]
        return path if len(parts) < 4 else '/'.join(['...'] + parts[-4:])
