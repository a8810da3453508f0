// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
// A program with events of .NET: collections, exceptions, compiled methods, and an EventSource with
// typed fields, activities and several threads: judge sample
using System;
using System.Diagnostics.Tracing;
using System.Threading.Tasks;

[EventSource(Name = "Etw-Sample-Source")]
internal sealed class SampleSource : EventSource
{
    public static readonly SampleSource Log = new();

    public static class Keywords
    {
        public const EventKeywords Types = (EventKeywords)1;
        public const EventKeywords Texts = (EventKeywords)2;
    }

    public static class Tasks
    {
        public const EventTask Work = (EventTask)1;
    }

    [Event(1, Level = EventLevel.Informational, Keywords = Keywords.Types)]
    public void Typed(int number, long large, string text, double real, bool flag, Guid id,
                      byte small, DayOfWeek day) =>
        WriteEvent(1, number, large, text, real, flag, id, small, day);

    [Event(2, Level = EventLevel.Warning, Keywords = Keywords.Texts)]
    public void Text(string text) => WriteEvent(2, text);

    [Event(3, Opcode = EventOpcode.Start, Task = Tasks.Work)]
    public void WorkStart(int number) => WriteEvent(3, number);

    [Event(4, Opcode = EventOpcode.Stop, Task = Tasks.Work)]
    public void WorkStop(int number) => WriteEvent(4, number);

    [Event(5)]
    public void Nothing() => WriteEvent(5);

    [Event(6)]
    public void Bytes(byte[] bytes) => WriteEvent(6, bytes);
}

internal static class Sample
{
    private static object _kept;

    private static async Task Work(int number)
    {
        SampleSource.Log.WorkStart(number);
        await Task.Delay(1);
        SampleSource.Log.Text("in " + number);
        SampleSource.Log.WorkStop(number);
    }

    private static void Throw(int number)
    {
        try
        {
            throw new InvalidOperationException("number " + number);
        }
        catch (InvalidOperationException error)
        {
            _kept = error;
        }
    }

    public static async Task Run()
    {
        var tasks = new Task[8];

        for (int i = 0; i < tasks.Length; i++)
            tasks[i] = Work(i);
        await Task.WhenAll(tasks);
        for (int i = 0; i < 20; i++)
        {
            SampleSource.Log.Typed(i, -i, "text " + i, i / 4.0, i % 2 == 0, new Guid(i, 2, 3, new byte[8]),
                             (byte)i, (DayOfWeek)(i % 7));
            Throw(i);
            _kept = new byte[1 << 20];
        }
        SampleSource.Log.Nothing();
        SampleSource.Log.Bytes(new byte[] { 1, 2, 3 });
        SampleSource.Log.Write("Described", new { Number = 7, Text = "a text" });
        for (int i = 0; i < 3; i++)
            GC.Collect(i);
        GC.KeepAlive(_kept);
    }
}
