import { expect, onTestFinished, test } from 'vitest';
import { openTestRuntime, type TestRuntime } from '../../test/support/open-test-runtime.ts';
import { createScriptedModel } from '../providers/scripted/scripted-model.ts';
import { createTestGround } from './test-clients.ts';

async function openWithServer(granted: readonly string[]): Promise<TestRuntime> {
  const model = createScriptedModel({ steps: [{ text: 'unused' }] });
  const runtime = await openTestRuntime(model, { config: { tools: { granted } } });
  onTestFinished(() => runtime.dispose());
  const ground = await createTestGround();
  const servers = { s: ground.server('good', { max_output_bytes: 2048 }) };
  const { clients } = ground.open(servers, { registry: runtime.registry });
  await clients.tried();
  return runtime;
}

async function resultOf(runtime: TestRuntime, message: string) {
  const run = await runtime.ask(message);
  const [result] = (await runtime.runs.trace(run.id)).toolResults;
  return result;
}

test('takes an external tool the way of every other', async () => {
  const runtime = await openWithServer(['mcp__s__echo']);

  const result = await resultOf(runtime, '/tool mcp__s__echo {"text":"hello"}');

  expect(result).toMatchObject({
    tool: 'mcp__s__echo',
    arguments: { text: 'hello' },
    summary: 'echo hello',
    output: '{"content":"echo hello"}',
    error: '',
  });
});

test('asks for a grant and for input of the declared shape', async () => {
  const runtime = await openWithServer(['mcp__s__echo']);

  const denied = await resultOf(runtime, '/tool mcp__s__fail {}');
  const invalid = await resultOf(runtime, '/tool mcp__s__echo {"text":1}');

  expect(denied?.error).toContain('policy.denied');
  expect(invalid?.error).toContain('tool.input_invalid: text: ');
});

test('tells a refusal of the tool in its own words, as a failure of the tool', async () => {
  const runtime = await openWithServer(['mcp__s__fail']);

  const result = await resultOf(runtime, '/tool mcp__s__fail {}');

  expect(result?.error).toBe('tool_failed: it went wrong');
});

test('keeps the whole of a large result as an artifact', async () => {
  const runtime = await openWithServer(['mcp__s__large']);

  const result = await resultOf(runtime, '/tool mcp__s__large {}');

  expect(JSON.parse(result?.output ?? '')).toMatchObject({
    truncated: true,
    bytes: 300_014,
    excerpt: 'y'.repeat(4_000),
  });
});
