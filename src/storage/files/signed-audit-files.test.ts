import { appendFile, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { openTempRoot, type TempRoot } from '../../../test/support/temp-root.ts';
import type { Event } from '../../core/events/event.ts';
import { CHAIN_START, hashEvent } from '../../core/events/hash-chain.ts';
import type { AgentId } from '../../core/ids.ts';
import { decodeHead } from '../../core/records/audit-head.ts';
import { encodeAuditLine } from '../../core/records/audit-line.ts';
import type { AuditText } from '../../core/records/record-sink.ts';
import { createAuditKeyFile } from './audit-key-file.ts';
import { LINES_PER_HEAD } from './audit-seal.ts';
import { openRecordFiles } from './open-record-files.ts';
import { verifyAuditFiles } from './verify-audit-files.ts';
import { verifyGivenFiles } from './verify-given-files.ts';

const AGENT = 'agent_a' as AgentId;
const FOLDER = '.openclawssy/agents/agent_a/audit';
const DAY_MS = 86_400_000;
const FIRST_DAY_MS = Date.UTC(2026, 1, 15, 12);

let root: TempRoot;
let nowMs: number;

beforeEach(async () => {
  root = await openTempRoot();
  nowMs = FIRST_DAY_MS;
});

afterEach(() => root.remove());

function open(path = root.path) {
  const key = createAuditKeyFile(path);
  return openRecordFiles({ root: path, clock: { nowMs: () => nowMs }, getKey: () => key.get() });
}

/** Lines of runs side by side, on one day. */
function linesOf(day: number, runs: number, events: number): AuditText[] {
  const chains = Array.from({ length: runs }, () => CHAIN_START);
  return Array.from({ length: events * runs }, (_, index) => {
    const run = index % runs;
    const last = chains[run] ?? CHAIN_START;
    const event = {
      id: `evt_${day}_${run}_${last.seq + 1}`,
      runId: `run_${day}_${run}`,
      agentId: AGENT,
      seq: last.seq + 1,
      type: 'model.delta',
      atMs: FIRST_DAY_MS + day * DAY_MS + index,
      actor: 'runner',
      payload: { text: `grüße ${index}` },
      redactions: [],
      prevHash: last.hash,
    } as unknown as Omit<Event, 'hash'>;
    const hash = hashEvent(event);
    chains[run] = { seq: event.seq, hash };
    return encodeAuditLine({ ...event, hash } as Event);
  });
}

async function writeDays(days: number, path = root.path): Promise<void> {
  for (let day = 0; day < days; day += 1) {
    nowMs = FIRST_DAY_MS + day * DAY_MS;
    const sink = open(path);
    await sink.appendAudit(AGENT, linesOf(day, 3, 60));
    await sink.close();
  }
}

async function listFiles(path = root.path): Promise<string[]> {
  return (await readdir(join(path, FOLDER))).sort().map((name) => join(path, FOLDER, name));
}

async function verify(files?: readonly string[], isPart = false) {
  const { publicKey } = await createAuditKeyFile(root.path).get();
  return verifyGivenFiles({ files: files ?? (await listFiles()), trusted: [publicKey], isPart });
}

const found = async (...args: Parameters<typeof verify>) =>
  (await verify(...args)).faults.map(({ kind, line }) => [kind, line]);

async function headsOf(file: string) {
  const lines = (await readFile(file, 'utf8')).split('\n');
  return lines.flatMap((line) => decodeHead(line) ?? []);
}

describe('signing', () => {
  test('every so many lines, at rotation and at the end, with a running total', async () => {
    const sink = open();
    await sink.appendAudit(AGENT, linesOf(0, 2, 100));
    await sink.appendAudit(AGENT, linesOf(1, 1, 5));
    await sink.close();
    const [first = '', second = ''] = await listFiles();

    expect(
      (await headsOf(first)).map(({ lines, total, reason }) => [lines, total, reason]),
    ).toEqual([
      [LINES_PER_HEAD, LINES_PER_HEAD, 'interval'],
      [200 - LINES_PER_HEAD, 200, 'rotation'],
    ]);
    const [last] = await headsOf(second);
    expect(last).toMatchObject({ lines: 5, total: 205, reason: 'stop' });
    expect(last?.before).toMatchObject({ file: '2026-02-15.jsonl', total: 200 });
    expect(await verify()).toMatchObject({
      lines: 205,
      runs: 3,
      faults: [],
      signatures: { heads: 3, signedLines: 205, unsignedLines: 0 },
    });
  });

  test('what waits is signed after half a minute, and not before', async () => {
    const sink = open();
    await sink.appendAudit(AGENT, linesOf(0, 1, 3));

    nowMs += 29_000;
    const early = await sink.seal();
    nowMs += 1_000;
    const late = await sink.seal();

    expect([early, late, await sink.seal()]).toEqual([false, true, false]);
    expect(await found()).toEqual([]);
    await sink.close();
  });

  test.each([0, 1, 40, 700])('goes on after a crash that cut off %i bytes', async (cut) => {
    const sink = open();
    const lines = linesOf(0, 1, 140);
    await sink.appendAudit(AGENT, lines.slice(0, 135));
    const [file = ''] = await listFiles();
    const bytes = await readFile(file);
    // As kill -9 leaves it: nothing was closed, and the last write came through in part.
    await writeFile(file, bytes.subarray(0, bytes.length - cut));

    const next = open();
    const seqs = await next.findAuditedSeqs(AGENT, [{ id: 'run_0_0' as never, sinceMs: 0 }]);
    await next.appendAudit(AGENT, lines.slice(seqs.get('run_0_0' as never) ?? 0));
    await next.close();

    expect(await verify()).toMatchObject({ faults: [], signatures: { unsignedLines: 0 } });
    await sink.close().catch(() => {});
  });

  test('a head without its line break still counts', async () => {
    await writeDays(1);
    const [file = ''] = await listFiles();
    await writeFile(file, (await readFile(file)).subarray(0, -1));
    const sink = open();
    await sink.appendAudit(AGENT, linesOf(0, 1, 0).concat(linesOf(0, 4, 1).slice(3)));
    await sink.close();

    expect(await found()).toEqual([]);
  });

  test('lines from before signing are signed with the first head of their file', async () => {
    const sink = openRecordFiles({ root: root.path });
    const lines = linesOf(0, 1, 10);
    await sink.appendAudit(AGENT, lines.slice(0, 6));
    await sink.close();
    const signing = open();
    await signing.appendAudit(AGENT, lines.slice(6));
    await signing.close();

    expect(await verify()).toMatchObject({ faults: [], signatures: { signedLines: 10 } });
  });

  test('late lines of the day before do not make the newest file look left', async () => {
    const sink = open();
    const late = linesOf(0, 2, 3);
    await sink.appendAudit(AGENT, late.slice(0, 4));
    await sink.appendAudit(AGENT, linesOf(1, 1, 3));
    await sink.appendAudit(AGENT, late.slice(4));
    await sink.close();

    expect(await found()).toEqual([]);
  });

  test('an end that was cut off while nobody wrote leaves a gap for everybody to see', async () => {
    await writeDays(1);
    const [file = ''] = await listFiles();
    const text = await readFile(file, 'utf8');
    const lines = text.split('\n');
    const firstHead = lines.findIndex((line) => decodeHead(line));
    await writeFile(file, `${lines.slice(0, firstHead + 1).join('\n')}\n`);

    const before = await verifyAuditFiles({ root: root.path });
    const sink = open();
    await sink.appendAudit(AGENT, linesOf(0, 4, 1).slice(3));
    await sink.close();

    expect(before.faults).toMatchObject([{ kind: 'cut_off', file: `${FOLDER}/2026-02-15.jsonl` }]);
    expect(await found()).toEqual([['missing_head', firstHead + 2]]);
  });
});

describe('what a stranger is told', () => {
  beforeEach(() => writeDays(3));

  test('files as they were written are good, all or a part of them', async () => {
    const [first = '', second = '', third = ''] = await listFiles();

    expect(await verify()).toMatchObject({ lines: 540, runs: 9, faults: [] });
    expect(await found([first, second], true)).toEqual([]);
    expect(await found([second, third], true)).toEqual([]);
  });

  test('an altered line is named, and the lines around it stay proven', async () => {
    const [file = ''] = await listFiles();
    const lines = (await readFile(file, 'utf8')).split('\n');
    lines[40] = lines[40]?.replace('grüße', 'grusse') ?? '';
    await writeFile(file, lines.join('\n'));

    expect(await verify()).toMatchObject({
      faults: [{ kind: 'altered', file, line: 41, runId: 'run_0_1', seq: 14 }],
      signatures: { signedLines: 540 - LINES_PER_HEAD },
    });
  });

  test('the files of another installation', async () => {
    const other = await openTempRoot();
    await writeDays(1, other.path);

    expect(await found(await listFiles(other.path))).toEqual([['other_key', LINES_PER_HEAD + 1]]);
    await other.remove();
  });

  test('a day that is missing, twice there, or in the wrong place', async () => {
    const [first = '', second = '', third = ''] = await listFiles();

    expect(await found([first, third])).toEqual([['missing_file', 1]]);
    expect((await found([first, second, second, third]))[0]).toEqual(['duplicate_file', 1]);
    expect((await found([second, first, third], true))[0]?.[0]).toBe('out_of_order');
    expect(await found([second, third])).toEqual([['missing_file', 1]]);
    expect((await found([first, second]))[0]?.[0]).toBe('missing_file');
  });

  test('two days in one file, in order and mixed', async () => {
    const [first = '', second = '', third = ''] = await listFiles();
    const [one, two] = [await readFile(first, 'utf8'), await readFile(second, 'utf8')];
    await writeFile(first, one + two);
    const inOrder = await found([first, third]);
    const mixed = one.split('\n').flatMap((line, index) => [line, two.split('\n')[index] ?? '']);
    await writeFile(first, mixed.join('\n'));

    expect(inOrder).toEqual([]);
    expect((await found([first, third])).length).toBeGreaterThan(0);
  });

  test('an empty file, and one without its beginning', async () => {
    const [first = ''] = await listFiles();
    const lines = (await readFile(first, 'utf8')).split('\n');
    await writeFile(first, lines.slice(LINES_PER_HEAD + 1).join('\n'));
    expect((await found([first], true))[0]).toEqual(['missing_beginning', 1]);

    await writeFile(first, '');
    expect(await found([first], true)).toContainEqual(['empty_file', 1]);
  });

  test('a file without any head: a fault with a key, and after signed ones', async () => {
    const [first = '', second = ''] = await listFiles();
    const isEvent = (line: string) => !decodeHead(line);
    await writeFile(
      second,
      (await readFile(second, 'utf8')).split('\n').filter(isEvent).join('\n'),
    );

    expect(await found([second])).toEqual([['unsigned', 1]]);
    expect(await found([first, second], true)).toEqual([['unsigned_file', 1]]);
    expect(
      (await verifyGivenFiles({ files: [second], trusted: undefined, isPart: false })).faults,
    ).toEqual([]);
  });

  test('a head with something behind its signature, which nobody signed', async () => {
    const [first = ''] = await listFiles();
    const lines = (await readFile(first, 'utf8')).split('\n');
    const at = lines.findIndex((line) => decodeHead(line) !== undefined);
    lines[at] = (lines[at] ?? '').replace(/}$/, ',"total":9999}');
    await writeFile(first, lines.join('\n'));

    expect(await found([first], true)).toContainEqual(['bad_signature', expect.any(Number)]);
  });

  test('files without a head of an agent that was never signed, beside signed ones of another', async () => {
    const [first = ''] = await listFiles();
    const foreign = join(root.path, 'foreign.jsonl');
    const events = (await readFile(first, 'utf8')).split('\n').filter((line) => !decodeHead(line));
    await writeFile(foreign, events.join('\n').replaceAll('"agent_a"', '"agent_b"'));

    expect(await found([first, foreign], true)).toContainEqual(['unsigned', 1]);
  });

  test('a file that is not there', async () => {
    await expect(verify([join(root.path, 'absent.jsonl')])).rejects.toMatchObject({
      code: 'invalid_input',
      message: expect.stringContaining("can't be read: ENOENT"),
    });
    await expect(verify([root.path])).rejects.toMatchObject({ code: 'invalid_input' });
  });
});

test('whatever somebody does to the files is found', async () => {
  await writeDays(2);
  const files = await listFiles();
  const originals = await Promise.all(files.map((file) => readFile(file)));
  const old = originals[1]?.subarray(0, originals[1].length >> 1) ?? Buffer.alloc(0);
  const kinds = ['change', 'delete', 'insert', 'swap', 'truncate', 'drop', 'replay'] as const;
  const attack = fc.record({
    kind: fc.constantFrom(...kinds),
    file: fc.constantFrom(0, 1),
    at: fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }),
  });

  await fc.assert(
    fc.asyncProperty(attack, async ({ kind, file: index, at }) => {
      await Promise.all(files.map((file, i) => writeFile(file, originals[i] ?? '')));
      const [file = '', bytes = Buffer.alloc(0)] = [files[index], originals[index]];
      const lines = bytes.toString('utf8').split('\n').slice(0, -1);
      const line = Math.floor(at * (lines.length - 1));
      const write = (changed: readonly string[]) => writeFile(file, `${changed.join('\n')}\n`);
      // Without the line break of its last head a file has lost nothing.
      const byte = Math.floor(at * (bytes.length - 1));

      if (kind === 'change') {
        const changed = Buffer.from(bytes);
        changed[byte] = (changed[byte] ?? 0) ^ 1;
        await writeFile(file, changed);
      } else if (kind === 'delete') await write(lines.toSpliced(line, 1));
      else if (kind === 'insert') await write(lines.toSpliced(line, 0, lines[line] ?? ''));
      else if (kind === 'swap') {
        await write(lines.toSpliced(line, 2, lines[line + 1] ?? '', lines[line] ?? ''));
      } else if (kind === 'truncate') await writeFile(file, bytes.subarray(0, byte));
      else if (kind === 'drop') await rm(file);
      else await writeFile(files[1] ?? '', old);

      const given = (await listFiles()).filter((path) => files.includes(path));
      const report = await verify(given);
      const here = await verifyAuditFiles({ root: root.path });

      // Ending right behind a head is how a file looked once: only who knows how far it got can tell.
      const endsInHead =
        kind === 'truncate' && index === 1 && decodeHead(lines[lineAt(bytes, byte)] ?? '');
      const isCutHead = endsInHead !== false && endsInHead !== undefined;
      if (!isCutHead) expect(report.faults).not.toEqual([]);
      const isOpenEnd = ['truncate', 'drop', 'replay', 'change'].includes(kind);
      if (isOpenEnd) expect([...report.faults, ...here.faults]).not.toEqual([]);
      for (const fault of report.faults) expect(fault.line).toBeGreaterThan(0);
    }),
    { numRuns: 60 },
  );
}, 60_000);

/** The line that ends at a byte. */
function lineAt(bytes: Buffer, byte: number): number {
  return (
    bytes.subarray(0, byte).toString('latin1').split('\n').length -
    1 -
    Number(bytes[byte - 1] === 10)
  );
}

test('bytes that are none of ours are a fault and no crash', async () => {
  await writeDays(1);
  const [file = ''] = await listFiles();
  await appendFile(file, Buffer.from([0, 255, 10, 123, 200, 10]));

  expect((await found()).map(([kind]) => kind)).toContain('unsigned_end');
});
