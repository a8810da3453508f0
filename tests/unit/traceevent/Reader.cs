// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
// What TraceEvent delivers of a file: counts by class, the listed properties, unknown events, and
// the functions of samples.
using System;
using System.Collections.Generic;
using System.Globalization;
using System.IO;
using System.Linq;
using System.Text;
using Microsoft.Diagnostics.Tracing;
using Microsoft.Diagnostics.Tracing.Etlx;
using Microsoft.Diagnostics.Tracing.Parsers.Kernel;

internal sealed class Reader
{
    // Thread/CSwitch
    private const string Switch = "3d6fa8d1-fe05-11d0-9dda-00c04fd7ba7c/36";
    private readonly Dictionary<string, string[]> _table;
    private readonly string _scratch;
    private readonly SortedDictionary<string, int> _counts = new();
    private readonly SortedDictionary<string, int> _unknown = new();
    private readonly StringBuilder _lines = new();

    public Reader(Dictionary<string, string[]> table, string scratch)
    {
        _table = table;
        _scratch = scratch;
    }

    /// <summary>Prints: F file, C class count, P event values, U event count, L events,
    /// N address function, T thread kind msec, W process bits, D provider event field=value..., M class text,
    /// G container of the file, H container of TraceLog, X why</summary>
    public void Read(string file)
    {
        _lines.Append("F\t" + file + '\n');
        try
        {
            Parse(file);
            _lines.Append("L\t" + LogEvents(file) + '\n');
        }
        catch (Exception error)
        {
            _lines.Append("X\t" + error.ToString().Replace('\n', ' ') + '\n');
        }
        foreach (var (name, count) in _counts)
            _lines.Append("C\t" + name + '\t' + count + '\n');
        foreach (var (name, count) in _unknown)
            _lines.Append("U\t" + name + '\t' + count + '\n');
        Console.Out.Write(_lines);
        Console.Out.Flush();
    }

    private void Parse(string file)
    {
        using var source = new ETWTraceEventSource(file);

        source.Kernel.All += OnKernel;
        // classes of what no parser knows, by the descriptions in the file or those of tdh.dll
        source.Dynamic.All += OnDescribed;
        source.UnhandledEvents += OnUnhandled;
        source.AllEvents += OnEvent;
        source.Process();
    }

    private int LogEvents(string file)
    {
        var etlx = Path.Combine(_scratch, "judge.etlx");

        // without the option, samples of the idle threads are left out
        TraceLog.CreateFromEventTraceLogFile(file, etlx, new TraceLogOptions { KeepAllEvents = true });
        using (var log = new TraceLog(etlx))
        {
            foreach (var data in log.Events)
            {
                if (data is SampledProfileTraceData sample)
                    Name(sample.InstructionPointer, sample.IntructionPointerCodeAddress());
                AddContainer("H\t", data);
            }
            // the computer of 3.1.21 calls itself until the stack overflows
            if (_counts.ContainsKey(Switch) && typeof(TraceLog).Assembly.GetName().Version.Major > 3)
                foreach (var line in Times.Of(log))
                    _lines.Append(line + '\n');
            foreach (var process in log.Processes)
                _lines.Append("W\t" + process.ProcessID + '\t' + (process.Is64Bit ? 64 : 32) + '\n');
            return log.Events.Count();
        }
    }

    private void Name(ulong address, TraceCodeAddress code)
    {
        if (code?.FullMethodName is { Length: > 0 } name)
            _lines.Append("N\t" + address + '\t' + name + '\n');
    }

    private static void Count(SortedDictionary<string, int> counts, string name) =>
        counts[name] = counts.GetValueOrDefault(name) + 1;

    private void OnEvent(TraceEvent data)
    {
        var guid = data.IsClassicProvider ? data.TaskGuid : data.ProviderGuid;

        Count(_counts, guid.ToString() + '/' + (int)data.Opcode);
        AddContainer("G\t", data);
    }

    private void AddContainer(string kind, TraceEvent data)
    {
        if (!string.IsNullOrEmpty(data.ContainerID))
            _lines.Append(kind + data.ContainerID + '\n');
    }

    private void OnUnhandled(TraceEvent data)
    {
        if (!data.IsClassicProvider)
            return;
        Count(_unknown, data.TaskName + '/' + (int)data.Opcode);
        if (data.FormattedMessage is { } text)
            _lines.Append("M\t" + data.TaskName + '\t' + text + '\n');
    }

    private void OnKernel(TraceEvent data)
    {
        var name = data.TaskName + '/' + data.OpcodeName;

        if (!_table.TryGetValue(name, out var properties))
            return;
        // PayloadByName() returns null for it. An exception here would end the process.
        if (properties.FirstOrDefault(x => data.PayloadIndex(x) < 0) is string missing)
        {
            _lines.Append("X\t" + name + ": TraceEvent has no property " + missing + '\n');
            return;
        }
        _lines.Append("P\t" + name);
        foreach (var property in properties)
            _lines.Append('\t').Append(Text(data, property));
        _lines.Append('\n');
    }

    private void OnDescribed(TraceEvent data)
    {
        var name = data.TaskName + (data.IsClassicProvider ? '/' + data.OpcodeName : "");

        _lines.Append("D\t" + data.ProviderName + '\t' + name);
        foreach (var field in data.PayloadNames)
            _lines.Append('\t' + field + '=').Append(Text(data, field));
        _lines.Append('\n');
    }

    private static string Text(TraceEvent data, string property)
    {
        var value = data.PayloadByName(property);

        return value switch
        {
            null => "-",
            Enum number => number.ToString("D"),
            Array list => '[' + string.Join(',', list.Cast<object>()) + ']',
            IFormattable number => number.ToString(null, CultureInfo.InvariantCulture),
            _ => value.ToString(),
        };
    }
}
