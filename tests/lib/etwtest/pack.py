# SPDX-License-Identifier: GPL-2.0
# Copyright (C) 2026 The etw authors
"""LZNT1 and XPRESS Huffman, greedy: made from the description of the formats alone."""
import heapq
import struct
from collections import Counter


def matches(data, at, end, window, longest):
    """Tokens of data[at:end]: bytes, or (distance, length) up to @longest of them."""
    seen, first = {}, max(0, at - window)
    for i in range(first, at):
        seen[data[i:i + 3]] = i
    while at < end:
        found, length = seen.get(data[at:at + 3]), 0
        most = min(longest(at), len(data) - at)
        if found is not None and at - found <= window and most >= 3:
            length = 3
            while length < most and data[found + length] == data[at + length]:
                length += 1
        yield (at - found, length) if length else data[at]
        for i in range(at, at + max(length, 1)):
            if i + 3 <= len(data):
                seen[data[i:i + 3]] = i
        at += max(length, 1)


def lznt1_chunk(data):
    def bits(done):
        return next((m for m in range(12, 4, -1) if 2 ** (m - 1) < done), 4)

    out, flags, group, at = b'', 0, [], 0
    for token in matches(data, 0, len(data), 4096, lambda at: (1 << 16 - bits(at)) + 2):
        if isinstance(token, tuple):
            flags |= 1 << len(group)
            length = 16 - bits(at)
            group.append(struct.pack('<H', token[0] - 1 << length | token[1] - 3))
            at += token[1]
        else:
            group.append(bytes([token]))
            at += 1
        if len(group) == 8:
            out += bytes([flags]) + b''.join(group)
            flags, group = 0, []
    if group:
        out += bytes([flags]) + b''.join(group)
    if len(out) >= len(data):
        return struct.pack('<H', 0x3000 | len(data) - 1) + data
    return struct.pack('<H', 0xB000 | len(out) - 1) + out


def lznt1(data):
    return b''.join(lznt1_chunk(data[i:i + 4096]) for i in range(0, len(data), 4096))


def code_lengths(counts):
    """The lengths of codes, 15 at most: rare symbols count more until they fit."""
    counts = dict(counts)
    for symbol in (0, 1):  # one code alone would have no length
        if len(counts) < 2:
            counts.setdefault(symbol, 1)
    while True:
        heap = [(n, i, (symbol,)) for i, (symbol, n) in enumerate(sorted(counts.items()))]
        lengths, fresh = Counter(), len(heap)
        heapq.heapify(heap)
        while len(heap) > 1:
            a, b = heapq.heappop(heap), heapq.heappop(heap)
            lengths.update(a[2] + b[2])
            heapq.heappush(heap, (a[0] + b[0], fresh, a[2] + b[2]))
            fresh += 1
        if max(lengths.values()) <= 15:
            return lengths
        counts = {symbol: n // 2 + 1 for symbol, n in counts.items()}


def canonical(lengths):
    """The codes as strings of 0 and 1."""
    codes, code, last = {}, 0, 0
    for symbol, length in sorted(lengths.items(), key=lambda x: (x[1], x[0])):
        code <<= length - last
        codes[symbol] = format(code, '0%db' % length)
        code, last = code + 1, length
    return codes


class Words:
    """Words of 16 bits, each at the place that was kept when the one before the last began."""

    def __init__(self):
        self.out, self.bits, self.places = bytearray(4), '', [0, 2]

    def put(self, bits):
        self.bits += bits
        # as late as possible: a full word waits for the bit that follows it
        while len(self.bits) > 16:
            self.word(self.bits[:16])
            self.bits = self.bits[16:]
            self.places.append(len(self.out))
            self.out += bytes(2)

    def word(self, bits):
        struct.pack_into('<H', self.out, self.places.pop(0), int(bits.ljust(16, '0'), 2))

    def end(self):
        self.word(self.bits)
        return bytes(self.out)


def symbol_of(token):
    if not isinstance(token, tuple):
        return token
    return 256 + min(token[1] - 3, 15) + 16 * (token[0].bit_length() - 1)


def put_match(words, distance, length):
    length -= 3
    if length >= 15:
        if length - 15 < 255:
            words.out.append(length - 15)
        else:
            words.out += b'\xff' + (struct.pack('<H', length) if length < 65536 else
                                    struct.pack('<HI', 0, length))
    bits = distance.bit_length() - 1
    if bits:
        words.put(format(distance - (1 << bits), '0%db' % bits))


def xpress_huffman(data):
    out, at = b'', 0
    while at < len(data):
        tokens, end = [], at
        for token in matches(data, at, min(at + 65536, len(data)), 65535, lambda at: 1 << 20):
            tokens.append(token)
            end += token[1] if isinstance(token, tuple) else 1
        last = end == len(data)
        lengths = code_lengths(Counter(map(symbol_of, tokens)) + Counter([256] * last))
        codes, words = canonical(lengths), Words()
        for token in tokens:
            words.put(codes[symbol_of(token)])
            if isinstance(token, tuple):
                put_match(words, *token)
        if last:
            words.put(codes[256])
        out += bytes(lengths.get(i, 0) | lengths.get(i + 1, 0) << 4 for i in range(0, 512, 2))
        out += words.end()
        at = end
    return out
