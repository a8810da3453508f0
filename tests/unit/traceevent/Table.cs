// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
// Which properties of which events are compared: fields.txt.
using System.Collections.Generic;
using System.IO;
using System.Linq;

internal static class Table
{
    /// <summary>Properties by TASK/OPCODE. Each line: an event, then OURS=PROPERTY.</summary>
    public static Dictionary<string, string[]> Load(string path)
    {
        var table = new Dictionary<string, string[]>();

        foreach (var line in File.ReadLines(path).Where(x => x != "" && !x.StartsWith('#')))
        {
            var words = line.Split((char[])null, System.StringSplitOptions.RemoveEmptyEntries);
            table[words[0]] = words.Skip(1).Select(x => x.Split('=').Last()).ToArray();
        }
        return table;
    }
}
