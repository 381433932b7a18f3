import { createHash } from 'node:crypto';
import { mkdir, readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openTempRoot } from '../../../../test/support/temp-root.ts';
import { systemClock } from '../../../core/clock.ts';
import { createIds } from '../../../core/create-ids.ts';
import type { EventDraft } from '../../../core/events/event.ts';
import { createSeal } from '../../../core/events/seal.ts';
import { DEFAULT_AGENT_ID } from '../../../core/ids.ts';
import { silentLogger } from '../../../core/log.ts';
import { createRecorder } from '../../../core/records/recorder.ts';
import { createRedactor } from '../../../core/redact/create-redactor.ts';
import { createStreamRedactor } from '../../../core/redact/stream-redactor.ts';
import { NO_TOTALS } from '../../../core/runs/run.ts';
import { openSqliteStorage } from '../../sqlite/open-sqlite-storage.ts';
import { createArtifactFiles } from '../create-artifact-files.ts';
import { openRecordFiles } from '../open-record-files.ts';

/** Each marks one way in; the marks are what must not be found on disk. */
const mark = (name: string) => `${createHash('sha256').update(name).digest('hex').slice(0, 30)}Zz9`;

const PLANTED = {
  byName: {
    client_secret: mark('byName'),
    headers: { 'X-Api-Key': mark('header'), cookie: mark('cookie') },
  },
  inList: { items: [{ token: mark('list') }], secrets: { deep: [mark('deep')] } },
  inText: `use Bearer ${mark('bearer')} or password=${mark('password')} or sk-${mark('sk')}`,
  inUrl: `https://user:${mark('url')}@example.com/`,
  inJson: JSON.stringify({ output: JSON.stringify({ api_key: mark('json') }) }),
  inKey: { [`ghp_${mark('key')}`]: 'x' },
  inEnv: `export SERVICE_TOKEN=${mark('env')}`,
  inPem: `-----BEGIN PRIVATE KEY-----\n${mark('pem')}\n-----END PRIVATE KEY-----`,
  known: `the value ${mark('known')} stands alone`,
};
const MARKS = 'byName header cookie list deep bearer password sk url json key env pem known'
  .split(' ')
  .map(mark);
const SURVIVORS = [
  '01jk8q2m4v6x8z0b2d4f6h8k0m',
  '123e4567-e89b-42d3-a456-426614174000',
  '2026-02-19T10:11:12.345Z',
  'someone@example.com',
  '/workspace/secret-plans/token-table.md',
];

async function readAll(directory: string): Promise<Map<string, Buffer>> {
  const files = new Map<string, Buffer>();
  for (const entry of await readdir(directory, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name);
    if (entry.isFile()) files.set(path, await readFile(path));
  }
  return files;
}

test('no planted secret reaches any byte under the state root; ids, dates and addresses do', async () => {
  const root = await openTempRoot();
  const ids = createIds(Date.now);
  const redactor = createRedactor({ secrets: () => [mark('known')] });
  const seal = createSeal({ ids, redactor });
  await mkdir(join(root.path, '.openclawssy'));
  const storage = await openSqliteStorage({
    file: join(root.path, '.openclawssy/pincer.db'),
    writer: 'inline',
    logger: silentLogger,
  });
  const sink = openRecordFiles({ root: root.path });
  const recorder = createRecorder({ ...storage, sink, clock: systemClock, logger: silentLogger });
  const artifacts = createArtifactFiles({ root: root.path, ids, redactor });
  const runId = ids.run();
  const all = JSON.stringify(PLANTED);
  const streaming = createStreamRedactor(redactor);
  const deltas = [
    ...(all.match(/[\s\S]{1,7}/g) ?? []).map((part) => streaming.feed(part)),
    streaming.flush(),
  ];
  const drafts: EventDraft[] = [
    { type: 'model.requested', payload: { system: all } },
    ...deltas.map((text): EventDraft => ({ type: 'model.delta', payload: { text } })),
    { type: 'tool.call', payload: { request_id: ids.request(), input: PLANTED } },
    { type: 'tool.result', payload: { output: PLANTED, text: all, kept: SURVIVORS } },
  ];

  const created = await storage.runs.create(
    { id: runId, agentId: DEFAULT_AGENT_ID, source: 'test', message: redactor.redactText(all) },
    [seal({ type: 'run.created', payload: { message: all } })],
    {
      maxQueued: 1,
      lease: { owner: 't', leaseMs: 60_000, started: seal({ type: 'run.started', payload: {} }) },
    },
  );
  if (created.outcome !== 'created' || !created.lease) throw new Error(created.outcome);
  const lease = { runId, leaseId: created.lease.id };
  await storage.runs.append(lease, drafts.map(seal));
  await artifacts.put({ runId, agentId: DEFAULT_AGENT_ID, name: all, text: all });
  await storage.runs.finish(lease, [seal({ type: 'run.completed', payload: { output: all } })], {
    status: 'completed',
    stopReason: 'completed',
    output: redactor.redactText(all),
    totals: NO_TOTALS,
  });
  await recorder.drain();
  const live = await readAll(root.path);
  await recorder.stop();
  await sink.close();
  await storage.close();
  const closed = await readAll(root.path);
  await root.remove();

  const leaks = [...live, ...closed].flatMap(([path, content]) =>
    MARKS.filter((secret) => content.includes(secret) || path.includes(secret)).map((secret) => [
      path,
      secret,
    ]),
  );
  const names = [...live.keys()].map((path) => path.slice(root.path.length));
  expect(leaks).toEqual([]);
  expect(names.some((name) => name.endsWith('pincer.db-wal'))).toBe(true);
  expect(names.filter((name) => name.includes(`/runs/${runId}/`))).toHaveLength(6);
  for (const kind of ['pincer.db', '/audit/', 'events.jsonl']) {
    const content = Buffer.concat(
      [...closed].flatMap(([path, bytes]) => (path.includes(kind) ? [bytes] : [])),
    );
    expect(SURVIVORS.filter((text) => !content.includes(text))).toEqual([]);
  }
});
