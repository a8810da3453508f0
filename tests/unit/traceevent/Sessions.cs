// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
// TraceEventSession as a program for Windows uses it, with the running module: judge sessions FOLDER
using System;
using System.Collections.Generic;
using System.Diagnostics;
using System.IO;
using System.Linq;
using System.Threading;
using Microsoft.Diagnostics.Tracing;
using Microsoft.Diagnostics.Tracing.Parsers;
using Microsoft.Diagnostics.Tracing.Session;
using Keywords = Microsoft.Diagnostics.Tracing.Parsers.KernelTraceEventParser.Keywords;

internal sealed class Sessions
{
    private const Keywords Some = Keywords.Process | Keywords.Thread | Keywords.ImageLoad |
                                  Keywords.ContextSwitch;
    // of "etw log"
    private static readonly Guid Log = new("2f0c6d3b-8e51-4f0e-9d47-31b605ce7a12");
    private readonly string _folder;
    private bool _good = true;

    public Sessions(string folder)
    {
        _folder = folder;
    }

    /// <summary>Prints a line for each check. Return: whether all are good</summary>
    public bool Run()
    {
        Try("real time", RealTime);
        Try("kernel logger", KernelLogger);
        Try("providers", Providers);
        Try("file names", FileNames);
        Try("circular", Circular);
        Try("profile", Profile);
        Check("no session is left", TraceEventSession.GetActiveSessionNames().Count == 0);
        return _good;
    }

    private void Check(string name, bool good)
    {
        Console.WriteLine((good ? "ok - " : "not ok - ") + name);
        _good &= good;
    }

    private void Try(string name, Action action)
    {
        try
        {
            action();
        }
        catch (Exception error)
        {
            Check(name + " without an exception", false);
            Console.WriteLine(error);
        }
    }

    private static void Start(string program, params string[] arguments)
    {
        using var process = Process.Start(program, arguments);

        process.WaitForExit();
    }

    private string At(string name) => Path.Combine(_folder, name);

    private static Dictionary<string, int> Count(string file)
    {
        var counts = new Dictionary<string, int>();
        using var source = new ETWTraceEventSource(file);

        source.Kernel.All += data => counts[data.EventName] =
            counts.GetValueOrDefault(data.EventName) + 1;
        source.Process();
        counts["lost"] = source.EventsLost;
        return counts;
    }

    // an attached session is not IsActive in TraceEvent, and Dispose() does not stop it
    private static bool IsFound(string name, int bufferSize)
    {
        using (var found = TraceEventSession.GetActiveSession(name))
            if (found?.SessionName != name || found.FileName != null || found.EventsLost != 0 ||
                found.BufferSizeMB != bufferSize)
                return false;
        return TraceEventSession.GetActiveSessionNames().Contains(name);
    }

    private void RealTime()
    {
        using var session = new TraceEventSession("mine");
        using var seen = new ManualResetEventSlim();
        int stacks = 0, switches = 0;
        double began, ended = 0, at = 0;

        session.EnableKernelProvider(Some, Keywords.ContextSwitch);
        session.Source.Kernel.ThreadCSwitch += data => switches++;
        session.Source.Kernel.StackWalkStack += data => stacks++;
        session.Source.Kernel.ProcessStart += data =>
        {
            if (data.CommandLine.Contains("a-live-event"))
                at = data.TimeStampRelativeMSec;
        };
        session.Source.Kernel.ProcessStop += data =>
        {
            if (at != 0)
                seen.Set();
        };
        var reader = new Thread(() => session.Source.Process());
        reader.Start();
        began = Stopwatch.GetTimestamp();
        Start("/bin/sh", "-c", ": a-live-event");
        ended = Stopwatch.GetTimestamp();
        Check("the session is in the list", TraceEventSession.GetActiveSessionNames().Contains("mine"));
        Check("GetActiveSession finds a session by its name", IsFound("mine", session.BufferSizeMB));
        Check("GetActiveSession finds no other one", TraceEventSession.GetActiveSession("other") == null);
        session.Flush();
        Check("a process that was started is seen in real time", seen.Wait(60000));
        Check("nothing is lost", session.EventsLost == 0);
        Check("Stop ends the session", session.Stop(true));
        reader.Join();
        Check("context switches have stacks", switches > 0 && stacks > 0);
        Console.WriteLine("   " + switches + " switches, " + stacks + " stacks, " +
                          (ended - began) / Stopwatch.Frequency + " s");
    }

    private void KernelLogger()
    {
        var file = At("kernel.etl");

        using (var session = new TraceEventSession(KernelTraceEventParser.KernelSessionName, file))
        {
            session.StopOnDispose = true;
            session.EnableKernelProvider(Some | Keywords.Profile, Keywords.Profile);
            Start("/bin/sh", "-c", ": in-a-file");
            Check("the kernel logger is in the list", TraceEventSession.GetActiveSessionNames()
                  .Contains(KernelTraceEventParser.KernelSessionName));
        }
        var counts = Count(file);
        Check("NT Kernel Logger: the file has processes and samples, and nothing is lost",
              counts.GetValueOrDefault("Process/Start") > 0 &&
              counts.GetValueOrDefault("Thread/CSwitch") > 0 && counts["lost"] == 0);
    }

    private void Providers()
    {
        var file = At("providers.etl");
        var named = TraceEventProviders.GetEventSourceGuidFromName("A-Named-Provider");
        int texts = 0;

        using (var session = new TraceEventSession("programs", file))
        {
            session.EnableProvider(Log, TraceEventLevel.Informational, 0x11);
            session.EnableProvider("A-Named-Provider");
            var list = TraceEventProviders.GetRegisteredOrEnabledProviders();
            Check("providers are enabled by GUID and by name",
                  list.Contains(Log) && list.Contains(named));
            session.CaptureState(Log, 0x22);
            Start("etw", "log", "programs", "a text");
            session.DisableProvider(named);
            Check("a provider is disabled",
                  !TraceEventProviders.GetRegisteredOrEnabledProviders().Contains(named));
        }
        using var source = new ETWTraceEventSource(file);
        source.UnhandledEvents += data => texts += data.ProviderGuid == Log || data.TaskGuid == Log ? 1 : 0;
        source.Process();
        Check("an event of a program is in the file", texts == 1);
    }

    private void FileNames()
    {
        using (var session = new TraceEventSession("files", At("first.etl")))
        {
            session.EnableKernelProvider(Some);
            Start("/bin/sh", "-c", ": in-the-first");
            session.SetFileName(At("second.etl"));
            Start("/bin/sh", "-c", ": in-the-second");
        }
        foreach (var name in new[] { "first.etl", "second.etl" })
        {
            var counts = Count(At(name));
            Check(name + " has the processes that began in its time",
                  counts.GetValueOrDefault("Process/Start") > 0 && counts["lost"] == 0);
        }
    }

    private void Circular()
    {
        using (var session = new TraceEventSession("ring", At("ring.etl")) { CircularBufferMB = 64 })
        {
            session.EnableKernelProvider(Some);
            Start("/bin/sh", "-c", ": in-the-ring");
        }
        Check("a circular file is read",
              Count(At("ring.etl")).GetValueOrDefault("Process/Start") > 0);
    }

    private void Profile()
    {
        var file = At("profile.etl");
        var sources = TraceEventProfileSources.GetInfo();
        var intervals = new List<int>();

        Check("the timer is a profile source", sources["Timer"].Interval == 10000 &&
              sources["Timer"].ID == 0);
        using (var session = new TraceEventSession("profile", file) { CpuSampleIntervalMSec = 5 })
        {
            session.EnableKernelProvider(Keywords.Profile);
            Check("an interval that was set is returned",
                  TraceEventProfileSources.GetInfo()["Timer"].Interval == 50000);
        }
        using var source = new ETWTraceEventSource(file);
        source.Kernel.PerfInfoCollectionStart += data => intervals.Add(data.NewInterval);
        source.Process();
        Check("the session samples with that interval", intervals.Contains(50000));
    }
}
