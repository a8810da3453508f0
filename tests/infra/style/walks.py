#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
# Copyright (C) 2026 The etw authors
"""Compare the walks of architecture.rst with the code: the files of a START and of a switch.

walks.py [--calls]

A walk follows the calls from its first functions through module/; callbacks are among these. A file
counts if the walk enters one of its functions or macros, or if it defines a structure that the walk
works on. The walk does not enter what a reader need not open: the functions in its list, by reason.
The table in the page must have the same files, and at most as many as the walk's limit. --calls
prints the functions of each file.
"""
import os
import re
import sys

PAGE = "Documentation/explain/architecture.rst"

START_PASSED = {
    "refuses a setting": """
        refuse_clock etw_refuse etw_refuse_at etw_refuse_dword etw_refuse_events
        etw_refuse_besides etw_refuse_groups etw_refuse_linux_event etw_refuse_maximum
        etw_refuse_memory etw_refuse_perf etw_refuse_sampler etw_refuse_stacks""",
    "undoes what a failed START has done, or removes what an earlier session has left": """
        etw_session_put etw_session_stop etw_cpus_remove etw_event_context_free
        etw_event_context_stop etw_function_probes_unregister etw_node_remove
        etw_source_close etw_sources_detach etw_table_remove etw_users_forget free_slots""",
    "does nothing for a session without extension items": """
        parse_extension add_counters add_linux_events add_pebs
        etw_filter_create etw_filter_takes_hook
        etw_function_probes_missed etw_function_probes_register etw_has_context
        etw_items_have etw_linux_events_bytes etw_linux_events_commit
        etw_profile_commit etw_profile_prepare etw_rundown_describe
        etw_stacks_bytes etw_stacks_choose etw_stacks_have etw_stacks_init
        etw_stacks_swap_bytes etw_stacks_take etw_stop_ring_create etw_unwind_totals
        give_back""",
    "writes a record, or counts records: the walk of a switch": """
        etw_record_linux etw_rundown_write etw_ring_count_losses etw_session_lost
        etw_session_statistics""",
    "an expression with a name": """
        etw_count_32 etw_counter etw_counter_is_trusted etw_counter_now etw_counter_ordered
        etw_item_dword etw_rate_burst etw_ring_idle etw_rundown_init etw_rundown_wants etw_s_lap
        etw_s_make etw_tick etw_w_limit etw_w_make slots_of""",
}
SWITCH_PASSED = {
    "other sessions than those without filters and event contexts": "swap_for_extended",
    "a buffer ends": "finish_swap",
    "an assertion of debug builds": "etw_assert_pinned",
    "a clock without a usable counter": "etw_tick_slow_at",
}


class Walk:
    """The section of its table, how it begins, the structures it works on, and its limits."""

    def __init__(self, section, begin, structures, passed, limit):
        self.section, self.begin, self.structures, self.limit = section, begin, structures, limit
        self.passed = {name for names in passed.values() for name in names.split()}


WALKS = (
    Walk("START", ("control/control_ioctl.c:ioctl_start", "provider/writable.c:prepare",
                   "provider/writable.c:publish", "session/cpus.c:cpu_prepare",
                   "session/nodes.c:add_node"),
         ("session/session.h",), START_PASSED, 20),
    Walk("A context switch", ("source/sched/sched.c:probe_sched_switch",), ("ring/ring.h",),
         SWITCH_PASSED, 12),
)


def without_comments(text):
    """C source without comments and the contents of strings."""
    text = re.sub(r"/\*.*?\*/", " ", text, flags=re.S)
    return re.sub(r'"(\\.|[^"\\\n])*"', '""', text)


def functions():
    """{name: {file: body}} of the functions and the function-like macros of module/."""
    found = {}
    # a function's end is a brace in the first column; a macro's, a line without a backslash
    patterns = (re.compile(r"^(?!#|typedef|struct \w+ \{|enum)\w[^\n;{}=]*?\b(\w+)\([^;{}]*\)\n"
                           r"\{\n(.*?)^\}", re.S | re.M),
                re.compile(r"^#define (etw_\w+|ETW_PROBE)\([^)\n]*\)((?:[^\n]*\\\n)*[^\n]*)", re.M))
    for folder, _, names in os.walk("module"):
        for name in names:
            path = os.path.join(folder, name)[len("module/"):]
            if not name.endswith((".c", ".h")):
                continue
            with open(os.path.join(folder, name), encoding="utf-8") as file:
                text = without_comments(file.read())
            # the body of a probe belongs to a function of its name
            text = re.sub(r"^ETW_PROBE\((\w+),(.*?)\)\n\{",
                          r"void probe_\1(\2)\n{\nETW_PROBE();", text, flags=re.S | re.M)
            for pattern in patterns:
                for match in pattern.finditer(text):
                    found.setdefault(match.group(1), {})[path] = match.group(2)
    return found


def entered(walk, known):
    """{file: [function that the walk enters]}."""
    files = {}
    queue = [tuple(reversed(begin.split(":"))) for begin in walk.begin]
    while queue:
        name, path = queue.pop()
        if name in files.setdefault(path, []):
            continue
        files[path].append(name)
        for called in re.findall(r"(?<![>.\w])(\w+)\(", known[name][path]):
            places = known.get(called, {})
            if called not in walk.passed:
                queue += [(called, place) for place in ([path] if path in places else places)]
    for path in walk.structures:
        files.setdefault(path, [])
    return files


def of_page(section):
    """The files in the table of a section: the first cell of each row."""
    with open(PAGE, encoding="utf-8") as page:
        text = page.read().split("\n%s\n%s\n" % (section, "=" * len(section)), 1)[1]
    table = re.search(r"^=+ +=+\n(.*?)^=+ +=+\n", text, re.S | re.M)
    return re.findall(r"^``([\w/.]+)`` ", table.group(1), re.M)


def main():
    """Compare each walk; exit status 1 if one differs or is too long."""
    known, bad = functions(), False
    for walk in WALKS:
        files = entered(walk, known)
        if sys.argv[1:] == ["--calls"]:
            for path, names in sorted(files.items()):
                print("%s: %s: %s" % (walk.section, path, " ".join(names)))
        table = of_page(walk.section)
        said = ["%s: the walk opens %s, the table lacks it" % (walk.section, path)
                for path in sorted(set(files) - set(table))]
        said += ["%s: the table has %s, the walk does not open it" % (walk.section, path)
                 for path in sorted(set(table) - set(files))]
        said += ["%s: there is no function %s to pass" % (walk.section, name)
                 for name in sorted(walk.passed - set(known))]
        if len(files) > walk.limit:
            said.append("%s: %d files, at most %d" % (walk.section, len(files), walk.limit))
        print("".join("%s: %s\n" % (PAGE, line) for line in said), end="")
        bad = bad or bool(said)
    sys.exit(bad)


main()
