#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
# Copyright (C) 2026 The etw authors
"""Files made here: every header, width and layout."""
import csv
import json
import os
import struct
import xml.dom.minidom

import checks
from etwtest import etlmore as m
from etwtest.etlmore import e
from made_files import GUID, events, fields, run, save

IMAGE_ID = bytes.fromhex('d775e6b35425184f830b2762732560de')
PERF_INFO = bytes.fromhex('b4bf1dce7e13a64d87b03f59aa102cbc')
IMAGE = bytes.fromhex('1d5db12cc15fd211abe100a0c911f518')
SYSTEM_CONFIG_EX = bytes.fromhex('91ee799bfdb5c041a2434248e266e9d0')
DATA = os.path.join(os.path.dirname(os.path.abspath(__file__)), 'data')
# what readers know of kernel events: hook id, version, bytes of its fixed part, and the strings
# that follow: w UTF-16, b 8-bit
SIZES = '''0000:2:280:ww 0005:2:36 0020:2:36 0008:2:0 030b:2:4 0320:2:104 0321:2:104
0501:3:72 0502:3:72:w 0503:3:72:w 0504:3:72:w 0548:2:8:w 030a:3:56:w 1402:3:56:w 1403:2:56:w
1404:3:56:w 1421:2:8 1422:2:8 0524:5:28 0524:4:24 0524:3:24 0524:2:24 0524:1:20 0525:2:88 0525:2:104 0532:2:8
0530:3:8 0531:3:8 0533:3:8 0534:3:8 0535:2:16 053d:2:12 0f2e:2:16 0f49:3:12:w 0f4a:3:12:w
0f48:2:12 1820:2:40 1825:2:24 1826:2:24 1822:2:40 1823:2:40 1824:2:40 0f44:2:16 0f42:2:16
0f45:2:16 0f43:2:20 0f32:2:24 0f33:2:8 0f34:2:4 010a:3:52 010b:3:52 010a:2:48 010c:3:12
010d:3:12 010f:3:12 010e:3:28 0220:2:40 020a:2:16 020b:2:16 020c:2:16 020d:2:16 020e:2:16
020f:2:16 0262:2:24 0263:2:24 0280:2:32 0281:2:32 0400:2:8:w 0420:2:8:w 0423:2:8:w 0424:2:8:w
0440:3:32:w 0441:3:28 0442:3:28 0449:3:28 0443:3:44 0444:3:48 0445:3:40 0446:3:40 0447:3:40
044a:3:40 044b:3:40 0448:3:40:w 044d:3:40:w 044f:3:40:w 0450:3:40:w 0451:3:40:w 044c:3:20
0425:2:36 0428:3:44 060a:2:40 060b:2:32 060c:2:48 060d:2:32 060e:2:32 060f:2:48 0610:2:32
0611:2:4 0612:2:32 061a:2:64 061b:2:56 061c:2:72 061d:2:56 061e:2:56 061f:2:72 0620:2:56
0622:2:56 080a:2:32 080b:2:32 081a:2:56 081b:2:56 0e20:2:24 0e22:2:24 0e21:2:28 0f2f:2:16
0f30:2:4:www 0c20:2:72 0b0a:3:828 0b0b:2:568 0b0c:2:112 0b0d:2:20:www 0b0f:3:12:wwwww 0b10:2:8
0b15:3:20:w 0b16:5:32:wwwww 0b16:4:24:wwwww 0b16:3:12:wwww 0b16:2:12:www 0b0e:2:2584 0b12:2:64:wwbb 0b18:2:36 0b19:2:0:wwww 0b1a:2:20 0b1b:2:20 0b1c:2:8
0b1d:2:4 0b1e:2:16 0b21:2:16 0b23:2:428 0b24:2:4 0b25:2:16 0529:2:56 1b20:2:16
0122:2:36 0123:2:12 0125:2:20 0134:2:20 0135:2:12 0440:2:36:w 0441:2:32 0442:2:32 0449:2:32
0443:2:48 0444:2:48 0445:2:44 0446:2:44 0447:2:44 044a:2:44 044b:2:44 0448:2:44:w 044d:2:44:w
044c:2:20 0f37:2:36 0f3a:2:0 0f68:2:49 0f69:2:49 0f6a:2:8 1233:2:24 1239:2:16 123a:2:8
0400:0:8:w 0502:1:8 0501:1:57 0400:1:8:w 0420:1:8:w 060a:0:20 060b:0:20 060f:0:20 060a:1:20 060c:1:20 0610:1:20
080a:0:24 080b:0:24 080a:1:20 080b:1:20'''.split()


def sized(cut):
    """A record of each layout, @cut bytes shorter than it must be."""
    for i, form in enumerate(SIZES):
        hook, version, size, *strings = form.split(':')
        payload = bytes(i % 7 for i in range(int(size)))
        payload += b''.join(e.wide('text') if x == 'w' else b'text\0' for x in ''.join(strings))
        if len(payload) >= cut:
            yield form, m.hooked(int(hook, 16), int(version), payload[:len(payload) - cut],
                                 e.T0 + 9 + i)


def all_layouts_fit_their_sizes():
    for cut in (0, 1):
        forms, records = zip(*sized(cut))
        lines = events(e.header_buffer(size=0x8000) +
                       e.buffer(records, sequence=1, time=e.T0 + 999, size=0x8000))[2:]
        assert len(lines) == len(forms)
        for form, event in zip(forms, lines):
            got = event['fields']
            assert event['hook'] == form[:4] and 'Payload' not in got, (form, got)
            # a byte less is too short, and reported; lists are shorter then
            assert (event.get('truncated', False) or 'Rest' in got) == bool(cut), (form, event)


def from_windows(name):
    """The events of a file in data/: cut from a file of Windows, without private text."""
    with open(os.path.join(DATA, name), 'rb') as file:
        return events(file.read())[1:]


def devices_of_windows_files_have_their_fields():
    media, pnp = from_windows('pnp_v4.etl')
    assert media['event'] == 'SystemConfig/OpticalMedia', media
    assert media['fields'] == dict(
        dict.fromkeys(('DiskNumber', 'StartingOffset', 'Size', 'NumberOfFreeBlocks',
                       'TotalNumberOfBlocks', 'NextWritableAddress', 'NumberOfSessions',
                       'NumberOfTracks', 'DiscStatus', 'LastSessionStatus'), 0),
        BusType=2, DeviceType=5, MediaType=16, BytesPerSector=2048, DriveLetter='D:',
        FileSystemName='UDF', DeviceName='Virtual CD/ROM  ', ManufacturerName='Msft    '), media
    assert (pnp['version'], pnp['fields']) == (4, {
        'ClassGuid': '4d36e97d-e325-11ce-bfc1-08002be10318', 'UpperFiltersCount': 0,
        'LowerFiltersCount': 0, 'DeviceID': 'ACPI\\PNP0C01\\1', 'DeviceDescription': 'System board',
        'FriendlyName': '', 'PdoName': '\\Device\\00000018', 'ServiceName': ''}), pnp
    video, pnp = from_windows('video_v2_pnp_v3.etl')
    adapter = 'Microsoft VMBus Video Device'
    assert (video['event'], video['fields']) == ('SystemConfig/Video', {
        'MemorySize': 0x800000, 'XResolution': 0, 'YResolution': 0, 'BitsPerPixel': 0,
        'VRefresh': 0, 'ChipType': adapter, 'DACType': 'None', 'AdapterString': adapter,
        'BiosString': adapter, 'DeviceId': 'Microsoft Hyper-V Video', 'StateFlags': '0x0'}), video
    assert (pnp['version'], pnp['fields']) == (3, {
        'IDLength': 24, 'DescriptionLength': 36, 'FriendlyNameLength': 0,
        'DeviceID': 'ROOT\\LEGACY_NISDRV\\0000',
        'DeviceDescription': 'Microsoft Network Inspection System', 'FriendlyName': '',
        'PdoName': '\\Device\\00000017'}), pnp


def deterministic_images_of_version_1_have_base_and_process():
    image = from_windows('determ_v1.etl')[0]
    assert (image['event'], image['version'], image['fields']) == (
        'KernelTraceControl/ImageIDDbgIDDeterm', 1,
        {'ImageBase': '0x7ff87b720000', 'ProcessId': 39036}), image


def header_event_of_a_private_logger_may_have_version_0():
    with open(os.path.join(DATA, 'private_header_v0.etl'), 'rb') as file:
        content = bytearray(file.read())
    assert ': good: 2 buffers, 12 records' in run('check', save(content))
    mode, = struct.unpack_from('<I', content, 0x88)
    struct.pack_into('<I', content, 0x88, mode & ~0x800)
    assert 'violation: rule 8: ' in run('check', save(content), code=3)


def system_paths_are_those_that_traceevent_accepts():
    for path, good in (('/', False), ('/lib', False), ('', False), ('//', True), ('/lib/', True),
                       ('C:\\Windows\\', True), ('\\', False)):
        record = m.classic(SYSTEM_CONFIG_EX, 33, 0, e.wide('/lib/x') + e.wide(path), e.T0 + 2)
        out = run('check', save(e.with_records([record])), code=0 if good else 3)
        assert ('violation: rule 75: ' in out) != good, (path, out)


def packed_switches_are_taken_apart():
    tids, priorities = range(100, 116), range(-8, 8)
    switches = [struct.pack('<H', 0 | 9 << 2), struct.pack('<I', 1 | 123456789 << 2),
                struct.pack('<I', 2 | 5 << 2 | 6 << 6 | 37 << 9 | 77777 << 15),
                struct.pack('<Q', 3 | 1 << 2 | 15 << 32 | 63 << 36 | 30 << 42 | 131071 << 47)]
    payload = struct.pack('<Q16I16b', 12345, *tids, *priorities) + b''.join(switches)
    got = fields([m.hooked(0x525, 2, payload, e.T0 + 2), m.hooked(0x525, 2, payload[:-1], e.T0 + 3)])
    whole = {'FirstTimeStamp': 12345, 'ThreadIds': list(tids), 'BasePriorities': list(priorities),
             'DataTypes': [0, 1, 2, 3], 'TimeDeltas': [9, 123456789, 77777, 1],
             'OldThreadIdIndexes': [5, 15], 'OldThreadStateWaitReasons': [37, 63],
             'OldThreadPriorityIncrements': [6], 'OldThreadPriorities': [30],
             'NewThreadWaitTimes': [131071]}
    assert got[0] == whole, got[0]
    assert got[1]['DataTypes'] == [0, 1, 2] and got[1]['Rest'] == switches[3][:-1].hex(), got[1]


def layouts_of_32_bit():
    image = struct.pack('<IIIIIIIIIII', 0x1000, 0x2000, 4, 5, 6, 0, 7, 0, 0, 0, 0) + e.wide('a.dll')
    stack = struct.pack('<QIIII', 1, 2, 3, 0x80001234, 0x1234)
    got = fields([m.hooked(0x1402, 3, image, e.T0 + 2, 1), m.hooked(0x1820, 2, stack, e.T0 + 3, 16),
                  m.hooked(0x501, 3, struct.pack('<II8IBBBB', 9, 10, *range(8), 8, 5, 2, 0),
                           e.T0 + 4, 1)])
    assert (got[0]['ImageBase'], got[0]['DefaultBase'], got[0]['FileName']) == \
        ('0x1000', '0x7', 'a.dll'), got[0]
    assert got[1]['Stack'] == ['0x80001234', '0x1234'], got[1]
    assert (got[2]['Affinity'], got[2]['SubProcessTag'], got[2]['BasePriority']) == ('0x4', 7, 8)


def addresses_of_old_versions():
    far, near, ports = bytes([10, 0, 0, 1]), bytes([10, 0, 0, 2]), b'\x00\x50\x01\xbd'
    got = fields([m.hooked(0x60A, 0, far + near + ports + struct.pack('<II', 7, 9), e.T0 + 2),
                  m.hooked(0x60A, 1, struct.pack('<II', 9, 7) + far + near + ports, e.T0 + 3),
                  m.hooked(0x80A, 1, struct.pack('<II', 9, 7) + far + near + ports, e.T0 + 4),
                  m.hooked(0x80A, 0, struct.pack('<Q', 9) + near + ports[2:] + b'\7\0' + far +
                           ports[:2] + b'\6\0', e.T0 + 5)])
    ends = {'DestinationAddress': '10.0.0.1', 'SourceAddress': '10.0.0.2', 'DestinationPort': 80,
            'SourcePort': 445, 'Size': 7}
    assert got[:3] == [dict(ends, ProcessId=9)] * 3, got
    assert got[3] == dict(ends, Context='0x9', DestinationSize=6), got[3]


def classic_events_have_their_hooks():
    rsds = struct.pack('<QI16sI', 0x1000, 5, GUID, 3) + b'a.pdb\0'
    image = struct.pack('<QQIIIIQQQ', 1, 2, 3, 4, 5, 0, 6, 0, 0) + e.wide('x')
    lines = events(e.with_records([
        m.classic(PERF_INFO, 34, 0, b'here\0', e.T0 + 2),
        m.classic(IMAGE_ID, 36, 2, rsds, e.T0 + 3),
        m.classic(IMAGE_ID, 38, 2, struct.pack('<QIIHH', 1, 2, 3, 0x100, 0x504D), e.T0 + 3),
        m.classic(IMAGE_ID, 40, 2, struct.pack('<QI', 1, 2), e.T0 + 3),
        m.classic(IMAGE_ID, 34, 2, b'NB10', e.T0 + 3),
        m.classic(IMAGE, 10, 2, image, e.T0 + 4),
        # its header says 32 bit, and its payload has 64
        m.classic(IMAGE, 2, 2, image, e.T0 + 5, kind=0x0A)]))[3:]
    ids = lines[2:5]
    del lines[2:5]
    assert [x['event'] for x in lines] == ['PerfInfo/Mark', 'KernelTraceControl/ImageIDDbgID',
                                           'Image/Load', 'Image/Unload'], lines
    names = [x['event'].removeprefix('KernelTraceControl/ImageIDDbgID') for x in ids]
    assert names == ['PPDB', 'Determ', 'NB10'], ids
    assert ids[0]['fields'] == {'ImageBase': '0x1', 'ProcessId': 2, 'TimeDateStamp': '0x3',
                                'MajorVersion': '0x100', 'MinorVersion': '0x504d'}, ids
    assert ids[1]['fields'] == {'ImageBase': '0x1', 'ProcessId': 2}, ids
    assert lines[0]['fields'] == {'Text': 'here'} and lines[2]['hook'] == '030a'
    assert lines[1]['fields']['PdbFileName'] == 'a.pdb', lines[1]
    # a kernel event that is cut to what would fit 32 bit is too short all the same
    cut = events(e.with_records([m.hooked(0xF33, 2, bytes(4), e.T0 + 2)]))[3]
    assert cut['truncated'], cut
    assert lines[2]['fields'] == lines[3]['fields'] and lines[3]['fields']['DefaultBase'] == '0x6'


def headers_of_all_kinds():
    t = e.T0
    wnode = struct.pack('<IIQQ16sII', 0x38, 0, 0, t + 5, GUID, 0, 0x20000) + bytes(8)
    small = struct.pack('<HBBIQ', 0x14, 0, 0xB0, 1, t + 6) + b'tail'
    unused = struct.pack('<HBBI', 0x10, 0x0C, 0xC0, 0) + bytes(8)
    error = bytearray(e.event(GUID, 7, b'oops', t + 8))
    struct.pack_into('<H', error, 2, 0xC00D)
    instance = m.classic(GUID, 5, 1, b'', t + 3, kind=0x15) + \
        struct.pack('<II', 11, 12) + GUID + b'data'
    instance = struct.pack('<H', len(instance)) + instance[2:]
    lines = events(e.with_records([
        m.hooked(0x532, 2, bytes(8), t + 2, kind=4), instance,
        e.message(9, 0x7B, struct.pack('<I16sQII', 77, GUID, t + 4, 8, 9), b'arg'),
        wnode, small, unused, bytes(error)]))[3:]
    assert [(x['header'], x['bits']) for x in lines] == [
        ('COMPACT', 64), ('INSTANCE', 64), ('MESSAGE', 32), ('WNODE', 64), ('ULONG32_TIME', 64),
        ('unused', 64), ('ERROR', 64)], lines
    assert run.said == '', run.said
    assert (lines[1]['fields']['InstanceId'], lines[1]['fields']['ParentInstanceId']) == (11, 12)
    assert lines[2]['fields'] == {'OptionFlags': '0x7b', 'Sequence': 77, 'Payload': '617267'}, lines[2]
    assert [x['ns'] for x in lines] == [200, 300, 400, 500, 600, 600, 800], lines


def classic_events_keep_level_and_version():
    """The class has 8 bits of a level and 16 of a version."""
    instance = m.classic(GUID, 5, 0x0203, bytes(24), e.T0 + 3, kind=0x15, level=255)
    records = [m.classic(GUID, 5, 0x0102, b'', e.T0 + 2, level=5), instance,
               m.classic(GUID, 5, 0xFF00, b'', e.T0 + 4)]
    lines = events(e.with_records(records))[3:]
    assert [(x['version'], x['fields'].get('Level')) for x in lines] == [
        (0x0102, 5), (0x0203, 255), (0xFF00, None)], lines
    xml = run('dump', '--xml', save(e.with_records(records)))
    for version, level in (0x0102, 5), (0x0203, 255), (0xFF00, 0):
        assert '<Version>%u</Version>\n\t\t<Level>%u</Level>' % (version, level) in xml, xml


def windows_2000_wrote_no_process_ids():
    """ThreadId had 64 bits."""
    instance = m.classic(GUID, 5, 1, bytes(24), e.T0 + 3, kind=0x15, tid=9, pid=0)
    records = [m.classic(GUID, 4, 1, b'', e.T0 + 2, tid=7, pid=0), instance,
               m.hooked(0x532, 2, bytes(8), e.T0 + 4, kind=2, tid=3, pid=0)]
    for system, none in ((5, 0), True), ((5, 1), False), ((5, 2), False), ((10, 0), False):
        content = e.with_records(records, system=system)
        ids = [(x.get('pid', 'none'), x['tid']) for x in events(content)[3:]]
        pid = 'none' if none else 0
        assert ids == [(pid, 7), (pid, 9), (0, 3)], (system, ids)
        text = run('dump', save(content)).splitlines()[3:]
        assert [' [%s/' % ('-' if none else 0) in x for x in text] == [True, True, not none], text
        csv = [x.split(',')[2:4] for x in run('dump', '--csv', save(content)).splitlines()[4:]]
        assert csv == [['' if none else '0', '7'], ['' if none else '0', '9'], ['0', '3']], csv
        # as of all records that have none
        xml = run('dump', '--xml', save(content))
        assert xml.count('ProcessID="4294967295" ThreadID="7"') == none, xml
        assert len(events(content, '--pid', '0')) == 3 - 2 * none, system


def message_keeps_room_for_a_stamp():
    line = events(e.with_records([
        e.message(9, 0x30, struct.pack('<QII', 1 << 60, 8, 9), b'arg')]))[3]
    assert (line['tid'], line['pid'], line['fields']['Payload']) == (8, 9, '617267'), line


def message_items(options):
    """The items that the option flags ask for, and what dump must say of the message."""
    items, logged = b'', {}
    fields = {'OptionFlags': hex(options), 'Payload': '617267'}
    provider = '00000000-0000-0000-0000-000000000000'
    if options & 0x01:
        items += struct.pack('<I', 77)
        fields['Sequence'] = 77
    if options & 0x04:
        items += struct.pack('<I', 0xC0FFEE)
        provider = '00c0ffee' + provider[8:]
        fields['ComponentId'] = '0xc0ffee'
    elif options & 0x02:
        items += GUID
        provider = '03020100-0504-0706-0809-0a0b0c0d0e0f'
    if options & 0x18:
        items += struct.pack('<Q', e.T0 + options if options & 0x08 else 1 << 60)
    if options & 0x20:
        items += struct.pack('<II', 8, 9)
        logged.update(tid=8, pid=9)
    name = '00c0ffee' if options & 0x04 else provider
    logged.update(provider=provider, event=f'Message/{name}/{0x300 + options}', fields=fields,
                id=0x300 + options, header='MESSAGE', bits=32 if options & 0x40 else 64)
    return items, logged


def all_flags_of_messages_in_both_widths():
    forms = [flags | width for width in (0x40, 0x80) for flags in range(64)]
    records = [e.message(0x300 + x, x, message_items(x)[0], b'arg') for x in forms]
    lines = events(e.header_buffer(size=0x8000) +
                   e.buffer(records, sequence=1, time=e.T0 + 999, size=0x8000))[2:]
    assert len(lines) == len(forms) and run.said == '', (len(lines), run.said)
    last = lines[0]['ns']
    for options, line in zip(forms, lines):
        logged = message_items(options)[1]
        got = {key: line[key] for key in line
               if key in logged or key in ('tid', 'pid', 'truncated')}
        assert got == logged, (hex(options), got, logged)
        # the flag of the other clock makes room and says nothing: the time is the last one's
        last = 100 * options if options & 0x08 else last
        assert line['ns'] == last, (hex(options), last, line)


def messages_are_known_by_three_bits():
    """The low half of the byte means nothing; what has other bits of the high one is no message."""
    items = struct.pack('<I16sQII', 77, GUID, e.T0 + 4, 8, 9)
    records = [e.message(x, 0xAB, items, b'arg', flag=0x90 | x) for x in range(16)]
    whole = e.with_records(records)
    lines = events(whole)[3:]
    assert run.said == '', run.said
    assert [x.pop('id') for x in lines] == list(range(16)), lines
    assert [x.pop('event').rsplit('/')[-1] for x in lines] == [str(x) for x in range(16)], lines
    assert all(x == lines[0] and x['header'] == 'MESSAGE' for x in lines), lines
    assert ' 0 violations, 16 notes' in run('check', save(whole))
    for flag in 0x80, 0xA0, 0xD0, 0xE0, 0xF0, 0x10:
        lines = events(e.with_records([e.message(9, 0xAB, items, b'', flag=flag), *records[-3:]]))
        assert [x['id'] for x in lines[3:]] == [13, 14, 15] and 'skipped' in run.said, (flag, lines)
    assert events(e.with_records([e.message(9, 0, items, b'', flag=0xB8)]))[3]['header'] == \
        'ULONG32_TIME'


def extended_items_are_shown():
    chain = m.items((1, GUID), (2, bytes.fromhex('010100000000000512000000')),
                    (6, struct.pack('<QQQ', 5, 0x10, 0x20)), (13, struct.pack('<Q', 3)),
                    (0x10, b'01234567-89ab-cdef-0123-456789abcdef'), (0x12, struct.pack('<QQ', 6, 7)), (0x33, b'xyz'))
    got = fields([e.event(GUID, 3, chain + b'\1', e.T0 + 2, flags=1)])[0]
    assert got['RelatedActivityId'] == '03020100-0504-0706-0809-0a0b0c0d0e0f', got
    assert (got['Sid'], got['Stack'], got['ProcessStartKey'], got['StackKey'], got['Item']) == \
        ('S-1-5-18', ['0x10', '0x20'], '0x3', '0x7', '78797a'), got
    assert got['ContainerId'] == '01234567-89ab-cdef-0123-456789abcdef', got
    assert got['Payload'] == '01', got


def tracelogging_describes_itself():
    description, payload = b'', b''
    for name, kind, value in (
            (b'u8', b'\x04', b'\xff'), (b'i16', b'\x05', b'\xff\xff'), (b'wide', b'\x01', e.wide('w')),
            (b'ansi', b'\x02', b'abc\0'), (b'bool', b'\x0d', b'\1\0\0\0'),
            (b'real', b'\x0b', struct.pack('<f', 0.5)), (b'double', b'\x0c', struct.pack('<d', -2)),
            (b'guid', b'\x0f', GUID), (b'hex', b'\x15', struct.pack('<Q', 255)),
            (b'bytes', b'\x0e', b'\2\0\1\2'), (b'counted', b'\x16', b'\2\0z\0'),
            (b'port', b'\x86\x07', b'\1\xbd'), (b'ip', b'\x88\x08', b'\x7f\0\0\1'),
            (b'tagged', b'\x87\x80\x01', b'\5\0\0\0'), (b'three', b'\x26\3\0', b'\1\0\2\0\3\0'),
            (b'many', b'\x47', b'\2\0' + struct.pack('<ii', -1, 1)),
            (b'sid', b'\x13', bytes.fromhex('010100000000000512000000')),
            (b'pointer', b'\x10', struct.pack('<Q', 4096)),
            (b'words', b'\x41', b'\2\0' + e.wide('a') + e.wide('b'))):
        description += name + b'\0' + kind
        payload += value
    # a structure of two, twice; and one that is there no times
    description += b'pairs\0\xd8\x02left\0\x04right\0\x04' + b'none\0\xd8\x01x\0\x04' + b'end\0\x04'
    payload += b'\2\0\1\2\3\4' + b'\0\0' + b'\x09'
    got = events(e.with_records([m.described(b'Event', description, payload, e.T0 + 2)]))[3]
    assert got['event'] == 'Provider/Event', got
    expected = {
        'u8': 255, 'i16': -1, 'wide': 'w', 'ansi': 'abc', 'bool': 1, 'real': 0.5, 'double': -2.0,
        'guid': '03020100-0504-0706-0809-0a0b0c0d0e0f', 'hex': '0xff', 'bytes': '0102',
        'counted': 'z', 'port': 445, 'ip': '127.0.0.1', 'tagged': 5, 'three': [1, 2, 3],
        'many': [-1, 1], 'sid': 'S-1-5-18', 'pointer': '0x1000', 'words': 'a', 'words#2': 'b',
        'pairs[0].left': 1, 'pairs[0].right': 2, 'pairs[1].left': 3, 'pairs[1].right': 4, 'end': 9}
    for name, value in expected.items():
        assert got['fields'].get(name) == value, (name, got['fields'])
    assert not got.get('truncated') and 'Rest' not in got['fields'], got


def names_keep_every_character():
    """Of providers, events and fields; each format escapes what would break it."""
    provider, event, field = 'P\\"q, <&>', 'E\\"v, n;=', 'f\\"g, h'
    record = m.described(event.encode(), field.encode() + b'\0\x04', b'\1', e.T0 + 2,
                         traits=provider.encode() + b'\0')
    path, name = save(e.with_records([record])), provider + '/' + event
    line = json.loads(run('dump', '--json', path).splitlines()[3])
    assert line['event'] == name and line['fields'][field] == 1, line
    document = xml.dom.minidom.parseString(run('dump', '--xml', path))
    element = document.getElementsByTagName('Event')[3]
    assert element.getElementsByTagName('Provider')[0].getAttribute('Name') == provider
    assert element.getElementsByTagName('Data')[-1].getAttribute('Name') == field
    row = list(csv.reader(run('dump', '--csv', path).splitlines()))[4]
    assert len(row) == 6 and row[4] == name, row
    assert name.replace('\\', '\\\\') in run('dump', path).splitlines()[3]
    assert name in [x['name'] for x in json.loads(run('stat', '--json', path))['types']]
    for verb in ('stat',), ('dump', '--count'):
        assert '1 ' + name.replace('\\', '\\\\') in run(*verb, path), verb


def times_are_dates_and_numbers_in_json():
    date, number = '2022-06-18 04:26:40.0000000', e.START
    record = m.described(b'Event', b'when\0\x11', struct.pack('<Q', number), e.T0 + 2)
    gone = e.process(0x0327, 102, 'gone', e.T0 + 3, tail=struct.pack('<Q', number))
    path = save(e.with_records([record, gone]))
    text, lines = run('dump', path), run('dump', '--json', path).splitlines()
    for name, line in ('when', 3), ('ExitTime', 4), ('StartTime', 0):
        assert f' {name}="{date}"' in text.splitlines()[line], (name, text)
        assert json.loads(lines[line])['fields'][name] == number, lines[line]
        assert f'<Data Name="{name}">{date}</Data>' in run('dump', '--xml', path)


def the_header_event_shows_its_time_zone():
    zone = struct.pack('<i64s8Hi64s8Hi', -60, 'CET'.encode('utf-16-le'), 0, 10, 0, 5, 3, 0, 0, 0, 1,
                       'CEST'.encode('utf-16-le'), 0, 3, 0, 5, 2, 0, 0, 0, -61)
    for pointer in 4, 8:
        content = bytearray(e.good(pointer=pointer))
        at = 0x68 + 0x38 + 2 * pointer
        content[at:at + len(zone)] = zone
        got = events(content)[0]['fields']
        logged = {x.removeprefix('TimeZone.'): got[x] for x in got if x.startswith('TimeZone.')}
        assert logged == {
            'Bias': -60, 'StandardName': 'CET', 'StandardDate': [0, 10, 0, 5, 3, 0, 0, 0],
            'StandardBias': 1, 'DaylightName': 'CEST', 'DaylightDate': [0, 3, 0, 5, 2, 0, 0, 0],
            'DaylightBias': -61}, got
        assert got['StartTime'] == e.START, got


def a_missing_thread_has_no_number():
    none = 0xFFFFFFFF
    path = save(e.with_records([m.classic(GUID, 4, 1, b'', e.T0 + 2, tid=none, pid=9),
                                m.classic(GUID, 4, 1, b'', e.T0 + 3, tid=9, pid=none)]))
    lines = [json.loads(x) for x in run('dump', '--json', path).splitlines()[3:]]
    assert [(x.get('pid'), x.get('tid')) for x in lines] == [(9, None), (None, 9)], lines
    text = run('dump', path).splitlines()[3:]
    assert ' [9/-]' in text[0] and ' [-/9]' in text[1], text
    rows = [x.split(',')[2:4] for x in run('dump', '--csv', path).splitlines()[4:]]
    assert rows == [['9', ''], ['', '9']], rows


def lists_of_reals_are_numbers():
    """Of one type, whatever they look like; JSON has none that are infinite."""
    reals = [1.0, 1.5, 1e300, -2.25, 0.1, 2.0**64, float('nan'), float('-inf')]
    payload = struct.pack('<H%dd' % len(reals), len(reals), *reals) + \
        struct.pack('<H2Q', 2, 2**64 - 1, 5)
    record = m.described(b'Event', b'reals\0\x4c' + b'large\0\x4a', payload, e.T0 + 2)
    got = events(e.with_records([record]))[3]['fields']
    assert got['reals'] == reals[:6] + [None, None], got
    assert got['large'] == [str(2**64 - 1), 5], got


def counters_that_went_bad():
    """32 bytes for two of them: packed, as Windows' WMI class has them"""
    payload = struct.pack('<II', 3, 2) + struct.pack('<IQIQ', 19, 2**33, 26, e.T0)
    got = fields([e.perfinfo(0x0F31, 2, payload, e.T0 + 2)])[0]
    assert got == {'Processor': 3, 'Count': 2, 'ProfileSource': 19,
                   'LastKnownGoodTimestamp': 2**33, 'ProfileSource#2': 26,
                   'LastKnownGoodTimestamp#2': e.T0}, got


def events_are_counted_by_name():
    # all of a provider have the same id
    records = [m.described(name, b'', b'', e.T0 + 2 + i)
               for i, name in enumerate((b'One', b'Two', b'One', b'Three', b'One'))]
    path = save(e.with_records(records))
    for verb in (('stat',), ('dump', '--count')):
        lines = run(*verb, path).splitlines()
        for count, name in (3, 'One'), (1, 'Two'), (1, 'Three'):
            assert '%10d Provider/%s' % (count, name) in lines, lines


def long_names_are_whole_or_marked():
    """Names that differ only far behind their beginning are two, whether that is seen or not."""
    base = 'Microsoft.Windows.Something.VeryLong.ComponentName.OperationThat'
    far = 'xxxxx' + 'd\u00fcrch' * 100
    names = [base + 'Started', base + 'Stopped', far + 'Started', far + 'Stopped', base + 'Started',
             far + 'Stopped', 'e' * 502, 'f' * 503]
    records = [m.described(name.encode(), b'', b'', e.T0 + 2 + i) for i, name in enumerate(names)]
    records += [m.described(b'Event', b'', b'', e.T0 + 20 + i, traits=b'p' * 300 + x + b'\0')
                for i, x in enumerate((b'1', b'2', b'2'))]
    path = save(e.header_buffer(size=0x8000) +
                e.buffer(records, sequence=1, time=e.T0 + 999, size=0x8000))
    # 512 bytes with the zero behind them; the cut would halve a character
    room = 511 - len('Provider/') - 3
    cut = far.encode()[:room].decode(errors='ignore')
    assert len(cut.encode()) == room - 1, cut
    expected = {(2, 'Provider/' + base + 'Started'), (1, 'Provider/' + base + 'Stopped'),
                (1, 'Provider/' + cut + '\u2026'), (2, 'Provider/' + cut + '\u2026'),
                (1, 'Provider/' + 'e' * 502), (1, 'Provider/' + 'f' * room + '\u2026'),
                (1, 'p' * 252 + '\u2026/Event'), (2, 'p' * 252 + '\u2026/Event')}
    for verb in (('stat',), ('dump', '--count')):
        lines = [x.split(None, 1) for x in run(*verb, path).splitlines() if '/' in x]
        got = [(int(count), name) for count, name in lines if name[:9] in ('Provider/', 'p' * 9)]
        assert sorted(got) == sorted(expected), (verb, got)
    assert [x['event'] for x in events(open(path, 'rb').read())[2:]][:2] == \
        ['Provider/' + x for x in names[:2]]


def xml_is_well_formed_whatever_is_in_it():
    name = 'a<>&"\x01\x1b\ufffe\ud7ff\x85'
    records = [e.perfinfo(0x548, 2, bytes(8) + e.wide(name), e.T0 + 2),
               m.described(b'<&>', b'f<"\0\x02', b'\x80\xff&\0', e.T0 + 3)]
    out = run('dump', '--xml', save(e.with_records(records)))
    document = xml.dom.minidom.parseString(out)
    assert len(document.getElementsByTagName('Event')) == 5
    guids = [x.firstChild.data for x in document.getElementsByTagName('EventGuid')]
    assert guids[-1] == '{3d6fa8d1-fe05-11d0-9dda-00c04fd7ba7c}', guids


checks.run(globals(), ('save', 'run', 'events', 'fields', 'sized', 'message_items', 'from_windows'))
