# SPDX-License-Identifier: GPL-2.0
# Copyright (C) 2026 The etw authors
"""The environment of a tool that finds a fake device instead of the module's."""
import os

from etwtest import etlfile as e
from etwtest import harness
from etwtest.harness import path, save

built = {}


def build():
    """Return: the library of fake_device.c, which fake() preloads"""
    built['library'] = harness.fake_device()
    return built['library']


def fake(**values):
    log = path('log')
    if os.path.exists(log):
        os.unlink(log)
    return dict(LD_PRELOAD=built['library'], ETW_FAKE_LOG=log, ETW_FAKE_SENT=path('sent'),
                ETW_FAKE_STREAM=save(e.good(closed=False), 'stream'), **values)
