// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
// Reads traces with TraceEvent: judge read TABLE SCRATCH FILE... | mutate SEED COUNT SCRATCH FILE...
// | sessions FOLDER | nettrace FILE TRACE SCRATCH | sample
using System;
using System.Linq;

internal static class Program
{
    private static int Main(string[] arguments)
    {
        if (arguments.Length > 3 && arguments[0] == "read")
            foreach (var file in arguments.Skip(3))
                new Reader(Table.Load(arguments[1]), arguments[2]).Read(file);
        else if (arguments.Length > 4 && arguments[0] == "mutate")
            return Mutate(arguments) ? 0 : 1;
        else if (arguments.Length == 4 && arguments[0] == "nettrace")
            return new Nettrace(arguments[1], arguments[2], arguments[3]).Run() ? 0 : 1;
        else if (arguments.Length == 1 && arguments[0] == "sample")
            Sample.Run().Wait();
        else if (arguments.Length == 2 && arguments[0] == "sessions")
            return new Sessions(arguments[1]).Run() ? 0 : 1;
        else
            return 2;
        return 0;
    }

    private static bool Mutate(string[] arguments) =>
        new Mutator(int.Parse(arguments[1]), arguments[3]).Run(int.Parse(arguments[2]),
                                                                arguments.Skip(4).ToArray());
}
