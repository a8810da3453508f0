// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
// Traces that a crash or a full disk has damaged: cut anywhere, with sectors that were never written,
// bytes that were overwritten, and kernel events that are shorter than their version requires.
// TraceEvent may refuse one, but an exception in its callback ends the process.
using System;
using System.IO;
using Microsoft.Diagnostics.Tracing;
using Microsoft.Diagnostics.Tracing.Etlx;

internal sealed class Mutator
{
    private const int Sector = 512;
    private readonly Random _random;
    private readonly string _scratch;

    public Mutator(int seed, string scratch)
    {
        _random = new Random(seed);
        _scratch = scratch;
    }

    /// <summary>Return: whether at least a quarter of the files was read</summary>
    public bool Run(int count, string[] files)
    {
        int refused = 0;

        for (int i = 0; i < count; i++)
        {
            var path = Path.Combine(_scratch, "mutated.etl");

            File.WriteAllBytes(path, Damage(File.ReadAllBytes(files[i % files.Length])));
            refused += IsRead(path) ? 0 : 1;
        }
        Console.WriteLine(count + " files, " + refused + " refused");
        return count - refused >= count / 4;
    }

    private byte[] Damage(byte[] bytes)
    {
        for (int n = _random.Next(3); n > 0; n--)
        {
            int sector = _random.Next(bytes.Length / Sector) * Sector;

            Array.Clear(bytes, sector, Math.Min(Sector, bytes.Length - sector));
        }
        for (int n = _random.Next(16); n > 0; n--)
            bytes[_random.Next(bytes.Length)] = (byte)_random.Next(256);
        for (int n = _random.Next(16); n > 0; n--)
            Shorten(bytes, _random.Next(bytes.Length / 8) * 8);
        Array.Resize(ref bytes, _random.Next(bytes.Length));
        return bytes;
    }

    // The next kernel event: version, header type, C0, then its size and hook id
    private void Shorten(byte[] bytes, int at)
    {
        while (at + 8 <= bytes.Length && !(bytes[at + 3] == 0xC0 && bytes[at + 2] is >= 1 and <= 17))
            at += 8;
        if (at + 8 > bytes.Length)
            return;
        int size = bytes[at + 4] | bytes[at + 5] << 8;

        BitConverter.TryWriteBytes(bytes.AsSpan(at + 4), (ushort)_random.Next(size + 1));
    }

    // Properties of a damaged event may throw, which a program has to expect, as on Windows
    private static void Look(TraceEvent data)
    {
        try
        {
            data.ToString();
        }
        catch (Exception)
        {
        }
    }

    private bool IsRead(string path)
    {
        try
        {
            using (var source = new ETWTraceEventSource(path))
            {
                source.Kernel.All += Look;
                source.Dynamic.All += Look;
                source.Process();
            }
            TraceLog.CreateFromEventTraceLogFile(path, Path.Combine(_scratch, "mutated.etlx"));
            return true;
        }
        catch (Exception)
        {
            return false;
        }
    }
}
