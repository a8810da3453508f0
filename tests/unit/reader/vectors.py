#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
# Copyright (C) 2026 The etw authors
"""Payload bytes of real traces, and what they mean."""
import json
import subprocess
import sys
import tempfile

from etwtest import etlmore as m
from etwtest.etlmore import e

from etwtest import checks

TOOL = sys.argv[1]
KERNEL = '\\SystemRoot\\system32\\ntoskrnl.exe'
ZERO = '0000000000000000'
DEST, SOURCE = '20010db8' + '00' * 11 + '01', 'fe80' + '00' * 13 + '02'

# name, hook id, version, header type, payload, fields
VECTORS = [
    ('masks of Windows 8', 5, 2, 0x11, '0f270100 02000000' + '00000000' * 6 + '2a000000',
     dict(Mask0='0x1270f', Mask1='0x2', Mask7='0x0', KernelEventVersion=42)),
    ('masks of Windows 10', 5, 2, 2, '05000000' + '00000000' * 7 + '50000000',
     dict(Mask0='0x5', KernelEventVersion=80)),
    ('Idle', 0x303, 4, 0x11,
     '003a726b01f8ffff 00000000 00000000 ffffffff 00000000 00a01a0000000000 00000000 '
     '20cd72a383d3ffff 00000000 8b5d500f 010100000000000512000000 49646c6500 0000 0000 0000',
     dict(UniqueProcessKey='0xfffff8016b723a00', ProcessId=0, ParentId=0, SessionId=-1,
          ExitStatus='0x0', DirectoryTableBase='0x1aa000', Flags='0x0', UserSID='S-1-5-18',
          ImageFileName='Idle', CommandLine='', PackageFullName='', ApplicationId='')),
    ('System', 0x303, 4, 0x11,
     'c0a126db04a8ffff 04000000 00000000 ffffffff 03010000 00a01a0000000000 04000000 '
     'b0cd72a383d3ffff 00000000 03000000 010100000000000512000000 53797374656d00 0000 0000 0000',
     dict(UniqueProcessKey='0xffffa804db26a1c0', ProcessId=4, ParentId=0, SessionId=-1,
          ExitStatus='0x103', DirectoryTableBase='0x1aa000', Flags='0x4', UserSID='S-1-5-18',
          ImageFileName='System', CommandLine='', PackageFullName='', ApplicationId='')),
    ('idle thread of CPU 0', 0x503, 3, 2,
     '00000000 00000000 00a0ac2000f8ffff 0040ac2000f8ffff' + ZERO * 2 + '0100000000000000 '
     '20f5522100f8ffff' + ZERO + '00000000 00050000',
     dict(ProcessId=0, ThreadId=0, StackBase='0xfffff80020aca000', Affinity='0x1',
          StackLimit='0xfffff80020ac4000', Win32StartAddr='0xfffff8002152f520', BasePriority=0,
          PagePriority=5, IoPriority=0, ThreadFlags='0x0')),
    # of this one the specification says where it differs
    ('idle thread of CPU 1', 0x503, 3, 2,
     '00000000 00000000 00a0ac2000f8ffff 0040ac2000f8ffff' + ZERO * 2 + '0200000000000000 '
     '20f5522100f8ffff' + ZERO + '00000000 00000000',
     dict(ProcessId=0, ThreadId=0, Affinity='0x2', SubProcessTag=0, BasePriority=0,
          PagePriority=0, IoPriority=0, ThreadFlags='0x0')),
    ('thread 8 of System', 0x503, 3, 2,
     '04000000 08000000 00e09a0080f8ffff 00809a0080f8ffff' + ZERO * 2 + 'ff00000000000000 '
     '605b982100f8ffff' + ZERO + '00000000 00050200',
     dict(ProcessId=4, ThreadId=8, StackBase='0xfffff880009ae000',
          StackLimit='0xfffff880009a8000', UserStackBase='0x0', UserStackLimit='0x0',
          Affinity='0xff', Win32StartAddr='0xfffff80021985b60', TebBase='0x0',
          SubProcessTag=0, BasePriority=0, PagePriority=5, IoPriority=2,
          ThreadFlags='0x0')),
    ('kernel image', 0x1403, 3, 2,
     '0000a06a01f8ffff 0060040100000000 00000000 11aea700 393e5007 00 01 0000 ' + ZERO +
     '00000000' * 4 + e.wide(KERNEL).hex(),
     dict(ImageBase='0xfffff8016aa00000', ImageSize=0x1046000, ProcessId=0,
          ImageChecksum='0xa7ae11', TimeDateStamp='0x7503e39', SignatureLevel=0,
          SignatureType=1, DefaultBase='0x0', FileName=KERNEL)),
    ('kernel base', 0x1421, 2, 0x11, '0000a06a01f8ffff', dict(ImageBase='0xfffff8016aa00000')),
    ('sample', 0xF2E, 2, 0x11, '0330d0ffffffffff c40e0000 0100 58 00',
     dict(InstructionPointer='0xffffffffffd03003', ThreadId=0xEC4, Count=1, ExecutingDPC=0,
          ExecutingISR=0, Priority=11, Rank=0)),
    ('interval', 0xF49, 3, 2, '00000000 10270000 10270000 540069006d00650072000000',
     dict(Source=0, NewInterval=10000, OldInterval=10000, SourceName='Timer')),
    ('stack', 0x1820, 2, 0x11,
     '0f6ece7300000000 940f0000 c40e0000 0330d0ffffffffff 37ae5d2100f8ffff',
     dict(EventTimeStamp=0x73ce6e0f, StackProcess=0xF94, StackThread=0xEC4,
          Stack=['0xffffffffffd03003', '0xfffff800215dae37'])),
    ('stack by key', 0x1825, 2, 0x11, '6741d17300000000 940f0000 c40e0000 90ed430383faffff',
     dict(EventTimeStamp=0x73d14167, StackProcess=0xF94, StackThread=0xEC4,
          StackKey='0xfffffa830343ed90')),
    ('read', 0x10A, 3, 0x11,
     '00000000 02000200 00004000 01000000 00c0a63200000000 40018e02a0f8ffff 60dca10283faffff '
     'a0f0030000000000 2c000000',
     dict(DiskNumber=0, IrpFlags='0x20002', TransferSize=0x400000, ByteOffset=0x32a6c000,
          FileObject='0xfffff8a0028e0140', Irp='0xfffffa8302a1dc60',
          HighResResponseTime=0x3f0a0, IssuingThreadId=44)),
    ('read init', 0x10C, 3, 2, '70d27a0183faffff f8030000',
     dict(Irp='0xfffffa83017ad270', IssuingThreadId=0x3F8)),
    ('flush', 0x10E, 3, 0x11, '00000000 00000600 97010c0000000000 80fb7f0183faffff c0030000',
     dict(IrpFlags='0x60000', HighResResponseTime=0xc0197, Irp='0xfffffa83017ffb80',
          IssuingThreadId=0x3C0)),
    ('hard fault', 0x220, 2, 0x11,
     'dd2db47400000000 00ce0a0000000000 ec42adcaf9070000 20c65f06a0f8ffff f8030000 00340000',
     dict(InitialTime=0x74b42ddd, ReadOffset=0xace00, VirtualAddress='0x7f9caad42ec',
          FileObject='0xfffff8a0065fc620', ThreadId=0x3F8, ByteCount=0x3400)),
    ('TCP send', 0x61A, 2, 0x11,
     '04000000 74000100' + DEST + SOURCE + '01bd fa19 96070000 96070000 00000000' + ZERO,
     dict(ProcessId=4, Size=0x10074, DestinationAddress='2001:db8::1', SourceAddress='fe80::2',
          DestinationPort=445, SourcePort=64025, StartTime=0x796, EndTime=0x796)),
    ('UDP receive', 0x80B, 2, 0x11,
     '04000000 c9000000 0a8003ff 0a800037 008a 008a 00000000' + ZERO,
     dict(ProcessId=4, Size=201, DestinationAddress='10.128.3.255', SourceAddress='10.128.0.55',
          DestinationPort=138, SourcePort=138, SequenceNumber=0, ConnectionId='0x0')),
    ('NUMA node', 0xB18, 2, 0x11, '01000000 ffff0f0000000000' + ZERO,
     dict(NodeCount=1, NodeProcessors='0xfffff', NodeGroup=0)),
    ('processor groups', 0xB1A, 2, 0x11, '01000000 ffff0f0000000000',
     dict(GroupCount=1, Affinity=['0xfffff'])),
    ('processor numbers', 0xB1B, 2, 0x11, '03000000 0000 00 00 0000 01 00 0000 02 00',
     dict(ProcessorCount=3, GroupAndNumber=[0, 1, 2])),
    ('virtualization', 0xB24, 2, 2, '00000100',
     dict(VbsEnabled=0, HvciEnabled=0, HypervisorEnabled=1)),
    ('boot', 0xB25, 2, 2, ZERO + '02000000 00 01 0000',
     dict(BootFlags='0x0', FirmwareType=2, SecureBootEnabled=0, SecureBootCapable=1)),
    ('switch of version 2', 0x524, 2, 0x11,
     'cc020000 00000000 08 00 01 00 00 00 02 04 01000000 876d8834',
     dict(NewThreadId=0x2CC, OldThreadId=0, NewThreadPriority=8, PreviousCState=1,
          OldThreadWaitReason='Executive', OldThreadWaitMode=0, OldThreadState='Running',
          OldThreadIdealProcessor=4, NewThreadWaitTime=1)),
    ('switch of a 32-bit system', 0x524, 2, 0x10,
     '00000000 2c110000 00 09 00 00 17 00 01 00 12000000 26480000',
     dict(NewThreadId=0, OldThreadId=0x112C, OldThreadPriority=9, OldThreadState='Ready',
          OldThreadWaitReason='WrProcessInSwap', NewThreadWaitTime=18)),
    ('switch of version 4', 0x524, 4, 0x11,
     'c03b0000 48550000 09 08 00 00 1f 00 01 02 1f000000 85530000',
     dict(NewThreadId=15296, OldThreadId=21832, NewThreadPriority=9, OldThreadPriority=8,
          OldThreadWaitReason='WrDispatchInt', ThreadFlags='0x0', OldThreadState='Ready',
          OldThreadIdealProcessor=2, NewThreadWaitTime=31, OldThreadRemainingQuantum=0x5385)),
    ('switch of version 5', 0x524, 5, 0x11,
     '3c0d0000 00000000 08 00 01 00 00 00 02 3e 00000000 03b2d64f 02000000',
     dict(NewThreadId=3388, OldThreadId=0, NewThreadPriority=8, OldThreadPriority=0,
          PreviousCState=1, OldThreadWaitReason='Executive', OldThreadState='Running',
          OldThreadIdealProcessor=62, NewThreadWaitTime=0, Reserved=2)),
    ('the switch back', 0x524, 5, 0x11,
     '00000000 3c0d0000 00 08 00 00 00 00 05 4b af1d9f01 ee0a0000 08000000',
     dict(NewThreadId=0, OldThreadId=3388, OldThreadPriority=8, OldThreadState='Waiting',
          OldThreadIdealProcessor=75, NewThreadWaitTime=0x19f1daf, Reserved=8)),
    ('counter sample', 0xF2F, 2, 0x11, 'c90eac8cfc7f0000 940f0000 1d00 0000',
     dict(InstructionPointer='0x7ffc8cac0ec9', ThreadId=0xF94, ProfileSource=29)),
    ('counter names', 0xF30, 2, 2,
     '02000000' + (e.wide('BranchInstructions') + e.wide('LLCReference')).hex(),
     {'CounterCount': 2, 'CounterName': 'BranchInstructions', 'CounterName#2': 'LLCReference'}),
    ('inline counters', 0x524, 0x204, 0x11,
     '380f000000000000 b824000000000000'
     'c03b0000 48550000 09 08 00 00 1f 00 01 02 1f000000 85530000',
     dict(Counter0=3896, Counter1=9400, NewThreadId=15296, NewThreadWaitTime=31)),
    ('PEBS index before the counters', 0x524, 0x8204, 0x11,
     '5945c94ff77f0000 380f000000000000 b824000000000000'
     'c03b0000 48550000 09 08 00 00 1f 00 01 02 1f000000 85530000',
     dict(PebsIndex=0x7ff74fc94559, Counter0=3896, Counter1=9400, OldThreadId=21832)),
]


def main():
    records = [m.hooked(hook, version, bytes.fromhex(payload), e.T0 + 10 + i, kind)
               for i, (_, hook, version, kind, payload, _) in enumerate(VECTORS)]
    data = e.buffer(records, sequence=1, time=e.T0 + 10**9, size=0x4000)
    with tempfile.NamedTemporaryFile(suffix='.etl') as file:
        file.write(e.header_buffer(end=e.END, written=2, size=0x4000) + data)
        file.flush()
        out = subprocess.run([TOOL, 'dump', '--json', file.name], check=True,
                             stdout=subprocess.PIPE).stdout.decode()
    events = [json.loads(line) for line in out.splitlines()][2:]
    assert len(events) == len(VECTORS)
    for vector, event in zip(VECTORS, events):
        got = event['fields']
        wrong = {name: got.get(name) for name, value in vector[5].items()
                 if got.get(name) != value}
        good = not wrong and 'Rest' not in got and not event.get('truncated')
        checks.check(good, 'vector: ' + vector[0], '' if good else wrong or got)


main()
