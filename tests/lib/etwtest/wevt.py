# SPDX-License-Identifier: GPL-2.0
# Copyright (C) 2026 The etw authors
"""Binary templates, written for the tests: parsed, and written as XML manifests again."""
import struct
from xml.sax.saxutils import escape, quoteattr

NONE = 0xFFFFFFFF
IN = ['', *('win:' + x for x in (
    'UnicodeString AnsiString Int8 UInt8 Int16 UInt16 Int32 UInt32 Int64 UInt64 Float Double Boolean Binary '
    'GUID Pointer FILETIME SYSTEMTIME SID HexInt32 HexInt64').split())]
OUT = ['', *('xs:' + x for x in (
    'string dateTime byte unsignedByte short unsignedShort int unsignedInt long unsignedLong float double '
    'boolean GUID hexBinary').split()), *('win:' + x for x in 'HexInt8 HexInt16 HexInt32 HexInt64 PID TID Port '
                                          'IPv4 IPv6 SocketAddress CIMDateTime ETWTIME Xml'.split())]


def guid_text(data):
    a, b, c = struct.unpack_from('<IHH', data)
    return '{%08x-%04x-%04x-%s-%s}' % (a, b, c, data[8:10].hex(), data[10:].hex())


def resources(data):
    """The resources of a PE file, by path: (type, name, language)"""
    at, = struct.unpack_from('<I', data, 0x3C)
    count, = struct.unpack_from('<H', data, at + 6)
    optional, magic = struct.unpack_from('<H2xH', data, at + 20)
    address, = struct.unpack_from('<I', data, at + 24 + (112 if magic == 0x20B else 96) + 16)
    sections = [struct.unpack_from('<8x4I', data, at + 24 + optional + 40 * i) for i in range(count)]

    def place(address):
        return next(raw + address - begin for _, begin, size, raw in sections if begin <= address < begin + size)

    base, found = place(address), {}

    def name(value):
        if not value & 0x80000000:
            return value
        at = base + (value & 0x7FFFFFFF)
        return data[at + 2:at + 2 + 2 * struct.unpack_from('<H', data, at)[0]].decode('utf-16-le')

    def walk(node, path):
        for i in range(sum(struct.unpack_from('<HH', data, base + node + 12))):
            key, to = struct.unpack_from('<II', data, base + node + 16 + 8 * i)
            if to & 0x80000000:
                walk(to & 0x7FFFFFFF, (*path, name(key)))
            else:
                address, size = struct.unpack_from('<II', data, base + to)
                found[(*path, name(key))] = data[place(address):place(address) + size]

    walk(0, ())
    return found


def messages(data):
    """A message table by number"""
    found = {}
    for i in range(struct.unpack_from('<I', data)[0]):
        low, high, at = struct.unpack_from('<III', data, 4 + 12 * i)
        for number in range(low, high + 1):
            size, flags = struct.unpack_from('<HH', data, at)
            assert flags == 1 and size % 4 == 0, (number, size, flags)
            text = data[at + 4:at + size].decode('utf-16-le').rstrip('\0')
            assert text.endswith('\r\n'), text
            found[number] = text[:-2]
            at += size
    return found


class Template:
    """A template (CRIM), whose parts are asserted to lie behind each other without gaps"""

    def __init__(self, data):
        self.data = data
        magic, size, major, minor, count = struct.unpack_from('<4sIHHI', data)
        assert (magic, major, minor) == (b'CRIM', 5, 1) and size <= len(data) < size + 4, (magic, size, len(data))
        self.providers, end = [], 16 + 20 * count
        for i in range(count):
            guid, at = data[16 + 20 * i:32 + 20 * i], self.u32(32 + 20 * i)
            assert at == end, (at, end)
            self.providers.append(self.provider(guid, at))
            end = at + self.u32(at + 4)
        assert end == size, (end, size)

    def u32(self, at):
        return struct.unpack_from('<I', self.data, at)[0]

    def text(self, at):
        """A text with its size, and where it ends"""
        size = self.u32(at)
        text = self.data[at + 4:at + size].decode('utf-16-le')
        assert size % 4 == 0 and text.rstrip('\0') + '\0' == text[:len(text.rstrip('\0')) + 1], text
        return text.rstrip('\0'), at + size

    def provider(self, guid, at):
        magic, _, message, count = struct.unpack_from('<4sIII', self.data, at)
        assert magic == b'WEVT', magic
        found, end = {'guid': guid, 'message': message, 'kinds': []}, at + 16 + 8 * count
        for i in range(count):
            kind, place = struct.unpack_from('<II', self.data, at + 16 + 8 * i)
            magic = self.data[place:place + 4].decode()
            assert place == (end + 7 & ~7 if magic == 'EVNT' else end), (magic, place, end)
            end = place + self.u32(place + 4)
            found['kinds'].append((kind, magic))
            found[magic] = getattr(self, magic.lower())(place, self.u32(place + 8), end)
        assert end == at + self.u32(at + 4), (end, at)
        return found

    def named(self, place, count, form, end):
        size, entries = struct.calcsize(form), []
        texts = place + 12 + size * count
        for i in range(count):
            entry = struct.unpack_from(form, self.data, place + 12 + size * i)
            name = entry[1] if form == '<4I' else entry[-1]
            assert name == texts, (form, name, texts)
            text, texts = self.text(name)
            entries.append((place + 12 + size * i, entry[0], text, *entry))
        assert texts == end, (texts, end)
        return entries

    def opco(self, place, count, end):
        return self.named(place, count, '<III', end)

    def levl(self, place, count, end):
        return self.named(place, count, '<III', end)

    def task(self, place, count, end):
        return self.named(place, count, '<II16sI', end)

    def keyw(self, place, count, end):
        return self.named(place, count, '<QII', end)

    def chan(self, place, count, end):
        return self.named(place, count, '<4I', end)

    def prva(self, place, count, end):
        assert (count, self.u32(place + 12), self.u32(place + 16)) == (1, 0x10000001, place + 20)
        return self.data[place + 20:end].decode('utf-16-le').rstrip('\0')

    def maps(self, place, count, end):
        places, found = struct.unpack_from('<%dI' % count, self.data, place + 12), {}
        for at in places:
            magic, size, name, bits, entries = struct.unpack_from('<4sIIII', self.data, at)
            assert magic == (b'BMAP' if bits else b'VMAP') and size == 20 + 8 * entries, (magic, bits, size)
            found[at] = (magic, self.text(name)[0], [struct.unpack_from('<II', self.data, at + 20 + 8 * i)
                                                     for i in range(entries)])
        assert [x[1] for x in found.values()] == sorted(x[1] for x in found.values())
        assert min(found) == place + 12 + 4 * count and end > max(found)
        return found

    def ttbl(self, place, count, end):
        found, at = {}, place + 12
        for _ in range(count):
            magic, size, top, items, begin, form = struct.unpack_from('<4s5I', self.data, at)
            assert magic == b'TEMP' and at + 40 < begin <= at + size, (magic, begin)
            table = [struct.unpack_from('<IBBHIHHI', self.data, begin + 20 * i) for i in range(items)]
            names = [self.text(x[-1])[0] for x in table]
            found[at] = {'guid': self.data[at + 24:at + 40], 'form': form, 'top': top,
                         'items': list(zip(table, names)), 'xml': Binary(self.data[at + 40:begin]).root}
            at += size
        assert at == end, (at, end)
        return found

    def evnt(self, place, count, end):
        found = []
        for i in range(count):
            at = place + 16 + 48 * i
            number, version, channel, level, opcode, task, keywords, message, *places, words, list_at, flags = \
                struct.unpack_from('<HBBBBHQI4III I', self.data, at)
            assert flags == 0, flags
            found.append({'id': number, 'version': version, 'channel': channel, 'level': level, 'opcode': opcode,
                          'task': task, 'keywords': keywords, 'message': message, 'places': places,
                          'words': struct.unpack_from('<%dI' % words, self.data, list_at)})
        assert end == place + 16 + 48 * count + 4 * sum(len(x['words']) for x in found)
        return found


class Binary:
    """Binary XML: an element is (name, attributes, parts); a part is an element, a text, or (index, type)"""

    def __init__(self, data):
        self.data, self.at = data, 4
        assert data[:4] == b'\x0f\1\1\0', data[:4]
        self.root = self.element()
        assert not any(data[self.at:]) and len(data) - self.at in range(1, 5), (self.at, len(data))

    def take(self, form):
        values = struct.unpack_from(form, self.data, self.at)
        self.at += struct.calcsize(form)
        return values

    def name(self):
        hashed, length = self.take('<HH')
        text = self.data[self.at:self.at + 2 * length].decode('utf-16-le')
        self.at += 2 * length + 2
        value = 0
        for c in text:
            value = (value * 65599 + ord(c)) & 0xFFFFFFFF
        assert value & 0xFFFF == hashed, text
        return text

    def part(self):
        token = self.data[self.at] & ~0x40
        if token == 1:
            return self.element()
        self.at += 1
        if token == 0x0D:
            return self.take('<HB')
        assert token == 5 and self.take('<B') == (1,), token
        length, = self.take('<H')
        self.at += 2 * length
        return self.data[self.at - 2 * length:self.at].decode('utf-16-le')

    def element(self):
        token, _, size = self.take('<BHI')
        end, attributes, parts = self.at + size, {}, []
        assert token & ~0x40 == 1, token
        name = self.name()
        if token & 0x40:
            length, = self.take('<I')
            list_end = self.at + length
            while self.at < list_end:
                assert self.take('<B')[0] & ~0x40 == 6
                key = self.name()
                attributes[key] = self.part()
        close, = self.take('<B')
        while close == 2 and self.data[self.at] != 4:
            parts.append(self.part())
        self.at += close == 2
        assert self.at == end, (name, self.at, end)
        return name, attributes, parts


def part_text(part):
    return part if isinstance(part, str) else '%%%d' % (part[0] + 1) if len(part) == 2 else None


def element_text(node):
    name, attributes, parts = node
    return '<%s%s>%s</%s>' % (
        name, ''.join(' %s=%s' % (k, quoteattr(part_text(v))) for k, v in attributes.items()),
        ''.join(escape(part_text(x) or '') or element_text(x) for x in parts), name)


class Manifest:
    """A template as an XML manifest: one string for each message, so that they are shared as before"""

    def __init__(self, template, texts):
        self.lines, self.used, self.texts = [], set(), texts
        for provider in template.providers:
            self.provider(provider)

    def message(self, number):
        if number == NONE:
            return ''
        self.used.add(number)
        return ' message="$(string.m%08x)"' % number

    def put(self, text):
        self.lines.append(text)

    def provider(self, found):
        self.put('<provider name=%s guid="%s" symbol="P"%s>' % (quoteattr(found['PRVA']), guid_text(found['guid']),
                                                                self.message(found['message'])))
        opcodes = found.get('OPCO', [])
        for magic, tag in (('KEYW', 'keyword'), ('LEVL', 'level')):
            self.put('<%ss>' % tag)
            for _, value, name, _, message, *_ in found.get(magic, []):
                if not name.startswith('win:'):
                    self.put('<%s name="%s" %s="%#x"%s/>' % (tag, name, 'mask' if tag == 'keyword' else 'value', value,
                                                             self.message(message)))
            self.put('</%ss>' % tag)
        self.put('<tasks>')
        for _, value, name, _, message, guid, _ in found.get('TASK', []):
            self.put('<task name="%s" value="%d" eventGUID="%s"%s><opcodes>' % (name, value, guid_text(guid),
                                                                               self.message(message)))
            self.opcodes(x for x in opcodes if x[1] & 0xFFFF == value and value)
            self.put('</opcodes></task>')
        self.put('</tasks><opcodes>')
        self.opcodes(x for x in opcodes if not x[1] & 0xFFFF and not x[2].startswith('win:'))
        self.put('</opcodes><maps>')
        for magic, name, entries in (x for _, x in sorted(found.get('MAPS', {}).items())):
            tag = 'valueMap' if magic == b'VMAP' else 'bitMap'
            self.put('<%s name="%s">%s</%s>' % (tag, name, ''.join(
                '<map value="%#x"%s/>' % (x, self.message(y)) for x, y in entries), tag))
        self.put('</maps><templates>')
        for at, template in found.get('TTBL', {}).items():
            self.template(at, template, found.get('MAPS', {}))
        self.put('</templates><events>')
        for event in found['EVNT']:
            self.event(event, found)
        self.put('</events></provider>')

    def opcodes(self, entries):
        for _, value, name, _, message, *_ in entries:
            self.put('<opcode name="%s" value="%d"%s/>' % (name, value >> 16, self.message(message)))

    def template(self, at, template, maps):
        self.put('<template tid="t%x">' % at)
        items, k = template['items'], 0
        while k < template['top']:
            self.item(items, k, maps)
            k += 1
        if template['form'] == 2:
            self.put('<UserData>%s</UserData>' % element_text(template['xml']))
        self.put('</template>')

    def item(self, items, index, maps):
        (flags, in_type, out_type, members, map_at, count, length, _), name = items[index]
        sizes = ''
        for value, fixed, param, key in ((count, 8, 16, 'count'), (length, 2, 4, 'length')):
            if flags & fixed:
                sizes += ' %s="%d"' % (key, value)
            if flags & param:
                sizes += ' %s="%s"' % (key, items[value][1])
        if not flags & 1:
            self.put('<data name="%s" inType="%s" outType="%s"%s%s/>' % (
                name, IN[in_type], OUT[out_type], sizes, ' map="%s"' % maps[map_at][1] if map_at else ''))
            return
        self.put('<struct name="%s"%s>' % (name, sizes))
        for i in range(members):
            self.item(items, (in_type | out_type << 8) + i, maps)
        self.put('</struct>')

    def event(self, event, found):
        names = {at: name for magic in ('OPCO', 'LEVL', 'TASK', 'KEYW') for at, _, name, *_ in found.get(magic, [])}
        template, opcode, level, task = event['places']
        words = ''
        for key, at in (('opcode', opcode), ('level', level), ('task', task)):
            if at:
                words += ' %s="%s"' % (key, names[at])
        if template:
            words += ' template="t%x"' % template
        if event['words']:
            words += ' keywords="%s"' % ' '.join(names[x] for x in event['words'])
        self.put('<event value="%d" version="%d" symbol="E"%s%s/>' % (event['id'], event['version'], words,
                                                                     self.message(event['message'])))

    def xml(self):
        strings = ''.join('<string id="m%08x" value=%s/>\n' % (x, quoteattr(
            self.texts[x], {'\r': '&#13;', '\n': '&#10;', '\t': '&#9;'})) for x in sorted(self.used) if x in self.texts)
        return ('<instrumentationManifest><instrumentation><events>\n%s\n</events></instrumentation><localization>'
                '<resources culture="en-US"><stringTable>\n%s</stringTable></resources></localization>'
                '</instrumentationManifest>\n' % ('\n'.join(self.lines), strings))


def without_guids(data, template):
    """The bytes without the identifiers of templates, whose hash is not public"""
    data = bytearray(data[:struct.unpack_from('<I', data, 4)[0]])
    for provider in template.providers:
        for at in provider.get('TTBL', {}):
            data[at + 24:at + 40] = bytes(16)
    return bytes(data)


def pe(template, texts=None, bits=64):
    """A PE file that has nothing but these resources"""
    parts = [(11, texts)] if texts else []
    named = 'WEVT_TEMPLATE'.encode('utf-16-le')
    types = ([('WEVT_TEMPLATE', template)] if template is not None else []) + parts
    # nodes of types, of names, of languages, then the entries of data, the name, the data
    tree = 16 + 8 * len(types)
    leaf = tree + 48 * len(types)
    text = leaf + 16 * len(types)
    begin = text + 2 + len(named) + 4 & ~3
    root = struct.pack('<12xHH', template is not None, len(parts))
    nodes = leaves = data = b''
    for i, (kind, content) in enumerate(types):
        root += struct.pack('<II', kind if isinstance(kind, int) else text | 0x80000000, tree + 48 * i | 0x80000000)
        nodes += struct.pack('<12xHHII', 0, 1, 1, tree + 48 * i + 24 | 0x80000000)
        nodes += struct.pack('<12xHHII', 0, 1, 1033, leaf + 16 * i)
        leaves += struct.pack('<IIII', 0x1000 + begin + len(data), len(content), 0, 0)
        data += content + bytes(-len(content) % 4)
    content = (root + nodes + leaves + struct.pack('<H', len(named) // 2) + named).ljust(begin, b'\0') + data
    optional = struct.pack('<H', 0x20B if bits == 64 else 0x10B).ljust(112 if bits == 64 else 96, b'\0') + \
        struct.pack('<16xII', 0x1000, len(content)).ljust(128, b'\0')
    head = b'MZ'.ljust(0x3C, b'\0') + struct.pack('<I', 0x40) + b'PE\0\0' + \
        struct.pack('<HHIIIHH', 0x8664 if bits == 64 else 0x14C, 1, 0, 0, 0, len(optional), 0x2022) + optional + \
        struct.pack('<8sIIII16x', b'.rsrc', len(content), 0x1000, len(content), 0x200)
    return head.ljust(0x200, b'\0') + content
