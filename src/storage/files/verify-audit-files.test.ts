import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { openTempRoot, type TempRoot } from '../../../test/support/temp-root.ts';
import type { Event, EventType } from '../../core/events/event.ts';
import { CHAIN_ROOT, hashEvent } from '../../core/events/hash-chain.ts';
import type { AgentId, EventId, RunId } from '../../core/ids.ts';
import { encodeAuditLine } from '../../core/records/audit-line.ts';
import { verifyAuditFiles } from './verify-audit-files.ts';

const AUDIT = '.openclawssy/agents/agent_default/audit';
const FILE = `${AUDIT}/2026-02-15.jsonl`;
const START_MS = Date.parse('2026-02-15T12:00:00Z');

let root: TempRoot;

beforeEach(async () => {
  root = await openTempRoot();
  await mkdir(join(root.path, AUDIT), { recursive: true });
});

afterEach(() => root.remove());

function chain(run: string, types: readonly EventType[]): Event[] {
  let prevHash = CHAIN_ROOT;
  return types.map((type, index) => {
    const seq = index + 1;
    const event = {
      id: `evt_${run}_${seq}` as EventId,
      runId: run as RunId,
      agentId: 'agent_default' as AgentId,
      seq,
      type,
      atMs: START_MS + seq,
      actor: 'system',
      payload: { text: `event ${seq}`, nested: { b: 1, a: [true, null] } },
      redactions: [],
      prevHash,
    } as const;
    prevHash = hashEvent(event);
    return { ...event, hash: prevHash };
  });
}

const TYPES: readonly EventType[] = ['run.created', 'run.started', 'model.delta', 'run.completed'];
const one = chain('run_1', TYPES).map((event) => encodeAuditLine(event).json);
const two = chain('run_2', TYPES.slice(0, 2)).map((event) => encodeAuditLine(event).json);
const [a1 = '', a2 = '', a3 = '', a4 = ''] = one;
const [b1 = '', b2 = ''] = two;

async function verify(...lines: readonly string[]) {
  await writeFile(join(root.path, FILE), lines.map((line) => `${line}\n`).join(''));
  return verifyAuditFiles({ root: root.path });
}

test('files that hold every line once are whole, however the runs are mixed', async () => {
  await writeFile(join(root.path, AUDIT, '2026-02-16.jsonl'), `${a4}\n`);

  const report = await verify(a1, b1, a2, b2, a3);

  expect(report).toMatchObject({
    ok: true,
    isComplete: true,
    files: 2,
    lines: 6,
    runs: 2,
    openRuns: 1,
    healedLines: 0,
    faults: [],
  });
});

test('nothing to check is whole', async () => {
  await root.remove();

  expect(await verifyAuditFiles({ root: root.path })).toMatchObject({
    ok: true,
    files: 0,
    lines: 0,
  });
});

test('a check that is cut off says so, and blames nobody for what it did not read', async () => {
  await verify(a2, a3);

  const report = await verifyAuditFiles({ root: root.path, signal: AbortSignal.abort() });

  expect(report).toMatchObject({ ok: false, isComplete: false, lines: 0, faults: [] });
});

const fault = { file: FILE, runId: 'run_1' };
const rehashed = chain('run_1', ['run.created', 'run.started', 'tool.call']);
const forged = rehashed[2] && encodeAuditLine(rehashed[2]).json;

test.each([
  [
    'a changed payload',
    [a1, a2.replace('event 2', 'event X'), a3],
    { kind: 'altered', line: 2, seq: 2 },
  ],
  [
    'a changed time',
    [a1, a2.replace('12:00:00.002Z', '12:00:00.003Z')],
    { kind: 'altered', line: 2, seq: 2 },
  ],
  [
    'a changed list of redactions',
    [a1.replace('[]', '["x"]'), a2],
    { kind: 'altered', line: 1, seq: 1 },
  ],
  [
    'a forged line with a hash that fits',
    [a1, a2, forged ?? '', a4],
    { kind: 'broken_chain', line: 4, seq: 4 },
  ],
  ['a line taken out', [a1, b1, a3, a4], { kind: 'missing_seq', line: 3, seq: 2 }],
  ['a first line taken out', [a2, a3], { kind: 'missing_seq', line: 1, seq: 1 }],
  ['a line written twice', [a1, a2, a2, a3], { kind: 'duplicate', line: 3, seq: 2 }],
])('reports %s at its place', async (_case, lines, expected) => {
  const report = await verify(...lines);

  expect(report.ok).toBe(false);
  expect(report.faults).toEqual([{ ...fault, ...expected }]);
});

test('a torn line is a fault only while its event is nowhere whole', async () => {
  const torn = await verify(a1, b1, b2.slice(0, 70));
  const healed = await verify(a1, b1, b2.slice(0, 70), a2, b2);

  expect(torn.faults).toEqual([
    { kind: 'torn', file: FILE, line: 3, runId: undefined, seq: undefined },
  ]);
  expect(healed).toMatchObject({ ok: true, healedLines: 1, faults: [] });
});

test('lines that a clock set back put into the file of an earlier day are found', async () => {
  await writeFile(join(root.path, AUDIT, '2026-02-16.jsonl'), `${a1}\n${a2}\n`);

  const report = await verify(a3, a4);

  expect(report).toMatchObject({ ok: true, runs: 1, openRuns: 0, faults: [] });
});

test('a run is reported once, and a fault in one run does not hide another', async () => {
  const report = await verify(a1, a3.replace('event 3', 'x'), a4, b2);

  expect(report.faults.map(({ kind, runId }) => [kind, runId])).toEqual([
    ['altered', 'run_1'],
    ['missing_seq', 'run_2'],
  ]);
});
