# SPDX-License-Identifier: GPL-2.0
# Copyright (C) 2026 The etw authors
"""What the tests of the tool share: the tool, a place for files, checks by name."""
import atexit
import fcntl
import glob
import os
import shutil
import subprocess
import sys
import tempfile

from etwtest import checks, ktap, leaks, tier

# before anything else: the folder below is the child's to delete
ktap.as_test()
# for the tests that import this module only
Skip, failures = checks.Skip, checks.failures
check, ok, not_ok, skip = checks.check, checks.ok, checks.not_ok, checks.skip
rounds = tier.rounds

BUILD = 'build/host'
TOOL = os.path.abspath(BUILD + '/tools/etw')
SANE = os.path.abspath(BUILD + '/tools-asan/etw')
WORK = tempfile.mkdtemp(prefix='etw-tool-')
atexit.register(shutil.rmtree, WORK, ignore_errors=True)
SANITIZE = ['-fsanitize=address,undefined', '-fno-sanitize-recover=all']
SAMPLES = os.environ.get('ETW_SAMPLES', '../shared/samples')

def path(name='file.etl'):
    return os.path.join(WORK, name)


def save(content, name='file.etl'):
    with open(path(name), 'wb') as file:
        file.write(content)
    return path(name)


def load(name='file.etl'):
    with open(path(name), 'rb') as file:
        return file.read()


def files(top):
    return {os.path.relpath(os.path.join(x, z), top) for x, _, y in os.walk(top) for z in y}


def run(*arguments, code=0, stdin=None, env=None, cwd=None):
    words = [str(x) for x in arguments]
    env = dict(leaks.environment(*words[:2]), **(env or {}))
    result = subprocess.run(words, capture_output=True, input=stdin, timeout=50, env=env, cwd=cwd)
    out = result.stdout.decode() + result.stderr.decode()
    assert 'Sanitizer' not in out and 'runtime error' not in out, out
    assert code is None or result.returncode == code, \
        '%s: exit status %d: %s' % (arguments, result.returncode, out)
    run.code = result.returncode
    return out


def test(function):
    checks.test(function.__name__.replace('_', '-'), function)


def damaged(content, chance, anywhere=False):
    """A copy with 1, 3 or 30 other bytes, where the content is no fill, or @anywhere"""
    bad = bytearray(content)
    places = range(len(bad)) if anywhere else [i for i, x in enumerate(bad) if x not in (0, 0xFF)]
    for _ in range(chance.choice((1, 3, 30))):
        bad[chance.choice(places)] = chance.choice((0, 1, 0x7F, 0x80, 0xFF, chance.randrange(256)))
    return bad


def samples():
    """The files of Windows, which are not ours to copy; where there are none: Skip."""
    files = sorted(glob.glob(SAMPLES + '/*.etl'))
    if not files:
        raise Skip('NO WINDOWS SAMPLES at %s: nothing of theirs was read' % SAMPLES)
    return files


def make_sane(*goals, **options):
    return subprocess.run(['make', '-s', '--no-print-directory', '-j2', '-C', 'tools',
                           'O=' + os.path.dirname(SANE), 'CFLAGS=-O1 -g ' + ' '.join(SANITIZE),
                           'LDFLAGS=' + SANITIZE[0], *goals], check=True, **options)


def build():
    """The tool, and the same with sanitizers, which many tests want at once."""
    subprocess.run(['tests/infra/vm/build', 'host'], check=True, stdout=sys.stderr)
    # make takes a second of a processor to find that there is nothing to do, in 50 tests of a run
    made = os.environ.get('ETW_SANE_MADE')
    with open(BUILD + '/.sane', 'w') as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if made and os.path.exists(made) and os.path.exists(SANE):
            return
        make_sane(stdout=sys.stderr)
        if made:
            with open(made, 'w'):
                pass


def objects():
    """Of the tool with sanitizers: their folders may also have those of sources that are gone."""
    return make_sane('print-objects', stdout=subprocess.PIPE, text=True).stdout.split()


def libraries():
    """What these objects need."""
    return make_sane('print-libraries', stdout=subprocess.PIPE, text=True).stdout.split()


def fake_device():
    """A device to preload, each test's own: another's is not to be written while this one runs."""
    library = path('fake_device.so')
    subprocess.run(['cc', '-shared', '-fPIC', '-Wall', '-Wextra', '-Werror', '-Iuapi', '-o',
                    library, 'tests/unit/tools/fake_device.c'], check=True)
    return library


FEED = os.path.join(WORK, 'writer_feed')


def writer_feed():
    """A program that feeds its input to the writer of files, which stands in for a session's."""
    sources = ['tools/libetl/%s.c' % x for x in
               ('writer', 'descriptor', 'output_file', 'ring_file', 'final_header', 'first_buffer',
                'reader', 'logfile_header', 'unwritten', 'writer_file', 'writer_lost',
                'writer_switch', 'writer_append', 'losses', 'map')]
    subprocess.run(['cc', '-std=gnu11', '-O1', '-g', '-Wall', '-Wextra', '-Werror',
                    '-D_FILE_OFFSET_BITS=64', *SANITIZE, '-Iuapi', '-Itools/libetl', '-o', FEED,
                    'tests/unit/tools/writer_feed.c', *sources], check=True)


def main(*functions):
    """Runs the checks, or those with an argument in their name."""
    for function in functions:
        if len(sys.argv) < 2 or sys.argv[1] in function.__name__:
            test(function)
    sys.exit(1 if failures else 0)


if __name__ == '__main__':
    build()
