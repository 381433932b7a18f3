import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import { seedAgent } from '../../support/seed-agent.ts';
import { TOKEN } from '../v1/http-client.ts';
import { type AdminServer, openAdminServer } from './test-admin-server.ts';

const TYPE = 'application/vnd.pincer.agent';
const AUTHORIZED = { authorization: `Bearer ${TOKEN}` };

interface Sent {
  readonly body?: Uint8Array;
  readonly headers?: Readonly<Record<string, string>>;
}

async function send({ url }: AdminServer, path: string, { body, headers = {} }: Sent = {}) {
  const response = await fetch(new URL(`/api/admin/agents/${path}`, url), {
    method: 'POST',
    headers: { ...AUTHORIZED, ...(body ? { 'content-type': TYPE } : {}), ...headers },
    ...(body ? { body } : {}),
  });
  const bytes = Buffer.from(await response.arrayBuffer());
  return { status: response.status, type: response.headers.get('content-type'), bytes };
}

async function importing(server: AdminServer, query: string, sent: Sent) {
  const { status, bytes } = await send(server, `import${query}`, sent);
  return [status, JSON.parse(bytes.toString('utf8'))];
}

async function openSeeded(): Promise<{ server: AdminServer; parcel: Buffer }> {
  const server = await openAdminServer();
  await seedAgent(server.storage);
  return { server, parcel: (await send(server, 'lynx/export')).bytes };
}

/** The entries of the archive as any reader of tar sees them. */
function* readEntries(archive: Buffer): Generator<readonly [name: string, text: string]> {
  for (let place = 0; archive[place] !== 0; ) {
    const name = archive.toString('utf8', place, archive.indexOf(0, place));
    const size = Number.parseInt(archive.toString('latin1', place + 124, place + 135), 8);
    yield [name, archive.toString('utf8', place + 512, place + 512 + size)];
    place += 512 + Math.ceil(size / 512) * 512;
  }
}

const REPORT = {
  outcome: 'preview',
  parcel: {
    digest: '4873601b955873a4a6f1481add43dd401175a21a588b2efa919ac7c45fdc4b7f',
    key_id: 'a5eae8817f5e3ee1',
    public_key: 'gYXmTfUPwpzN0p05TlD2QUvvkSv/zH0kFJW2E9GAIRM=',
    trust: 'own',
  },
  agent: {
    agent_id: '0f30e8ef-c90d-80c9-a9fb-a7c960ede521',
    slug: 'lynx-two',
    name: 'Lynx Two',
    role: 'watches',
    model: 'offline/rules',
    skills: ['memory', 'files'],
    memory_access: 'private',
  },
  creates: {
    sessions: 1,
    messages: 3,
    memories: 2,
    pinned: 1,
    untrusted: 1,
    facts: 1,
    jobs: 1,
    skills: 0,
    capabilities: 2,
    audit_events: 0,
  },
  needs: [
    {
      kind: 'pins',
      what: '1',
      blocking: false,
      message:
        '1 of its memories are pinned there and come in unpinned; --approve-pins keeps them pinned',
    },
  ],
};

test('answers with the agent as one file, of entries that any reader of tar finds', async () => {
  const { server, parcel } = await openSeeded();

  const { status, type, bytes } = await send(server, 'lynx/export');

  const entries = new Map(readEntries(bytes));
  expect([status, type]).toEqual([200, TYPE]);
  expect(bytes.equals(parcel)).toBe(true);
  expect([...entries.keys()]).toEqual([
    'agent.json',
    'soul.md',
    'conversations/000001.jsonl',
    'memories/000001.jsonl',
    'facts/000001.jsonl',
    'jobs/000001.jsonl',
    'manifest.json',
    'signature.json',
  ]);
  expect(entries.get('agent.json')).toBe(
    '{"capabilities":[{"effect":"grant","tool":"fs.read"},{"effect":"revoke","tool":"shell.exec"}],' +
      '"id":"lynx","memory_access":"private","model":"offline/rules","name":"Lynx",' +
      '"personality_template":null,"role":"watches","skills":["memory","files"],"slug":"lynx","voice_id":null}\n',
  );
  expect(entries.get('soul.md')).toBe('You watch.\n');
  expect(entries.get('jobs/000001.jsonl')).toBe(
    '{"anchor_ms":0,"catch_up":"none","id":"watch-tide","message":"look at the tide","mode":"isolated",' +
      '"next_slot_ms":4000000000000,"notify":{"channel":"session","target":"session_1"},' +
      '"owner":"operator","schedule":"@every 1h","timezone":"UTC"}\n',
  );
  // Of the whole file: what is written today is read for years.
  expect(createHash('sha256').update(bytes).digest('hex')).toBe(
    '570269edcd4e22f8fd80b6597869da78f92bc0cef0f7a39faefbf9a2c49507c7',
  );
});

test('tells what would come in, then takes it in, then finds it', async () => {
  const { server, parcel } = await openSeeded();

  const preview = await importing(server, '?preview=true&as=Lynx%20Two', { body: parcel });
  const listed = await server.storage.agents.list();
  const imported = await importing(server, '?as=Lynx%20Two', { body: parcel });
  const again = await importing(server, '?as=Lynx%20Two', { body: parcel });

  expect(preview).toEqual([200, REPORT]);
  expect(listed).toHaveLength(2);
  expect(imported).toEqual([200, { ...REPORT, outcome: 'imported' }]);
  expect(again).toEqual([200, { ...REPORT, outcome: 'present', needs: [] }]);
});

test('keeps pins that the operator approves', async () => {
  const { server, parcel } = await openSeeded();

  const [status, report] = await importing(server, '?as=Two&approve_pins=true', { body: parcel });

  const { agent, needs } = report as { agent: { agent_id: string }; needs: unknown };
  const memories = await server.storage.memories.listOf(agent.agent_id as never, { limit: 9 });
  expect([status, needs]).toEqual([200, []]);
  expect(memories.map(({ pinned, isTrusted }) => [pinned, isTrusted])).toEqual([
    [true, true],
    [false, false],
  ]);
});

test('refuses in the words of the surface', async () => {
  const { server, parcel } = await openSeeded();
  const json = { 'content-type': 'application/json' };
  const altered = Buffer.from(parcel);
  altered[600] = (altered[600] ?? 0) ^ 1;
  const refusal = (code: string, message: string) => ({ error: { code, message } });

  const answers = [
    await importing(server, '', { body: parcel }),
    await importing(server, '?as=Two', { body: altered }),
    await importing(server, '?as=Two', { body: parcel.subarray(0, 3_000) }),
    await importing(server, '', { body: Buffer.from('{}'), headers: json }),
    await importing(server, '', {}),
    await importing(server, '?preview=maybe', { body: parcel }),
    await importing(server, '?unknown=1', { body: parcel }),
  ];

  const invalid = 'invalid.request';
  expect(answers).toEqual([
    [
      409,
      refusal(
        'conflict',
        'an agent is called lynx already; --as NAME imports it under another name',
      ),
    ],
    [
      422,
      refusal(
        invalid,
        "the parcel can't be taken: it was altered: agent.json is not as its manifest says",
      ),
    ],
    [422, refusal(invalid, "the parcel can't be taken: its end is missing")],
    [415, refusal(invalid, `content-type must be ${TYPE}`)],
    [400, refusal(invalid, `the body must be a file of type ${TYPE}`)],
    [400, refusal(invalid, 'preview must be true or false')],
    [400, refusal(invalid, 'unknown query parameter: unknown')],
  ]);
});

test('is for the operator alone, and for agents that are there', async () => {
  const { server, parcel } = await openSeeded();
  const nobody = { headers: { authorization: 'Bearer wrong' } };

  const statuses = [
    (await send(server, 'lynx/export', nobody)).status,
    (await send(server, 'import', { body: parcel, ...nobody })).status,
    (await send(server, 'absent/export')).status,
  ];

  expect(statuses).toEqual([401, 401, 404]);
  expect(await server.storage.agents.list()).toHaveLength(2);
});
