#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
# Copyright (C) 2026 The etw authors
"""Compare the places where etw.ko allocates with those where it was refused.

sites.py [-q] ETW.KO LOG: LOG is the output of failnth. failnth must have failed
every call in the module's code of a function that allocates memory, but for the
calls of UNREACHED, which it must have missed. Prints the table and a line per check.

sites.py [-q] ETW.KO: only the names of those that must be failed, for failnth.

-q: the short form, which misses those of LONG_FORM, too.
"""

import re
import subprocess
import sys

from etwtest import checks

# What may allocate, of what the module calls.
ALLOCATES = {
    "__alloc_percpu", "__class_create", "__kmalloc", "_copy_to_iter", "access_process_vm",
    "alloc_chrdev_region", "anon_inode_getfile", "cdev_add", "class_create", "dev_set_name",
    "device_add", "device_create", "device_destroy", "get_unused_fd_flags", "get_zeroed_page",
    "kasprintf",
    "kmalloc_node_trace", "kmalloc_trace", "kmem_cache_alloc", "kmem_cache_alloc_trace",
    "kmem_cache_create", "kvmalloc_node", "memdup_user",
    "misc_deregister", "misc_register",
    "perf_event_create_kernel_counter", "register_ftrace_function", "register_kprobe",
    "register_kretprobe",
    "tracepoint_probe_register_prio",
    "tracepoint_probe_unregister", "vm_insert_page", "vmemdup_user", "class_destroy",
}

# Names that sound like it and do not: each was looked up.
DOES_NOT = {
    "register_syscore_ops",         # a list
    "kmalloc_caches",               # data
    "unregister_syscore_ops", "unregister_chrdev_region",
    "__cpuhp_state_add_instance",   # calls cpu_prepare(), whose own sites count
    "__list_add_valid",             # a check
    "llist_add_batch",              # a list
    "unregister_kprobe",            # it disarms; nothing to have
    "unregister_kprobes", "unregister_kretprobes",
    "unregister_ftrace_function",   # its filter's memory is there
    "preempt_count_add",
}
# KASAN writes down what freed, and now and then wants a page for that.
FREES = {"free_percpu", "kfree", "kmem_cache_free", "kvfree", "vfree"}
SUSPECT = re.compile(r"alloc|dup|create|register|asprintf|add|process_vm|copy_to_iter|_new")

# (function, callee): why no failure of memory can be seen there
UNREACHED = {
    ("etw_control_exit", "misc_deregister"): "unloading is not made to fail",
    ("etw_provider_exit", "misc_deregister"): "unloading is not made to fail",
    ("etw_nodes_exit", "class_destroy"): "unloading is not made to fail",
    ("etw_nodes_init", "class_destroy"): "after another failure only",
    ("etw_pebs_get", "register_ftrace_function"): "no PEBS on the machine of this test",
    ("learn_work", "kmem_cache_create"): "in a worker, for the kernel itself tells with a stack",
    ("learn_work", "kmem_cache_alloc"): "likewise",
    ("grow", "kvmalloc_node"): "in a worker, once there are a thousand processes",
    ("measure", "perf_event_create_kernel_counter"): "in a worker; and no cycles to count",
    ("etw_session_snapshot", "get_unused_fd_flags"): "a table of files that is large enough",
    ("etw_command_line", "access_process_vm"): "pages of a process, present already",
}

# Those that only the operations of failnth's groups.h reach
LONG_FORM = {
    ("change_work", "register_kprobe"): "the long form only: each START takes its time for probes",
    ("change_work", "register_kretprobe"): "likewise",
    ("etw_function_entry_hook", "register_ftrace_function"): "likewise",
    ("etw_file_calls_prepare", "__alloc_percpu"): "likewise: file operations",
}


def calls(module):
    """Yield (function+0xreturn, function, callee) of every call out of the module."""
    text = subprocess.run(["objdump", "-dr", "--no-show-raw-insn", module], check=True,
                          capture_output=True, text=True).stdout
    function = start = target = None
    pending = False
    for line in text.splitlines():
        if match := re.match(r"([0-9a-f]+) <(\S+)>:$", line):
            start, function = int(match[1], 16), match[2]
            target = None
            continue
        if match := re.match(r"\s+[0-9a-f]+: R_X86_64_(?:PLT32|PC32)\s+(\S+)-0x4$", line):
            target = match[1] if pending else None
            continue
        match = re.match(r"\s+([0-9a-f]+):\s+(\S+)", line)
        if not match:
            continue
        if target:
            yield f"{function}+0x{int(match[1], 16) - start:x}", function, target
            target = None
        pending = match[2] in ("call", "callq")


def imports(module):
    """Return what the module takes from the kernel, without the checkers' own."""
    text = subprocess.run(["nm", "-u", module], check=True, capture_output=True, text=True).stdout
    names = {line.split()[-1] for line in text.splitlines()}
    return {name for name in names if not name.startswith(("__asan_", "__ubsan_", "__kasan_"))}


def plain(function):
    """Without what the compiler adds to names."""
    return re.sub(r"\.(cold|isra|part|constprop|\d+).*", "", function)


def wanted(module):
    """Yield the places that must be failed."""
    for site, function, callee in calls(module):
        if callee in ALLOCATES and (plain(function), callee) not in UNREACHED:
            yield site.replace("init_module+", "etw_init+")


def main():
    """Print the table and the checks."""
    if sys.argv[1] == "-q":
        del sys.argv[1]
        UNREACHED.update(LONG_FORM)
    if len(sys.argv) == 2:
        print("\n".join(wanted(sys.argv[1])))
        return
    module, log = sys.argv[1:]
    hits = {}
    with open(log, encoding="utf-8", errors="replace") as lines:
        for line in lines:
            if match := re.match(r"# site (\S+) (\d+)", line):
                hits[match[1].replace("etw_init+", "init_module+")] = int(match[2])
    found = list(calls(module))
    strange = sorted({name for name in imports(module) if SUSPECT.search(name)} -
                     ALLOCATES - DOES_NOT)
    missed, there, bad = [], 0, []
    for site, function, callee in found:
        if callee in FREES:
            hits.pop(site, 0)
        if callee not in ALLOCATES:
            continue
        there += 1
        why = UNREACHED.get((plain(function), callee), "")
        count = hits.pop(site, 0)
        print(f"# {site:40} {callee:28} {count:6} {why}")
        if not count:
            missed.append((plain(function), callee))
        if bool(count) == bool(why):
            bad.append(site)
    hits.pop("kernel", None)
    good = there and not bad and not strange and not hits
    for site in bad:
        print(f"# not as expected: {site}")
    for name in strange:
        print(f"# does it allocate? {name}")
    for site, count in hits.items():
        print(f"# failed {count} times, but not known to allocate: {site}")
    checks.check(good, "each place in etw.ko that allocates was refused, or has a reason",
                 f"{there} places, {there - len(missed)} were refused")


main()
