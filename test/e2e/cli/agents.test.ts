import { readdir } from 'node:fs/promises';
import { afterEach, expect, test } from 'vitest';
import { common } from './claw.ts';
import { notFound, openWay, WAYS, type WayRoot } from './ways.ts';

let at: WayRoot;

afterEach(() => at.dispose());

const LIST_HINT = 'claw agents list shows the agents there are';

const FIRST = {
  agent_id: 'agent_default',
  name: 'Pincer',
  role: 'general assistant',
  model: null,
  runtime: 'pincer',
  instructions: expect.stringMatching(/^You are a careful assistant/),
  slug: 'agent_default',
  personality_template: null,
  voice_id: null,
  skills: [],
  memory_access: 'global',
  status: 'idle',
  created_at: '<time>',
  updated_at: '<time>',
};

test.each(WAYS)('creates, shows, changes and lists agents: %s', async (via) => {
  at = await openWay(via, { isShipped: true });

  const created = await at.document(
    [
      ...['agents', 'create', 'reviewer', '--name', 'Rea', '--role', 'reads changes'],
      ...['--model', 'offline/rules', '--instructions', '-'],
    ],
    { input: 'Read closely.\nSay why.\n' },
  );
  const shown = await at.document(['agents', 'show', 'reviewer']);
  const updated = await at.document([
    ...['agents', 'update', 'reviewer', '--role', 'reads everything', '--default-model'],
  ]);
  const listed = await at.document(['agents', 'list']);

  const agent = {
    agent_id: 'reviewer',
    name: 'Rea',
    role: 'reads changes',
    model: 'offline/rules',
    runtime: 'pincer',
    instructions: 'Read closely.\nSay why.\n',
    slug: 'reviewer',
    personality_template: null,
    voice_id: null,
    skills: [],
    memory_access: 'private',
    status: 'idle',
    created_at: '<time>',
    updated_at: '<time>',
  };
  const changed = { ...agent, role: 'reads everything', model: null };
  expect(created).toEqual({ ...common('agents create', 0), ...agent, via });
  expect(shown).toEqual({ ...common('agents show', 0), ...agent, via });
  expect(updated).toEqual({ ...common('agents update', 0), ...changed, via });
  expect(listed).toEqual({
    ...common('agents list', 0),
    agents_count: 2,
    agents: [FIRST, changed],
    next_cursor: null,
    via,
  });
});

test.each(WAYS)('reads as text, page by page: %s', async (via) => {
  at = await openWay(via);
  await at.text(['agents', 'create', 'b', '--instructions', 'Be brief.']);

  const first = await at.text(['agents', 'list', '--limit', '1']);
  const cursor = /--cursor (\S+)/.exec(first.stdout)?.[1] ?? '';
  const second = await at.text(['agents', 'list', '--cursor', cursor]);
  const shown = await at.text(['agents', 'show', 'b']);
  const updated = await at.text(['agents', 'update', 'b', '--name', 'Bo']);

  expect(first.stdout).toBe(
    [
      'AGENT          NAME    STATUS  MODEL          ROLE',
      'agent_default  Pincer  idle    (the default)  general assistant',
      `more: --cursor ${cursor}\n`,
    ].join('\n'),
  );
  expect(second.stdout).toBe(
    'AGENT  NAME  STATUS  MODEL          ROLE\nb      b     idle    (the default)\n',
  );
  expect(shown.stdout).toBe(
    'agent    b\nid       b\nname     b\nstatus   idle\nmodel    (the default)\nskills   (all it is granted)\nmemory   private\nvoice    (none)\ncreated  <time>\n\nBe brief.\n',
  );
  expect(updated).toEqual({ code: 0, stdout: 'agent b is changed\n', stderr: '' });
});

test.each(WAYS)(
  'spawns an agent, asks it by its slug, puts it to sleep and deletes it: %s',
  async (via) => {
    at = await openWay(via, { isShipped: true });

    const spawned = await at.document([
      ...['agents', 'spawn', 'Lince', '--role', 'Researcher', '--template', 'researcher'],
      ...['--skill', 'browser', '--voice', 'v1', '--memory', 'global'],
    ]);
    const asked = await at.document(['ask', 'hello', '--agent', 'lince']);
    const asleep = await at.text(['agents', 'sleep', 'Lince']);
    const awake = await at.text(['agents', 'wake', 'lince']);
    const allowed = await at.document([
      ...['agents', 'permissions', 'lince', '--skill', 'python', '--memory', 'private'],
    ]);
    const deleted = await at.text(['agents', 'delete', 'lince']);

    expect(spawned).toMatchObject({
      ...common('agents spawn', 0),
      slug: 'lince',
      skills: ['browser'],
      memory_access: 'global',
      voice_id: 'v1',
      personality_template: 'researcher',
      instructions: expect.stringMatching(/^# Lince\n\nYou are Lince, Researcher\./),
    });
    expect(asked).toMatchObject({ agent_id: spawned['agent_id'], status: 'completed' });
    expect([asleep.stdout, awake.stdout]).toEqual([
      'agent lince is sleeping\n',
      'agent lince is idle\n',
    ]);
    expect(allowed).toMatchObject({ skills: ['python'], memory_access: 'private' });
    expect(deleted).toEqual({ code: 0, stdout: 'agent lince is deleted\n', stderr: '' });
  },
);

test.each(WAYS)('says how global memory is approved where that is needed: %s', async (via) => {
  at = await openWay(via);
  await at.text(['config', 'set', 'agents.require_global_memory_approval', 'true']);
  const hint = '--approve-global-memory says that it was approved';

  const spawned = await at.document(['agents', 'spawn', 'Lince', '--memory', 'global']);
  await at.text(['agents', 'create', 'b']);
  const changed = await at.document(['agents', 'permissions', 'b', '--memory', 'global']);
  const approved = await at.document([
    ...['agents', 'update', 'b', '--memory', 'global', '--approve-global-memory'],
  ]);

  for (const refused of [spawned, changed]) {
    expect(refused).toMatchObject({ exit_code: 1, error: { kind: 'policy', hint } });
  }
  expect(approved).toMatchObject({ exit_code: 0, memory_access: 'global' });
});

test.each(WAYS)('refuses what is taken, absent or no model: %s', async (via) => {
  at = await openWay(via);

  const absent = await at.document(['agents', 'show', 'absent']);
  const unchanged = await at.document(['agents', 'update', 'absent', '--name', 'x']);
  const before = await readdir(at.root.path);
  const taken = await at.document(['agents', 'create', 'agent_default']);
  const model = await at.document(['agents', 'create', 'x', '--model', 'nobody/knows']);

  expect(absent).toEqual({
    ...common('agents show', 1),
    ...notFound('agent', 'absent', LIST_HINT),
  });
  expect(unchanged).toEqual({
    ...common('agents update', 1),
    ...notFound('agent', 'absent', LIST_HINT),
  });
  if (via === 'local') expect(before).toEqual([]);
  expect(taken).toMatchObject({
    exit_code: 1,
    error: { kind: 'runtime', message: 'agent agent_default exists already' },
  });
  expect(model).toMatchObject({
    exit_code: 1,
    error: { kind: 'usage', message: expect.stringMatching(/^model "nobody\/knows" names no/) },
  });
});

test.each([
  [['create'], 'argument AGENT is missing'],
  [['create', '../x'], '"../x" is not the id of an agent'],
  [['create', 'x', '--name', 'n'.repeat(81)], 'option --name must have at most 80 characters'],
  [['spawn', 'n'.repeat(81)], 'NAME must have at most 80 characters'],
  [['create', 'x', '--instructions', '-'], 'there is no text of --instructions'],
  [['update', 'x'], 'it is not said what is to change'],
  [
    ['update', 'x', '--model', 'a/b', '--default-model'],
    'only one of --model and --default-model can be given',
  ],
] as const)('refuses agents %j', async (args, message) => {
  at = await openWay('local');

  const value = await at.document(['agents', ...args]);

  expect(value).toMatchObject({ exit_code: 1, error: { kind: 'parse', message } });
});
