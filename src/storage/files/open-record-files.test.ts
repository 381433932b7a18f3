import { appendFile, mkdir, readdir, readFile, readlink, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { openTempRoot, type TempRoot } from '../../../test/support/temp-root.ts';
import type { AgentId, RunId } from '../../core/ids.ts';
import type { AuditText, RecordSink } from '../../core/records/record-sink.ts';
import { openRecordFiles } from './open-record-files.ts';

const AGENT = 'agent_default' as AgentId;
const RUN = 'run_1' as RunId;
const NOON_MS = Date.parse('2026-02-15T12:00:00Z');
const MIDNIGHT_MS = Date.parse('2026-02-16T00:00:00Z');
const AUDIT = '.openclawssy/agents/agent_default/audit';

let root: TempRoot;
let sink: RecordSink;

beforeEach(async () => {
  root = await openTempRoot();
  sink = openRecordFiles({ root: root.path });
});

afterEach(async () => {
  await sink.close();
  await root.remove();
});

function at(atMs: number, json: string): AuditText {
  return { atMs, json };
}

function read(path: string): Promise<string> {
  return readFile(join(root.path, path), 'utf8');
}

async function modeOf(path: string): Promise<number> {
  return (await stat(join(root.path, path))).mode & 0o777;
}

test('lines go to the file of their day in UTC, in order', async () => {
  await sink.appendAudit(AGENT, [at(NOON_MS, '{"n":1}'), at(MIDNIGHT_MS - 1, '{"n":2}')]);
  await sink.appendAudit(AGENT, [at(MIDNIGHT_MS - 1, '{"n":3}'), at(MIDNIGHT_MS, '{"n":4}')]);
  await sink.sync();

  expect(await readdir(join(root.path, AUDIT))).toEqual(['2026-02-15.jsonl', '2026-02-16.jsonl']);
  expect(await read(`${AUDIT}/2026-02-15.jsonl`)).toBe('{"n":1}\n{"n":2}\n{"n":3}\n');
  expect(await read(`${AUDIT}/2026-02-16.jsonl`)).toBe('{"n":4}\n');
});

test('files and directories belong to their owner alone', async () => {
  await sink.appendAudit(AGENT, [at(NOON_MS, '{}')]);
  await sink.writeBundle({ runId: RUN, agentId: AGENT, files: new Map([['output.md', 'x\n']]) });
  const bundle = '.openclawssy/agents/agent_default/runs/run_1';

  const modes = await Promise.all(
    [AUDIT, `${AUDIT}/2026-02-15.jsonl`, dirname(bundle), bundle, `${bundle}/output.md`].map(
      modeOf,
    ),
  );

  expect(modes).toEqual([0o700, 0o600, 0o700, 0o700, 0o600]);
});

test('appends of many agents at once keep every line, with few files open', async () => {
  const agents = Array.from({ length: 80 }, (_, n) => `agent_${n}` as AgentId);

  for (let round = 0; round < 3; round += 1) {
    await Promise.all(
      agents.map((agent) => sink.appendAudit(agent, [at(NOON_MS, `{"r":${round}}`)])),
    );
  }
  const open = await listOpenFiles(root.path);

  for (const agent of agents) {
    const text = await read(`.openclawssy/agents/${agent}/audit/2026-02-15.jsonl`);
    expect(text).toBe('{"r":0}\n{"r":1}\n{"r":2}\n');
  }
  expect(open.length).toBeLessThan(agents.length);
});

/** Of this process; none where the system does not tell. */
async function listOpenFiles(below: string): Promise<string[]> {
  const descriptors = await readdir('/proc/self/fd').catch(() => []);
  const paths = descriptors.map((one) => readlink(`/proc/self/fd/${one}`).catch(() => ''));
  return (await Promise.all(paths)).filter((path) => path.startsWith(below));
}

test('a torn last line is closed and never rewritten', async () => {
  const path = join(root.path, AUDIT, '2026-02-15.jsonl');
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, '{"n":1}\n{"n":');

  await sink.appendAudit(AGENT, [at(NOON_MS, '{"n":2}')]);
  await sink.appendAudit(AGENT, [at(NOON_MS, '{"n":3}')]);

  expect(await readFile(path, 'utf8')).toBe('{"n":1}\n{"n":\n{"n":2}\n{"n":3}\n');
});

test('finds how far each run got, over days and past torn lines', async () => {
  const line = (run: string, seq: number, ts: string) =>
    `{"event_id":"e${seq}","event_type":"t","ts":"${ts}","run_id":"${run}","agent_id":"a","actor":"system",` +
    `"seq":${seq},"payload":{"run_id":"run_2"},"redactions":[],"prev_hash":"p","hash":"h"}`;
  const noon = '2026-02-15T12:00:00.000Z';
  await sink.appendAudit(AGENT, [
    at(NOON_MS, line('run_1', 1, noon)),
    at(NOON_MS, line('run_2', 1, noon)),
    at(NOON_MS, line('run_1', 2, noon)),
    at(MIDNIGHT_MS, line('run_1', 3, '2026-02-16T00:00:00.000Z')),
  ]);
  await appendFile(join(root.path, AUDIT, '2026-02-16.jsonl'), line('run_1', 4, noon).slice(0, -9));

  const found = await sink.findAuditedSeqs(
    AGENT,
    ['run_1', 'run_2', 'run_3'].map((id) => ({ id: id as RunId, sinceMs: NOON_MS })),
  );
  const none = await sink.findAuditedSeqs('nobody' as AgentId, [{ id: RUN, sinceMs: NOON_MS }]);

  expect([...found]).toEqual([
    ['run_1', 3],
    ['run_2', 1],
  ]);
  expect([...none]).toEqual([]);
});

const THREADS = [
  ['that others wait for', false],
  ['of its own', true],
] as const;

test.each(THREADS)(
  'in a thread %s a bundle replaces the one before it whole, and leaves nothing else behind',
  async (_, hasOwnThread) => {
    await sink.close();
    sink = openRecordFiles({ root: root.path, hasOwnThread });
    const bundle = { runId: RUN, agentId: AGENT };
    const bundles = join(root.path, '.openclawssy/agents/agent_default/runs');
    await mkdir(join(bundles, '.run_1.new'), { recursive: true });
    await writeFile(join(bundles, '.run_1.new/half'), 'left by a crash');

    await sink.writeBundle({
      ...bundle,
      files: new Map([
        ['a.md', '1'],
        ['b.md', '2'],
      ]),
    });
    await sink.writeBundle({ ...bundle, files: new Map([['a.md', '3']]) });

    expect(await readdir(bundles)).toEqual(['run_1']);
    expect(await readdir(join(bundles, 'run_1'))).toEqual(['a.md']);
    expect(await readFile(join(bundles, 'run_1/a.md'), 'utf8')).toBe('3');
  },
);

test.each(['../x', 'a/b', '', '.', 'a\0b', 'x'.repeat(65)])(
  'refuses agent id %j before it touches the disk',
  async (agentId) => {
    const bundle = { runId: RUN, agentId: agentId as AgentId, files: new Map<string, string>() };

    const refusal = { code: 'invalid_input' };
    await expect(sink.appendAudit(agentId as AgentId, [at(NOON_MS, '{}')])).rejects.toMatchObject(
      refusal,
    );
    await expect(sink.writeBundle(bundle)).rejects.toMatchObject(refusal);
    expect(await readdir(root.path)).toEqual([]);
  },
);

test('refuses run ids and file names that lead out of the bundle', async () => {
  const files = new Map([['../../escape', 'x']]);

  const byRun = sink.writeBundle({ runId: '../x' as RunId, agentId: AGENT, files: new Map() });
  const byName = sink.writeBundle({ runId: RUN, agentId: AGENT, files });

  await expect(byRun).rejects.toMatchObject({ code: 'invalid_input' });
  await expect(byName).rejects.toMatchObject({ code: 'invalid_input' });
});
