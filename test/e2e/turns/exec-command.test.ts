import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type ClawRoot, common, openClawRoot } from '../cli/claw.ts';
import { askDocument, PLACES } from './turn-root.ts';

let root: ClawRoot;

beforeEach(async () => {
  root = await openClawRoot();
});

afterEach(() => root.dispose());

async function addSkill(name: string, text: string): Promise<void> {
  const folder = join(root.path, '.claw/skills', name);
  await mkdir(folder, { recursive: true });
  await writeFile(
    join(folder, 'SKILL.md'),
    `---\nname: ${name}\ndescription: a skill\n---\n${text}\n`,
  );
}

for (const via of PLACES) {
  test(`a command of a skill becomes a run with its text as instructions (${via})`, async () => {
    await addSkill('review', 'Review $ARGUMENTS carefully.');
    await addSkill('greet', 'Greet somebody.');
    const script = await root.script([{ text: 'asked: {{message}}' }]);
    if (via === 'server') await root.serve(script);

    const placed = await askDocument(root, ['exec-command', 'review', 'the commit'], script);
    const behind = await askDocument(root, ['exec-command', 'Greet', 'Ada'], script);

    expect(placed).toEqual({
      code: 0,
      document: {
        ...common('exec-command', 0),
        name: 'review',
        prompt: 'the commit',
        handled: true,
        message: 'asked: Review the commit carefully.',
        source_hint: '.claw/skills/review/SKILL.md',
        run_id: '<run>',
      },
    });
    expect(behind.document).toMatchObject({
      name: 'greet',
      message:
        'asked: Follow these instructions of the command greet:\n\nGreet somebody.\n\nThe request:\n\nAda',
    });
  });

  test(`a command of this program is executed with the words of the prompt (${via})`, async () => {
    if (via === 'server') await root.serve();
    await askDocument(root, ['exec-tool', 'time.now']);

    const listed = await askDocument(root, ['exec-command', 'runs list', '--', '--limit 1']);
    const asked = await askDocument(root, ['exec-command', 'ask', `'/tool  time.now' "{}"`]);

    expect(listed.document).toMatchObject({
      name: 'runs list',
      prompt: '--limit 1',
      handled: true,
      message: expect.stringMatching(/^run_|^<run>/),
      source_hint: 'src/surfaces/cli/commands/runs/runs-list.ts',
      result: { runs_count: 1 },
    });
    expect(asked.document).toMatchObject({
      handled: true,
      message: expect.stringMatching(/^time\.now: \{/),
      result: { status: 'completed', via },
    });
  });
}

test('the whole document of a command that is executed', async () => {
  const { code, document } = await askDocument(root, ['exec-command', 'version']);

  expect(code).toBe(0);
  expect(document).toEqual({
    ...common('exec-command', 0),
    name: 'version',
    prompt: '',
    handled: true,
    message: expect.stringMatching(/^claw \d/),
    source_hint: 'src/surfaces/cli/commands/version.ts',
    result: expect.objectContaining({ name: 'pincer' }),
  });
});

test('an unknown command is not found and not handled', async () => {
  const { code, document } = await askDocument(root, ['exec-command', 'versoin', 'x']);

  expect(code).toBe(1);
  expect(document).toEqual({
    ...common('exec-command', 1),
    name: 'versoin',
    prompt: 'x',
    handled: false,
    found: false,
    message: 'command not found: versoin',
    error: {
      kind: 'command_not_found',
      operation: 'find_command',
      target: 'versoin',
      retryable: false,
      message: 'command not found: versoin',
      hint: 'did you mean version?',
    },
  });
});

test.each(['serve', 'chat', 'exec-command', 'exec-tool', 'mcp serve', '/help'])(
  'refuses to execute %s, saying so',
  async (name) => {
    const { code, document } = await askDocument(root, ['exec-command', name]);

    expect(code).toBe(1);
    expect(document).toMatchObject({
      name,
      handled: false,
      error: {
        kind: 'usage',
        operation: 'exec_command',
        target: name,
        message: `${name} can't be executed by another command`,
      },
    });
  },
);

test('the failure of a command is the failure of executing it', async () => {
  const missing = await askDocument(root, ['exec-command', 'runs show', 'run_none']);
  const wrong = await askDocument(root, ['exec-command', 'runs list', '--', '--limit x']);
  const open = await askDocument(root, ['exec-command', 'ask', "it's"]);
  const elsewhere = await askDocument(root, ['exec-command', 'runs list', '--', '--root /']);

  expect(missing.document).toMatchObject({
    name: 'runs show',
    handled: false,
    error: { kind: 'run_not_found', target: 'run_none' },
  });
  expect(missing.document).not.toHaveProperty('found');
  expect(wrong.document).toMatchObject({ handled: false, error: { kind: 'parse' } });
  expect(open.document).toMatchObject({
    handled: false,
    error: { kind: 'parse', message: 'a quote in the prompt is left open' },
  });
  expect(elsewhere.document).toMatchObject({
    error: { kind: 'parse', message: 'option --root belongs to the outer command' },
  });
});

test('people get the text of the command', async () => {
  const { code, stdout } = await root.claw(['exec-command', 'list-sessions']);

  expect([code, stdout]).toEqual([0, '(no sessions)\n']);
});
