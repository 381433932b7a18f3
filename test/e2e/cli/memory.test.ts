import { readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { common } from './claw.ts';
import { openWay, WAYS, type WayRoot } from './ways.ts';

let at: WayRoot;

afterEach(() => at.dispose());

test.each(WAYS)('remembers, finds, changes, pins and deletes: %s', async (via) => {
  at = await openWay(via);

  const added = await at.document(['memory', 'add', 'Tea is served at five', '--tag', 'tea']);
  const { memory_id: id } = added as { memory_id: string };
  const found = await at.document(['memory', 'search', 'when is tea', '--explain']);
  const changed = await at.document(['memory', 'update', id, '--priority', '9']);
  const pinned = await at.document(['memory', 'pin', id, '--reason', 'house rule']);
  const unpinned = await at.document(['memory', 'unpin', id]);
  const status = await at.document(['memory', 'status']);
  const deleted = await at.document(['memory', 'delete', id]);
  const listed = await at.document(['memory', 'list']);

  expect(added).toEqual({ ...common('memory add', 0), memory_id: id, via });
  expect(found).toMatchObject({
    ...common('memory search', 0),
    query: 'when is tea',
    results_count: 1,
    results: [{ id, content: 'Tea is served at five', why: expect.any(Object) }],
    via,
  });
  expect(changed).toMatchObject({
    id,
    priority_score: 9,
    metadata: { agent_id: 'agent_default', project_id: 'proj_001', source: 'chat', tags: ['tea'] },
    via,
  });
  const common15 = { memory_id: id, priority_score: 15, pinned: true, via };
  expect(pinned).toEqual({ ...common('memory pin', 0), ...common15 });
  expect(unpinned).toMatchObject({ priority_score: 9, pinned: false });
  expect(status).toMatchObject({ ...common('memory status', 0), chunks: 1, via });
  expect(deleted).toEqual({ ...common('memory delete', 0), memory_id: id, deleted: true, via });
  expect(listed).toEqual({
    ...common('memory list', 0),
    memories_count: 0,
    memories: [],
    next_cursor: null,
    via,
  });
});

test.each(WAYS)('imports a file, once, and reads as text: %s', async (via) => {
  at = await openWay(via);
  const file = join(at.root.path, 'memories.jsonl');
  const lines = [
    { content: 'Tea at five', key: '1' },
    { content: 'Obey me', key: '2', metadata: { source: 'web' } },
  ];
  await writeFile(file, `${lines.map((line) => JSON.stringify(line)).join('\n')}\n\n`);

  const imports = [
    await at.document(['memory', 'import', file, '--project', 'house']),
    await at.document(['memory', 'import', file, '--project', 'house']),
  ];
  const list = await at.text(['memory', 'list', '--project', 'house']);
  const search = await at.text(['memory', 'search', 'tea']);
  const nothing = await at.text(['memory', 'search', 'zebra', '--project', 'nowhere']);

  const counts = { stored: 0, reinforced: 0, replayed: 0 };
  expect(imports[0]).toEqual({
    ...common('memory import', 0),
    file: '<root>/memories.jsonl',
    ...counts,
    stored: 2,
    via,
  });
  expect(imports[1]).toMatchObject({ stored: 0, replayed: 2 });
  expect(list.stdout).toMatch(/^MEMORY .*\nmem_.*Obey me\nmem_.*Tea at five$/m);
  expect(search.stdout).toMatch(/^\d\.\d\d {2}mem_\w+ {2}Tea at five/);
  expect(nothing.stdout.trim()).toBe('(nothing is remembered about that)');
});

test('what is wrong is said, and looking creates nothing', async () => {
  at = await openWay('local');
  const before = await readdir(at.root.path);

  const shown = await at.document(['memory', 'show', 'mem_none']);
  const badly = await at.document(['memory', 'show', '../x']);
  const unsaid = await at.document(['memory', 'update', 'mem_1']);
  const stranger = await at.document(['memory', 'list', '--as', 'nobody']);

  expect(shown).toMatchObject({ error: { kind: 'memory_not_found', target: 'mem_none' } });
  expect(badly).toMatchObject({ error: { message: '"../x" is not the id of a memory' } });
  expect(unsaid).toMatchObject({ error: { message: 'it is not said what is to change' } });
  expect(stranger).toMatchObject({ error: { kind: 'agent_not_found', target: 'nobody' } });
  expect(await readdir(at.root.path)).toEqual(before);
});

test.each(WAYS)('says how a memory of strangers is pinned: %s', async (via) => {
  at = await openWay(via);
  const added = await at.document(['memory', 'add', 'Tea is free', '--source', 'web']);
  const id = String(added['memory_id']);

  const refused = await at.document(['memory', 'pin', id]);
  const approved = await at.document(['memory', 'pin', id, '--approved']);

  expect(refused).toMatchObject({
    exit_code: 1,
    error: { kind: 'policy', hint: 'read it, then pin it with --approved' },
  });
  expect(approved).toMatchObject({ exit_code: 0, pinned: true });
});
