// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
// How long each thread ran and was blocked, by TraceEvent's thread-time computer.
using System.Collections.Generic;
using System.Globalization;
using System.IO;
using System.Linq;
using Microsoft.Diagnostics.Symbols;
using Microsoft.Diagnostics.Tracing;
using Microsoft.Diagnostics.Tracing.Etlx;
using Microsoft.Diagnostics.Tracing.Stacks;

internal sealed class Times
{
    // of a block that lasts to the end of the trace
    private const string Last = "LAST_BLOCK";
    private readonly MutableTraceEventStackSource _source;
    private readonly SortedDictionary<(int, string), double> _sums = new();

    private Times(TraceLog log)
    {
        using var symbols = new SymbolReader(TextWriter.Null, "");

        _source = new MutableTraceEventStackSource(log);
#pragma warning disable CS0618 // the computer is experimental
        new ThreadTimeStackComputer(log, symbols) { ExcludeReadyThread = true }
            .GenerateThreadTimeStacks(_source);
#pragma warning restore CS0618
        _source.ForEach(Add);
    }

    /// <summary>Lines: T thread kind msec</summary>
    public static IEnumerable<string> Of(TraceLog log) =>
        new Times(log)._sums.Select(x => "T\t" + x.Key.Item1 + '\t' + x.Key.Item2 + '\t' +
                                         x.Value.ToString("F4", CultureInfo.InvariantCulture));

    private IEnumerable<string> Frames(StackSourceCallStackIndex at)
    {
        for (; at != StackSourceCallStackIndex.Invalid; at = _source.GetCallerIndex(at))
            yield return _source.GetFrameName(_source.GetFrameIndex(at), false);
    }

    private void Add(StackSourceSample sample)
    {
        var frames = Frames(sample.StackIndex).ToList();
        var thread = frames.FirstOrDefault(x => x.StartsWith("Thread ("));

        if (thread == null)
            return;
        var kind = frames.Any(x => x.StartsWith(Last)) ? Last : frames[0];
        var key = (int.Parse(thread["Thread (".Length..thread.IndexOf(')')]), kind);
        _sums[key] = _sums.GetValueOrDefault(key) + sample.Metric;
    }
}
