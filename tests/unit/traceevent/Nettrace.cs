// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
// A .nettrace beside the trace that etw import made of it: judge nettrace FILE TRACE SCRATCH
using System;
using System.Collections.Generic;
using System.Globalization;
using System.IO;
using System.Linq;
using Microsoft.Diagnostics.Tracing;
using Microsoft.Diagnostics.Tracing.Analysis;
using Microsoft.Diagnostics.Tracing.EventPipe;
using Microsoft.Diagnostics.Tracing.Etlx;
using Microsoft.Diagnostics.Tracing.Parsers;
using Microsoft.Diagnostics.Tracing.Parsers.Clr;
using TraceLog = Microsoft.Diagnostics.Tracing.Etlx.TraceLog;

internal sealed class Nettrace
{
    private static readonly Guid Metadata = new("bbccf6c1-6cd1-48c4-80ff-839482e37671");
    private readonly string _file, _trace, _scratch;
    private bool _good = true;

    public Nettrace(string file, string trace, string scratch)
    {
        _file = file;
        _trace = trace;
        _scratch = scratch;
    }

    /// <summary>Prints a line for each check. Return: whether all are good</summary>
    public bool Run()
    {
        using (TraceEventDispatcher theirs = new EventPipeEventSource(_file),
               ours = new ETWTraceEventSource(_trace))
            Compare("provider, id, name, fields, time, thread and activities of events",
                    Events(theirs), Events(ours));
        using (TraceEventDispatcher theirs = new EventPipeEventSource(_file),
               ours = new ETWTraceEventSource(_trace))
            Compare("collections and compiled methods", Statistics(theirs), Statistics(ours));
        Compare("stacks of events", Stacks(TraceLog.CreateFromEventPipeDataFile(_file,
                    Path.Combine(_scratch, "theirs.etlx"))),
                Stacks(TraceLog.CreateFromEventTraceLogFile(_trace,
                    Path.Combine(_scratch, "ours.etlx"),
                    new TraceLogOptions { KeepAllEvents = true })));
        return _good;
    }

    private void Compare(string name, List<string> theirs, List<string> ours)
    {
        var missing = Without(theirs, ours);
        var more = Without(ours, theirs);
        bool good = theirs.Count > 0 && missing.Count == 0 && more.Count == 0;

        Console.WriteLine((good ? "ok - " : "not ok - ") + name + ": " + theirs.Count);
        foreach (var line in missing.Take(12))
            Console.WriteLine("# missing: " + line);
        foreach (var line in more.Take(12))
            Console.WriteLine("# too many: " + line);
        _good &= good;
    }

    private static List<string> Without(List<string> lines, List<string> others)
    {
        var counts = others.GroupBy(x => x).ToDictionary(x => x.Key, x => x.Count());

        return lines.Where(x => (counts[x] = counts.GetValueOrDefault(x) - 1) < 0).ToList();
    }

    private static List<string> Events(TraceEventDispatcher source)
    {
        var lines = new List<string>();
        var clr = source.Clr;

        void Add(TraceEvent data)
        {
            if (data.ProviderGuid != Metadata && data.TaskGuid != Metadata)
                lines.Add(Line(data));
        }

        clr.All += Add;
        new ClrRundownTraceEventParser(source).All += Add;
        new SampleProfilerTraceEventParser(source).All += Add;
        new TplEtwProviderTraceEventParser(source).All += Add;
        source.Dynamic.All += Add;
        source.UnhandledEvents += Add;
        source.Process();
        lines.Add("lost " + source.EventsLost);
        return lines;
    }

    private static string Line(TraceEvent data) =>
        string.Join(' ', data.TimeStamp.ToUniversalTime().Ticks, data.ProcessID, data.ThreadID,
                    data.ProviderName, data.ProviderGuid, (int)data.ID, data.EventName, data.Version,
                    (int)data.Level, (int)data.Opcode, (ulong)data.Keywords, data.ActivityID,
                    data.RelatedActivityID, Convert.ToHexString(data.EventData()), Fields(data));

    private static string Fields(TraceEvent data) =>
        string.Join(' ', data.PayloadNames.Select((x, i) => x + '=' +
            Convert.ToString(data.PayloadValue(i), CultureInfo.InvariantCulture)));

    private static List<string> Statistics(TraceEventDispatcher source)
    {
        var lines = new List<string>();

        source.NeedLoadedDotNetRuntimes();
        source.Process();
        foreach (var process in source.Processes().Where(x => x.LoadedDotNetRuntime() != null))
        {
            var runtime = process.LoadedDotNetRuntime();
            lines.Add("process " + process.ProcessID);
            lines.AddRange(runtime.GC.GCs.Select(x => "GC " + x.Number + ' ' + x.Generation + ' ' +
                                                 x.Reason + ' ' + x.Type));
            lines.AddRange(runtime.JIT.Methods.Select(x => "JIT " + x.MethodName + ' ' + x.ILSize));
        }
        return lines;
    }

    /// <summary>TraceEvent leaves stacks of .nettrace files out where an event describes a method
    /// or belongs to the rundown</summary>
    private static bool HasNoStack(TraceEvent data)
    {
        int id = (int)data.ID;

        return data.ProviderGuid == ClrRundownTraceEventParser.ProviderGuid ||
               (data.ProviderGuid == ClrTraceEventParser.ProviderGuid &&
                (id == 190 || (id >= 140 && id <= 144)));
    }

    private static List<string> Stacks(string etlx)
    {
        var lines = new List<string>();
        using var log = new TraceLog(etlx);

        foreach (var data in log.Events)
        {
            var frames = new List<string>();
            for (var stack = data.CallStack(); stack != null; stack = stack.Caller)
                frames.Add(stack.CodeAddress.Address.ToString("x"));
            if (frames.Count > 0 && !HasNoStack(data))
                lines.Add(data.TimeStamp.ToUniversalTime().Ticks + " " + data.ThreadID + ' ' +
                          data.ProviderGuid + '/' + (int)data.ID + ' ' + string.Join(' ', frames));
        }
        return lines;
    }
}
