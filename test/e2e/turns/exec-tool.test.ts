import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { inputSchemaOf } from '../../../src/core/tools/input-schema.ts';
import { createScriptedModel } from '../../../src/providers/scripted/scripted-model.ts';
import { MAIN_FIELDS } from '../../../src/surfaces/cli/turns/tool-payload.ts';
import { openTestRuntime } from '../../support/open-test-runtime.ts';
import { type ClawRoot, common, openClawRoot } from '../cli/claw.ts';
import { askDocument, configure, openSilentService, PLACES } from './turn-root.ts';

let root: ClawRoot;

beforeEach(async () => {
  root = await openClawRoot();
});

afterEach(() => root.dispose());

for (const via of PLACES) {
  test(`calls a tool by a familiar name, as a run (${via})`, async () => {
    if (via === 'server') await root.serveInline();
    const payload = '{"path":"a.txt","content":"hey"}';

    const { code, document } = await askDocument(root, ['exec-tool', 'filewritetool', payload]);
    const read = await askDocument(root, ['exec-tool', 'fs.read', 'a.txt']);
    const { document: listed } = await askDocument(root, ['runs', 'list', '--limit', '1']);

    expect(code).toBe(0);
    expect(document).toEqual({
      ...common('exec-tool', 0),
      name: 'FileWriteTool',
      payload,
      handled: true,
      message: 'wrote 1 line(s) to a.txt',
      source_hint: 'src/toolbox/files/fs-write.ts',
      run_id: '<run>',
      output: expect.objectContaining({ path: 'a.txt', bytes: 3 }),
    });
    expect(read.document).toMatchObject({
      name: 'fs.read',
      payload: 'a.txt',
      message: 'read a.txt',
      output: { content: 'hey' },
    });
    expect(listed).toMatchObject({
      runs: [{ message: '/tool fs.read {"path":"a.txt"}', status: 'completed' }],
    });
  });

  test(`the same key and payload are one execution (${via})`, async () => {
    if (via === 'server') await root.serveInline();
    const append = (content: string) =>
      askDocument(root, [
        ...['exec-tool', 'fs.append', JSON.stringify({ path: 'log.txt', content })],
        ...['--idempotency-key', 'line 1'],
      ]);

    const first = await append('once');
    const second = await append('once');
    const other = await append('twice');
    const flushed = await askDocument(root, [
      'tool',
      'idempotency',
      'flush',
      'fs.append',
      'line 1',
    ]);

    expect([first.code, second.code, other.code]).toEqual([0, 0, 1]);
    expect(first.document).not.toHaveProperty('from_cache');
    expect(second.document).toMatchObject({ handled: true, from_cache: true });
    expect(other.document).toMatchObject({
      handled: false,
      message: 'the idempotency key belongs to a call with another payload',
    });
    expect(flushed.document).toMatchObject({ flushed: 1 });
    expect(await readFile(join(root.path, 'workspace/log.txt'), 'utf8')).toBe('once');
  });

  test(`a tool that is not granted is refused by policy (${via})`, async () => {
    await configure(root, { tools: { granted: ['fs.read'] } });
    if (via === 'server') await root.serveInline();

    const { code, document } = await askDocument(root, ['exec-tool', 'fs.list', '.']);

    expect(code).toBe(1);
    expect(document).toMatchObject({
      handled: false,
      run_id: '<run>',
      error: { kind: 'policy', operation: 'execute_tool', target: 'fs.list', retryable: false },
    });
  });

  test(`a call that needs an approval is not made (${via})`, async () => {
    await configure(root, { policy: { rules: [{ tool: 'fs.list', decision: 'ask' }] } });
    if (via === 'server') await root.serveInline();

    const { code, document } = await askDocument(root, ['exec-tool', 'fs.list', '.']);
    const { document: listed } = await askDocument(root, ['runs', 'list']);

    expect(code).toBe(1);
    expect(document).toMatchObject({
      handled: false,
      error: { kind: 'policy', operation: 'approve', target: '<run>' },
    });
    expect(listed).toMatchObject({ runs: [{ status: 'cancelled' }] });
  });

  test(`a call that takes too long is cancelled, exit code 2 (${via})`, async () => {
    const service = await openSilentService();
    try {
      await configure(root, { network: { enabled: true, allow_localhosts: true } });
      if (via === 'server') await root.serveInline();

      const { code, document } = await askDocument(root, [
        'exec-tool',
        'WebFetch',
        service.url,
        '--timeout-seconds',
        '2',
      ]);

      await service.asked;
      expect(code).toBe(2);
      expect(document).toMatchObject({ handled: false, message: 'out of time', run_id: '<run>' });
    } finally {
      await service.close();
    }
  });
}

test('an unknown tool is not found, without a run, a database or a state root', async () => {
  const { code, document } = await askDocument(root, ['exec-tool', 'BashTol', 'ls']);
  const { document: sessions } = await askDocument(root, ['runs', 'list']);

  expect(code).toBe(1);
  expect(document).toEqual({
    ...common('exec-tool', 1),
    name: 'BashTol',
    payload: 'ls',
    handled: false,
    found: false,
    message: 'tool not found: BashTol',
    error: {
      kind: 'tool_not_found',
      operation: 'find_tool',
      target: 'BashTol',
      retryable: false,
      message: 'tool not found: BashTol',
      hint: 'did you mean BashTool?',
    },
  });
  expect(sessions).toMatchObject({ runs: [] });
});

test('a tool of an external server that is not there is not found', async () => {
  const { code, document } = await askDocument(root, ['exec-tool', 'mcp__none__echo', '{}']);

  expect(code).toBe(1);
  expect(document).toMatchObject({
    handled: false,
    found: false,
    error: { kind: 'tool_not_found' },
  });
});

test.each([
  ['fs.read', '../../etc/passwd', 'policy'],
  ['fs.read', '{"file":1}', 'usage'],
  ['BashTool', 'ls', 'policy'],
])('%s with %s fails with the kind %s', async (tool, payload, kind) => {
  const { code, document } = await askDocument(root, ['exec-tool', tool, payload]);

  expect(code).toBe(1);
  expect(document).toMatchObject({ handled: false, output: null, error: { kind } });
});

test.each([
  ['fs.read', '{"path": }', 'the payload begins like a JSON object and is none'],
  ['time.now', 'now', 'time.now needs a JSON object as its payload'],
  ['../x', '', '"../x" is not a tool\'s name'],
])('refuses %s with %s', async (tool, payload, message) => {
  const { code, document } = await askDocument(root, ['exec-tool', tool, payload]);

  expect(code).toBe(1);
  expect(document).toMatchObject({ error: { kind: 'parse', message } });
});

test('people see the message and then the output', async () => {
  await askDocument(root, ['exec-tool', 'time.now']);
  await writeFile(join(root.path, 'workspace/notes.txt'), 'milk\n');

  const { code, stdout } = await root.claw(['exec-tool', 'fs.read', 'notes.txt']);

  expect(code).toBe(0);
  expect(stdout).toMatch(/^read notes\.txt\n\{\n {2}"content": "milk\\n",\n/);
});

test('every main field is one that its tool takes as text', async () => {
  const runtime = await openTestRuntime(createScriptedModel({ steps: [] }));
  try {
    const wrong = Object.entries(MAIN_FIELDS).filter(([name, field]) => {
      const tool = runtime.registry.find(name);
      const { properties } = tool
        ? (inputSchemaOf(tool) as { properties?: Record<string, { type?: string }> })
        : {};
      return properties?.[field]?.type !== 'string';
    });

    expect(wrong).toEqual([]);
  } finally {
    await runtime.dispose();
  }
});
