import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { OPERATOR } from '../../core/principal.ts';
import { createScriptedModel } from '../../providers/scripted/scripted-model.ts';
import { connect, listen, openTestMcp } from './test-mcp-server.ts';

const TASK = { name: 'task', description: 'What is to be done.', required: true };

async function openWith(mode: 'legacy' | 'auto' = 'legacy') {
  const { runtime, server } = await openTestMcp(
    createScriptedModel({ steps: [{ text: 'Hello' }] }),
  );
  await runtime.agents.create({ id: 'ada', name: 'Ada', role: 'engineer', instructions: 'Count.' });
  await publish(runtime, 'tidy-up', OPERATOR);
  await publish(runtime, 'strange', 'user:somebody');
  return { runtime, client: await connect(await listen(server), mode) };
}

async function publish(
  { skills: { registry, releases } }: Awaited<ReturnType<typeof openTestMcp>>['runtime'],
  id: string,
  by: string,
): Promise<void> {
  const document = {
    skill_id: id,
    version: 1,
    name: id,
    description: `Does ${id}`,
    instructions_markdown: 'Sort them by day.',
  };
  await registry.put('skill', { document, by });
  await releases.publish({ skillId: id, version: 1, by });
}

const given = (task: string, rest: Record<string, string> = {}) => ({ task, ...rest });

test.each(['legacy', 'auto'] as const)(
  'lists agents and skills as prompts, but none that a principal wrote (%s)',
  async (mode) => {
    const { client } = await openWith(mode);

    const { prompts } = await client.listPrompts();

    expect(prompts.map(({ name }) => name)).toEqual([
      'agent_ada',
      'agent_agent_default',
      'skill_tidy-up',
    ]);
    expect([prompts[0], prompts[2]]).toEqual([
      {
        name: 'agent_ada',
        title: 'Ada',
        description: 'Speak as Ada, engineer',
        arguments: [TASK, { name: 'skill', description: 'A skill to follow.', required: false }],
      },
      {
        name: 'skill_tidy-up',
        title: 'tidy-up',
        description: 'Does tidy-up',
        arguments: [
          TASK,
          { name: 'agent', description: 'The agent to speak as.', required: false },
        ],
      },
    ]);
  },
);

test('a prompt is the soul or the skill, the other where it is named, and the task', async () => {
  const { runtime, client } = await openWith();
  const soul = 'You are Ada, engineer.\n\nCount.';
  const skill = 'Follow this skill.\n\nSort them by day.';
  const textOf = async (name: string, args: Record<string, string>) => {
    const { messages } = await client.getPrompt({ name, arguments: args });
    return messages.map(({ role, content }) => [role, (content as { text: string }).text.trim()]);
  };

  const agent = await textOf('agent_ada', given('Add 1 and 1'));
  const both = await textOf('agent_ada', given('Add', { skill: 'tidy-up' }));
  const turned = await textOf('skill_tidy-up', given('Add', { agent: 'Ada' }));
  const alone = await textOf('skill_tidy-up', given('Add'));
  await writeFile(join(runtime.root, 'souls', 'ada.md'), 'Count twice.');
  const edited = await textOf('agent_ada', given('Add'));

  expect(agent).toEqual([['user', `${soul}\n\nAdd 1 and 1`]]);
  expect(both).toEqual([['user', expect.stringMatching(/^You are Ada.*Follow this skill.*Add$/s)]]);
  expect(turned).toEqual(both);
  expect(alone).toEqual([['user', expect.stringContaining(skill)]]);
  expect(edited).toEqual([['user', 'You are Ada, engineer.\n\nCount twice.\n\nAdd']]);
});

test.each([
  ['other', given('x'), 'there is no prompt named other'],
  ['agent_nobody', given('x'), 'agent nobody does not exist'],
  ['skill_strange', given('x'), 'skill strange does not exist; there are tidy-up'],
  ['agent_ada', {}, 'the argument task is required'],
  ['agent_ada', given('x', { skill: 'none' }), 'skill none does not exist'],
])('refuses %s with %j', async (name, args, message) => {
  const { client } = await openWith();

  await expect(client.getPrompt({ name, arguments: args })).rejects.toMatchObject({
    code: -32602,
    message: expect.stringContaining(message),
  });
});

test.each(['legacy', 'auto'] as const)('completes arguments and ids of runs (%s)', async (mode) => {
  const { runtime, client } = await openWith(mode);
  const { id } = await runtime.ask('hi');
  const suggest = async (name: string, argument: string, value: string) => {
    const ref = { type: 'ref/prompt' as const, name };
    return (await client.complete({ ref, argument: { name: argument, value } })).completion.values;
  };
  const ref = { type: 'ref/resource' as const, uri: 'run://{run_id}' };

  const runs = await client.complete({ ref, argument: { name: 'run_id', value: 'run_' } });

  expect(runs.completion).toEqual({ values: [id], total: 1, hasMore: false });
  expect(await suggest('agent_ada', 'skill', 'T')).toEqual(['tidy-up']);
  expect(await suggest('skill_tidy-up', 'agent', 'a')).toEqual(['ada', 'agent_default']);
  expect(await suggest('agent_ada', 'task', 'a')).toEqual([]);
  await expect(suggest('agent_nobody', 'skill', '')).rejects.toThrow('does not exist');
  await expect(
    client.complete({ ref: { ...ref, uri: 'file://{x}' }, argument: { name: 'x', value: '' } }),
  ).rejects.toThrow('the one template is run://{run_id}');
});
