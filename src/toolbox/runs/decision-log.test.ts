import { expect, test } from 'vitest';
import { openTestRuntime } from '../../../test/support/open-test-runtime.ts';
import { createScriptedModel } from '../../providers/scripted/scripted-model.ts';
import { callTool, inputErrors } from '../test-workspace.ts';
import { createDecisionLog } from './decision-log.ts';

const tool = createDecisionLog();

test('answers with what was put on record', async () => {
  const output = await callTool(tool, { title: ' Use SQLite ', content: 'one file, no server' });

  expect(output).toEqual({
    recorded: true,
    title: 'Use SQLite',
    importance: 4,
    confidence: 0.9,
    summary: 'recorded decision: Use SQLite',
  });
});

test("stands in the run's log with all its words", async () => {
  const model = createScriptedModel({ steps: [{ text: 'unused' }] });
  const runtime = await openTestRuntime(model, {
    config: { tools: { granted: ['decision.log'] } },
  });
  const decision = { title: 'Use SQLite', content: 'one file, no server', importance: 5 };

  const run = await runtime.ask(`/tool decision.log ${JSON.stringify(decision)}`);
  const events = await runtime.events(run.id).finally(() => runtime.dispose());

  const calls = events.filter(({ type }) => type === 'tool.call');
  expect(calls.map(({ payload }) => payload['input'])).toEqual([decision]);
});

test('mends aliases', () => {
  expect(tool.repair({ decision: 'a', rationale: 'b' })).toEqual({ title: 'a', content: 'b' });
});

test.each([
  [{}, ['title is required', 'content is required']],
  [{ title: ' ', content: 'x' }, ['title must not be empty']],
  [{ title: 'x'.repeat(201), content: 'x' }, ['title must have at most 200 characters']],
  [{ title: 'x', content: 'y', importance: 6 }, ['importance must be a whole number from 1 to 5']],
  [{ title: 'x', content: 'y', confidence: 2 }, ['confidence must be a number from 0 to 1']],
])('refuses %j', (input, messages) => {
  expect(inputErrors(tool, input)).toEqual(messages);
});
