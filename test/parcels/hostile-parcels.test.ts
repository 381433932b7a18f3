import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { assert, asyncProperty, integer, nat, tuple } from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { RuntimeError } from '../../src/core/errors.ts';
import { silentLogger } from '../../src/core/log.ts';
import type { ImportOptions } from '../../src/core/parcels/import-report.ts';
import { MAX_COUNTS, MAX_ENTRY_BYTES } from '../../src/core/parcels/parcel-format.ts';
import type { Storage } from '../../src/core/storage.ts';
import { encodeTarHeader } from '../../src/storage/parcels/tar-header.ts';
import { openSqliteStorage } from '../../src/storage/sqlite/open-sqlite-storage.ts';
import { ManualClock } from '../support/manual-clock.ts';
import { seedAgent } from '../support/seed-agent.ts';
import { openTempRoot, type TempRoot } from '../support/temp-root.ts';
import {
  exportBytes,
  inPieces,
  makeKey,
  openParcelRig,
  type ParcelRig,
  PLAIN_IMPORT,
} from '../support/test-parcels.ts';
import { AGENT, type Forgery, forgeParcel, JOB, MEMORY, MESSAGE, SESSION } from './forge-parcel.ts';

let root: TempRoot;
let storage: Storage;
let rig: ParcelRig;
let genuine: Buffer;
const clock = new ManualClock();

beforeAll(async () => {
  root = await openTempRoot();
  storage = await openSqliteStorage({
    ...{ file: join(root.path, 'pincer.db'), clock, writer: 'inline', logger: silentLogger },
  });
  await seedAgent(storage);
  rig = openParcelRig({ storage, clock });
  genuine = await exportBytes(rig, 'lynx', true);
});

afterAll(async () => {
  await storage.close();
  await root.remove();
});

/** The refusal, or `taken`; whatever it is, nothing has come in. */
async function refusalOf(
  bytes: Uint8Array,
  options: Partial<ImportOptions> = {},
): Promise<readonly [code: string, message: string]> {
  const before = [await storage.agents.list(), await storage.memories.head()];
  const thrown = await rig.parcels
    .import(inPieces(bytes, 4_096), { ...PLAIN_IMPORT, name: 'Other', ...options })
    .then(
      () => undefined,
      (error: unknown) => error,
    );
  expect([await storage.agents.list(), await storage.memories.head()]).toEqual(before);
  if (thrown === undefined) return ['taken', ''];
  return thrown instanceof RuntimeError ? [thrown.code, thrown.message] : ['fault', String(thrown)];
}

const forged = async (forgery: Forgery, options?: Partial<ImportOptions>) =>
  refusalOf(await forgeParcel(forgery), options);

const NOT_TAKEN = "the parcel can't be taken: ";

test('refuses a parcel in which any byte was changed', async () => {
  const change = tuple(nat(genuine.length - 1), integer({ min: 1, max: 255 }));

  await assert(
    asyncProperty(change, async ([index, difference]) => {
      const altered = Buffer.from(genuine);
      altered[index] = (altered[index] ?? 0) ^ difference;

      expect((await refusalOf(altered))[0]).toMatch(/^(unprocessable|payload_too_large)$/);
    }),
    { numRuns: 150 },
  );
});

test('refuses a parcel that ends anywhere before its end, or goes on behind it', async () => {
  await assert(
    asyncProperty(nat(genuine.length - 1), async (end) => {
      expect((await refusalOf(genuine.subarray(0, end)))[0]).toBe('unprocessable');
    }),
    { numRuns: 60 },
  );

  const longer = Buffer.concat([genuine, Buffer.alloc(512)]);
  expect(await refusalOf(longer)).toEqual([
    'unprocessable',
    `${NOT_TAKEN}something stands behind its end`,
  ]);
});

test('refuses what is no parcel at all', async () => {
  const files = {
    nothing: Buffer.alloc(0),
    text: Buffer.from('hello'.repeat(500)),
    compressed: gzipSync(genuine),
    zeros: Buffer.alloc(4_096),
  };

  const messages = await Promise.all(
    Object.values(files).map(async (bytes) => (await refusalOf(bytes))[1]),
  );

  const none = `${NOT_TAKEN}it is no parcel: claw agents export makes one`;
  const packed = `${NOT_TAKEN}it is compressed; gunzip it first`;
  expect(messages).toEqual([none, none, packed, none]);
});

test.each([
  '../../etc/passwd',
  '/etc/passwd',
  'memories/../../x.jsonl',
  'memories/000002.jsonl',
  'secrets/000001.jsonl',
  'memories/000001.jsonl/x',
])('refuses an entry named %s', async (name) => {
  const extra = [{ name, content: Buffer.from('x\n') }];

  const message = (await forged({ extra }))[1];

  expect(message).toBe(`${NOT_TAKEN}an entry named "${name}" has no place in it`);
});

test.each([
  ['a symbolic link', 156, '2'],
  ['a device', 156, '3'],
  ['an extension', 156, 'x'],
  ['a file that others may read', 100, '0000644'],
  ['a file with a date', 136, '14200000000'],
  ['a file with a prefix to its name', 345, '..'],
])('refuses %s among its entries', async (_, place, text) => {
  const altered = Buffer.from(genuine);
  // Of the second entry, which is the soul.
  const header = altered.subarray(1_024, 1_536);
  header.write(text, place);
  header.write('        ', 148);
  const sum = header.reduce((total, byte) => total + byte, 0);
  header.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148);

  expect(await refusalOf(altered)).toEqual([
    'unprocessable',
    `${NOT_TAKEN}one of its entries is no plain file`,
  ]);
});

test('refuses an entry that says it is larger than any, without waiting for it', async () => {
  const header = encodeTarHeader({ name: 'agent.json', bytes: MAX_ENTRY_BYTES + 1 });

  expect(await refusalOf(header)).toEqual([
    'payload_too_large',
    'a parcel may have at most 16777216 bytes in one entry',
  ]);
});

test('refuses more of a kind than an agent may bring', async () => {
  const jobs = Array.from({ length: MAX_COUNTS.jobs + 1 }, (_, index) => ({
    ...JOB,
    id: `job-${index}`,
  }));

  expect(await forged({ parts: { jobs } })).toEqual([
    'payload_too_large',
    'a parcel may have at most 1000 jobs',
  ]);
});

test.each<[string, Forgery, string]>([
  [
    'a job that tells another agent',
    { parts: { jobs: [{ ...JOB, notify: { channel: 'agent', target: 'lynx' } }] } },
    'job dig-on reaches another agent, lynx',
  ],
  [
    'a job that tells a session of another agent',
    { parts: { jobs: [{ ...JOB, notify: { channel: 'session', target: 'session_1' } }] } },
    'job dig-on reaches a session that is not in it, session_1',
  ],
  [
    'a memory that names its agent',
    { parts: { memories: [{ ...MEMORY, agent_id: 'lynx' }] } },
    'memories/000001.jsonl, line 1: Unrecognized key: "agent_id"',
  ],
  [
    'messages without a session',
    { parts: { conversations: [MESSAGE] } },
    'a message stands before the first session',
  ],
  [
    'the same message twice',
    { parts: { conversations: [SESSION, MESSAGE, MESSAGE] } },
    'the messages of a session are out of order',
  ],
  [
    'the same session twice',
    { parts: { conversations: [SESSION, SESSION] } },
    'session session_mole is in it twice',
  ],
  [
    'a schedule that is none',
    { parts: { jobs: [{ ...JOB, schedule: '* * * * *' }] } },
    'job dig-on: schedule "* * * * *" is a cron expression, which is not supported: use "@every <duration>", as in "@every 1h30m", or one moment in RFC 3339 with its offset, as in "2026-02-18T09:00:00Z"',
  ],
  [
    'another agent than its manifest says',
    { manifest: { agent: { id: 'lynx', slug: 'lynx', name: 'Lynx' } } },
    'agent.json is about another agent than its manifest',
  ],
  [
    'a version that is still to come',
    { manifest: { version: 2, future: true } },
    'it has version 2, and this program reads up to 1: update it',
  ],
  [
    'a skill that its agent does not name',
    { parts: { skills: [{ release: {} }] } },
    'skills/000001.jsonl holds what is no skill release',
  ],
  ['a soul that is no text', { soul: '\0' }, 'soul.md is no text, or too long'],
])('refuses %s, whoever signed it', async (_, forgery, reason) => {
  expect(await forged(forgery)).toEqual(['unprocessable', `${NOT_TAKEN}${reason}`]);
});

test('survives values that are nested without end or reach for a prototype', async () => {
  const deep = `${'['.repeat(100_000)}${']'.repeat(100_000)}`;
  const line = (extra: string) =>
    Buffer.from(`${JSON.stringify(MEMORY).replace('"extra":{}', `"extra":${extra}`)}\n`);
  const entry = (extra: string) => ({
    extra: [{ name: 'memories/000001.jsonl', content: line(extra) }],
  });

  const codes = [
    (await forged(entry(`{"a":${deep}}`)))[0],
    (await forged(entry('{"__proto__":{"polluted":true}}')))[0],
  ];

  expect(codes).toEqual(['unprocessable', 'unprocessable']);
  expect({}).not.toHaveProperty('polluted');
});

test('refuses who nobody here trusts, and takes a key that is named', async () => {
  const stranger = openParcelRig({ storage, clock, key: makeKey('stranger') });
  const { publicKey } = makeKey('stranger');
  const bytes = await exportBytes(stranger, 'lynx');

  const [code, message] = await refusalOf(bytes);
  const preview = await rig.parcels.import(inPieces(bytes), {
    ...{ ...PLAIN_IMPORT, isPreview: true, name: 'Other', trusted: [publicKey] },
  });

  expect(code).toBe('forbidden');
  expect(message).toContain(`--trust ${publicKey} takes it this once`);
  expect(preview.signer).toMatchObject({ publicKey, trust: 'given' });
  expect(preview.needs.filter(({ isBlocking }) => isBlocking)).toEqual([]);
});

test('refuses capabilities that are not granted here, until somebody grants them', async () => {
  const agent = { ...AGENT, capabilities: [{ tool: 'shell.exec', effect: 'grant' }] };
  const bytes = await forgeParcel({ agent });
  const preview = async (options: Partial<ImportOptions>) => {
    const given = { ...PLAIN_IMPORT, isPreview: true, ...options };
    const { needs, creates } = await rig.parcels.import(inPieces(bytes), given);
    return [needs.map(({ kind, isBlocking }) => [kind, isBlocking]), creates.capabilities];
  };

  expect(await refusalOf(bytes)).toEqual([
    'policy_denied',
    "it was granted shell.exec, which is not granted here; --grant 'shell.exec' grants it, --without-grants leaves it out",
  ]);
  expect(await preview({})).toEqual([[['capability', true]], 0]);
  expect(await preview({ granted: ['shell.exec'] })).toEqual([[], 1]);
  expect(await preview({ withoutGrants: true })).toEqual([[['capability', false]], 0]);
});

test('asks what becomes of what belongs to principals', async () => {
  const mine = { ...SESSION, owner: 'user:42' };
  const job = { ...JOB, notify: { channel: 'session', target: SESSION.id } };
  const rows = { conversations: [mine, MESSAGE], memories: [{ ...MEMORY, owner: 'user:42' }] };
  const bytes = await forgeParcel({ parts: { ...rows, jobs: [job] } });

  const [code, message] = await refusalOf(bytes);
  const skipped = await rig.parcels.import(inPieces(bytes), {
    ...{ ...PLAIN_IMPORT, isPreview: true, principals: 'skip' },
  });
  const kept = await rig.parcels.import(inPieces(bytes), {
    ...{ ...PLAIN_IMPORT, isPreview: true, principals: 'keep' },
  });

  expect([code, message]).toEqual([
    'policy_denied',
    '2 rows belong to principals (user:42); --principals keep takes them for the same ones here, --principals skip leaves them out',
  ]);
  expect(skipped.creates).toMatchObject({ sessions: 0, messages: 0, memories: 0, jobs: 1 });
  expect(kept.creates).toMatchObject({ sessions: 1, messages: 1, memories: 1, jobs: 1 });
});

test('refuses a name that somebody has, and global memory that nobody approved', async () => {
  const strict = openParcelRig({ storage, clock, needsMemoryApproval: true });
  const shared = await forgeParcel({ agent: { memory_access: 'global' } });
  const previewOf = async (options: Partial<ImportOptions>) => {
    const given = { ...PLAIN_IMPORT, isPreview: true, ...options };
    const { needs } = await strict.parcels.import(inPieces(shared), given);
    return needs.map(({ kind }) => kind);
  };

  const named = await refusalOf(genuine, { name: ' LYNX ' });

  expect(named).toEqual([
    'conflict',
    'an agent is called lynx already; --as NAME imports it under another name',
  ]);
  expect(await previewOf({})).toEqual(['global_memory']);
  expect(await previewOf({ isMemoryApproved: true })).toEqual([]);
});
