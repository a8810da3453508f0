# SPDX-License-Identifier: GPL-2.0
# Copyright (C) 2026 The etw authors
"""A page in headless Chromium, driven over the DevTools protocol's pipe by real input events."""

import base64
import json
import os
import shutil
import subprocess
import tempfile
import time

NAMES = ('chromium-headless-shell', 'chromium', 'chromium-browser')


def find():
    """The browser's program, or None."""
    return next((path for path in map(shutil.which, NAMES) if path), None)


class Browser:
    """One page. Messages are JSON with a zero byte behind each."""

    def __init__(self, width=1280, height=900):
        self.home = tempfile.TemporaryDirectory(prefix='etw-browser-',
                                                ignore_cleanup_errors=True)
        to_child, self.to = os.pipe()
        self.back, from_child = os.pipe()
        # the browser reads from descriptor 3 and writes to 4
        self.process = subprocess.Popen(
            ['sh', '-c', f'exec "$0" "$@" 3<&{to_child} 4>&{from_child}', find(), '--headless',
             '--no-sandbox', '--disable-gpu', '--disable-dev-shm-usage', '--hide-scrollbars',
             '--remote-debugging-pipe', '--user-data-dir=' + self.home.name, 'about:blank'],
            pass_fds=(to_child, from_child), stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL)
        os.close(to_child)
        os.close(from_child)
        self.number, self.rest, self.session, self.events = 0, b'', None, []
        target = self.call('Target.createTarget', url='about:blank')['targetId']
        self.session = self.call('Target.attachToTarget', targetId=target,
                                 flatten=True)['sessionId']
        for domain in ('Page', 'Runtime', 'Network', 'Log'):
            self.call(domain + '.enable')
        self.resize(width, height)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        # its processes end one after the other, the first one last
        self.session = None
        self.call('Browser.close')
        try:
            self.process.wait(10)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
        os.close(self.to)
        os.close(self.back)
        self.home.cleanup()

    def receive(self):
        """The next message."""
        while b'\0' not in self.rest:
            part = os.read(self.back, 1 << 20)
            if not part:
                raise EOFError('the browser ended')
            self.rest += part
        text, self.rest = self.rest.split(b'\0', 1)
        return json.loads(text)

    def call(self, method, **parameters):
        """Calls a method of the protocol, and returns its result."""
        self.number += 1
        message = {'id': self.number, 'method': method, 'params': parameters}
        if self.session:
            message['sessionId'] = self.session
        os.write(self.to, json.dumps(message).encode() + b'\0')
        while True:
            answer = self.receive()
            if answer.get('id') == self.number:
                if 'error' in answer:
                    raise RuntimeError(f'{method}: {answer["error"]}')
                return answer['result']
            self.events.append(answer)

    def value(self, script):
        """The value of an expression in the page."""
        answer = self.call('Runtime.evaluate', expression=script, returnByValue=True)
        if 'exceptionDetails' in answer:
            raise RuntimeError(f'{script}: {answer["exceptionDetails"]}')
        return answer['result'].get('value')

    def wait(self, script, seconds=60):
        """Waits until an expression is true."""
        end = time.monotonic() + seconds
        while not self.value(script):
            if time.monotonic() > end:
                raise TimeoutError(script)
            time.sleep(0.02)

    def open(self, path):
        """Opens a file of etw report, and waits until it is drawn."""
        self.call('Page.navigate', url='file://' + os.path.abspath(path))
        self.wait('document.documentElement && "ready" in document.documentElement.dataset')

    def resize(self, width, height, mobile=False):
        """Sets the size of the window in CSS pixels."""
        self.call('Emulation.setDeviceMetricsOverride', width=width, height=height,
                  deviceScaleFactor=1, mobile=mobile)

    def problems(self):
        """Errors of the page, and what it asked of a network."""
        found = [event['params'] for event in self.events
                 if event.get('method') in ('Runtime.exceptionThrown', 'Log.entryAdded',
                                            'Runtime.consoleAPICalled')]
        return found + [event['params']['request']['url'] for event in self.events
                        if event.get('method') == 'Network.requestWillBeSent' and
                        not event['params']['request']['url'].startswith(('file:', 'about:'))]

    def mouse(self, kind, x, y, **more):
        """One event of the mouse."""
        self.call('Input.dispatchMouseEvent', type=kind, x=x, y=y, **more)

    def click(self, x, y):
        """A click."""
        for kind in ('mousePressed', 'mouseReleased'):
            self.mouse(kind, x, y, button='left', clickCount=1)

    def click_on(self, script):
        """A click on an element, which an expression gives."""
        self.value(f'({script}).scrollIntoView({{ block: "center" }})')
        x, y = self.value(f'(box => [box.x + box.width / 2, box.y + box.height / 2])'
                          f'(({script}).getBoundingClientRect())')
        self.click(x, y)

    def drag(self, start, end):
        """Draws the mouse from a place to another, with the left button."""
        self.mouse('mousePressed', *start, button='left', clickCount=1)
        self.mouse('mouseMoved', *end, button='left', buttons=1)
        self.mouse('mouseReleased', *end, button='left', clickCount=1)

    def wheel(self, x, y, delta):
        """Turns the wheel."""
        self.mouse('mouseWheel', x, y, deltaX=0, deltaY=delta)

    def key(self, key, code=0):
        """Presses a key."""
        text = {'text': key} if len(key) == 1 else {}
        self.call('Input.dispatchKeyEvent', type='keyDown', key=key,
                  windowsVirtualKeyCode=code, **text)
        self.call('Input.dispatchKeyEvent', type='keyUp', key=key, windowsVirtualKeyCode=code)

    def write(self, text):
        """Types a text."""
        for letter in text:
            self.key(letter)

    def screenshot(self, path, whole=False, clip=None):
        """Writes a PNG file; @clip: x, y, width, height."""
        more = {'clip': {**clip, 'scale': 1}} if clip else {}
        answer = self.call('Page.captureScreenshot', captureBeyondViewport=whole, **more)
        with open(path, 'wb') as to:
            to.write(base64.b64decode(answer['data']))
