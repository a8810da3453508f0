# SPDX-License-Identifier: GPL-2.0
# Copyright (C) 2026 The etw authors
"""Each field macro: a call, the bytes of its type and of its data, and the value that is read."""
import struct

HALF = struct.pack('<f', 0.5)
DATE = struct.pack('<8H', 2024, 5, 1, 6, 7, 8, 9, 10)
SID = bytes.fromhex('010100000000000512000000')
GUID = bytes(range(16))
TEXT = '03020100-0504-0706-0809-0a0b0c0d0e0f'
TIME = struct.pack('<Q', 133500000000000000)
PLACE = struct.pack('<Q', 0x1000)
SOCKET = bytes.fromhex('0200005000000000') + bytes(8)
IPV6 = bytes(15) + b'\1'


def wide(text):
    return text.encode('utf-16-le')


def n(size, value):
    return value.to_bytes(size, 'little', signed=value < 0)


def text16(text):
    return wide(text) + b'\0\0'


def counted(data):
    return struct.pack('<H', len(data)) + data


# name, value in C, bytes of the type, data, what the reader shows
SCALARS = [
    ('Int8', '-5', '03', n(1, -5), -5), ('UInt8', '200', '04', n(1, 200), 200),
    ('Int16', '-300', '05', n(2, -300), -300), ('UInt16', '65000', '06', n(2, 65000), 65000),
    ('Int32', 'number', '07', n(4, -7), -7), ('UInt32', '4000000000u', '08', n(4, 4000000000), 4000000000),
    ('Int64', '-5000000000ll', '09', n(8, -5000000000), -5000000000),
    ('UInt64', '5000000000ull', '0a', n(8, 5000000000), 5000000000),
    ('IntPtr', '-9', '09', n(8, -9), -9), ('UIntPtr', '9u', '0a', n(8, 9), 9),
    ('Long', '-8', '07', n(4, -8), -8), ('ULong', '8u', '08', n(4, 8), 8),
    ('HexInt8', '16', '8404', b'\x10', '0x10'), ('HexUInt8', '255', '8404', b'\xff', '0xff'),
    ('HexInt16', '16', '8604', n(2, 16), '0x10'), ('HexUInt16', '0xffff', '8604', b'\xff\xff', '0xffff'),
    ('HexInt32', '17', '14', n(4, 17), '0x11'), ('HexUInt32', '0x12u', '14', n(4, 18), '0x12'),
    ('HexInt64', '19', '15', n(8, 19), '0x13'), ('HexUInt64', '20u', '15', n(8, 20), '0x14'),
    ('HexIntPtr', '21', '15', n(8, 21), '0x15'), ('HexUIntPtr', '22u', '15', n(8, 22), '0x16'),
    ('HexLong', '23', '14', n(4, 23), '0x17'), ('HexULong', '24u', '14', n(4, 24), '0x18'),
    ('Float32', '0.5f', '0b', HALF, 0.5), ('Float64', '-2.0', '0c', struct.pack('<d', -2), -2.0),
    ('Boolean', '1', '8403', b'\1', 1), ('Bool', '1', '0d', n(4, 1), 1),
    ('Char', "'c'", '8402', b'c', 99), ('Char16', "u'd'", '8602', n(2, 100), 100),
    ('WChar', "u'e'", '8602', n(2, 101), 101),
    ('Pointer', 'place', '15', PLACE, '0x1000'), ('CodePointer', 'place', '9525', PLACE, '0x1000'),
    ('FileTime', 'moment', '11', TIME, 133500000000000000),
    ('FileTimeUtc', 'moment', '9126', TIME, 133500000000000000),
    ('SystemTime', 'date', '12', DATE, '2024-05-06 07:08:09.010'),
    ('SystemTimeUtc', 'date', '9226', DATE, '2024-05-06 07:08:09.010'),
    ('Guid', 'guid', '0f', GUID, TEXT),
]

# those without arrays
MORE = [
    ('Pid', '5u', '8805', n(4, 5), 5), ('Tid', '6u', '8806', n(4, 6), 6),
    ('IPv4Address', '0x0100007fu', '8808', bytes.fromhex('7f000001'), '127.0.0.1'),
    ('Port', '0x5000', '8607', n(2, 0x5000), 80),
    ('WinError', '5u', '880d', n(4, 5), 5), ('NTStatus', '-1', '880e', b'\xff' * 4, '0xffffffff'),
    ('HResult', '-2', '870f', b'\xfe\xff\xff\xff', '0xfffffffe'),
    ('String', '"abc"', '02', b'abc\0', 'abc'), ('String', 'none', '02', b'\0', ''),
    ('Utf8String', '"\\xc3\\xa4"', '8223', b'\xc3\xa4\0', 'ä'),
    ('String16', 'u"xyz"', '01', text16('xyz'), 'xyz'), ('WideString', 'u"xyz"', '01', text16('xyz'), 'xyz'),
    ('WideString', 'none16', '01', b'\0\0', ''),
    ('CountedString', '"abcd", 3', '17', counted(b'abc'), 'abc'),
    ('CountedString', 'none, 0', '17', counted(b''), ''),
    ('CountedUtf8String', '"abcd", 2', '9723', counted(b'ab'), 'ab'),
    ('CountedString16', 'u"abcd", 2', '16', counted(wide('ab')), 'ab'),
    ('CountedWideString', 'u"abcd", 3', '16', counted(wide('abc')), 'abc'),
    ('AnsiString', '&ansi', '17', counted(b'AN'), 'AN'),
    ('UnicodeString', '&unicode', '16', counted(wide('UN')), 'UN'),
    ('Sid', 'sid', '13', SID, 'S-1-5-18'),
    ('Binary', '&guid, 4', '0e', counted(GUID[:4]), '00010203'),
    ('BinaryEx', '&guid, 2, TlgOutPKCS7_WITH_TYPE_INFO', '8e24', counted(GUID[:2]), '0001'),
    ('BinaryBuffer', '&ansi, ANSI_STRING', '0e', counted(b'AN'), '414e'),
    ('BinaryBufferEx', '&ansi, ANSI_STRING, TlgOutXML', '8e0b', counted(b'AN'), '414e'),
    ('SocketAddress', 'socket, 16', '8e0a', counted(SOCKET), SOCKET.hex()),
    ('IPv6Address', 'address', '8e09', counted(IPV6), '::1'),
    ('Custom', '&guid, 3, 7, (0x12, 0x34, 0x56), 3', '670300123456', counted(GUID[:3]), '000102'),
    ('PackedField', '&guid, 4, TlgInUINT32', '08', GUID[:4], 0x03020100),
    ('PackedFieldEx', '&guid, 4, TlgInUINT32, TlgOutHEX', '8804', GUID[:4], '0x3020100'),
]

# TraceLoggingValue(): a value, and what its type becomes; in C alone, in C++ alone, or in both
VALUES = [
    ('number', '07', n(4, -7), -7, 'both'), ('5u', '08', n(4, 5), 5, 'both'),
    ('(short)-2', '05', n(2, -2), -2, 'both'), ('(unsigned short)2', '06', n(2, 2), 2, 'both'),
    ('(signed char)-1', '03', b'\xff', -1, 'both'), ('(unsigned char)1', '04', b'\1', 1, 'both'),
    ('letter', '8402', b'l', 108, 'both'), ('5l', '09', n(8, 5), 5, 'both'),
    ('5ul', '0a', n(8, 5), 5, 'both'), ('5ll', '09', n(8, 5), 5, 'both'),
    ('5ull', '0a', n(8, 5), 5, 'both'), ('0.5f', '0b', HALF, 0.5, 'both'),
    ('-2.0', '0c', struct.pack('<d', -2), -2.0, 'both'), ('guid', '0f', GUID, TEXT, 'both'),
    ('moment', '11', TIME, 133500000000000000, 'both'),
    ('date', '12', DATE, '2024-05-06 07:08:09.010', 'both'), ('"lit"', '02', b'lit\0', 'lit', 'both'),
    ('none', '02', b'\0', '', 'both'), ('u"lit"', '01', text16('lit'), 'lit', 'both'),
    ('place', '15', PLACE, '0x1000', 'both'), ('(const GUID *)place', '15', PLACE, '0x1000', 'both'),
    ('(_Bool)1', '8403', b'\1', 1, 'C'), ('true', '8403', b'\1', 1, 'C++'),
    ("u'd'", '8602', n(2, 100), 100, 'C++'), ('nullptr', '15', bytes(8), '0x0', 'C++'),
    ('const_cast<char *>("x")', '02', b'x\0', 'x', 'C++'),
]

# C++ alone: the values are temporary objects
TEMPORARY = [
    ('String', 'std::string("temporary, and longer than a short one").c_str()', '02',
     b'temporary, and longer than a short one\0', 'temporary, and longer than a short one'),
    ('Guid', 'GUID{ guid }', '0f', GUID, TEXT), ('FileTime', 'FILETIME{ moment }', '11', TIME, 133500000000000000),
]
ELEMENTS = {'Int8': 'INT8', 'UInt8': 'UINT8', 'Int16': 'INT16', 'UInt16': 'UINT16', 'Int32': 'INT32',
            'UInt32': 'UINT32', 'Int64': 'INT64', 'UInt64': 'UINT64', 'IntPtr': 'INT_PTR',
            'UIntPtr': 'UINT_PTR', 'Long': 'LONG', 'ULong': 'ULONG', 'Float32': 'FLOAT',
            'Float64': 'DOUBLE', 'Boolean': 'BOOLEAN', 'Bool': 'BOOL', 'Char': 'char',
            'Char16': 'char16_t', 'WChar': 'WCHAR', 'Pointer': 'PVOID', 'CodePointer': 'PVOID',
            'FileTime': 'FILETIME', 'FileTimeUtc': 'FILETIME', 'SystemTime': 'SYSTEMTIME',
            'SystemTimeUtc': 'SYSTEMTIME', 'Guid': 'GUID'}


def typed(code, count=None, fixed=False):
    """The bytes of a type as those of an array"""
    data = bytearray.fromhex(code)
    data[0] |= 0x20 if fixed else 0x40
    return (bytes(data) + (struct.pack('<H', count) if fixed else b'')).hex()


def arrays():
    """Two rows for each scalar: (call, bytes of the type, data, value)"""
    for name, value, code, data, shown in SCALARS:
        kind = ELEMENTS[name.replace('Hex', '')]
        where = 'array_%s' % name
        several = [shown, shown]
        yield (name + 'Array', where, kind, value, '%s, 2' % where, typed(code),
               struct.pack('<H', 2) + 2 * data, several)
        yield (name + 'FixedArray', where, kind, value, '%s, 2' % where, typed(code, 2, True),
               2 * data, several)
