import * as z from 'zod';
import { RuntimeError } from '../../src/core/errors.ts';
import { defineTool, type Tool, type ToolDefinition } from '../../src/core/tools/tool.ts';
import { untilAborted } from '../support/until-aborted.ts';

const anything = z.looseObject({});

function tool(
  named: `${'read' | 'write'} ${string}`,
  execute: ToolDefinition<object, object>['execute'],
  more: Partial<ToolDefinition<object, object>> = {},
): Tool {
  const [effect, name] = named.split(' ') as ['read' | 'write', string];
  return defineTool<object, object>({
    name: `test.${name}`,
    description: name,
    effect,
    input: anything,
    serves: 'everyone',
    execute,
    ...more,
  });
}

/** One of each kind. What they answer differs from call to call: a tool that was called again would be noticed. */
export function createSeededTools(gate: () => Promise<void>): readonly Tool[] {
  let calls = 0;
  const count = () => {
    calls += 1;
    return calls;
  };
  return [
    tool('read look', async (input) => ({ ...input, no: count() }), {
      input: z.looseObject({ at: z.union([z.string(), z.number()]) }),
    }),
    tool('read same', async () => ({})),
    tool('read now', async () => ({ at: Date.now(), drawn: Math.random(), no: count() })),
    tool('write note', async () => ({ no: count() })),
    tool('read fail', async () => {
      throw new RuntimeError('tool_failed', `it failed for the ${count()}th time`);
    }),
    tool('read exit', async (input) => ({ exit_code: Reflect.get(input, 'code'), no: count() })),
    tool('read big', async () => ({ content: `${count()} `.repeat(300) }), {
      limits: { maxOutputBytes: 500 },
    }),
    tool('read secret', async () => ({ token: `sk-ant-api03-${'a1B2c3D4'.repeat(8)}` })),
    tool('write forbidden', async () => ({ no: count() })),
    tool('write send', async () => ({ no: count() }), { traits: ['outward_effect'] }),
    tool('read hang', async (_, { signal }) => {
      await untilAborted(signal);
      return {};
    }),
    tool('read gate', async () => {
      await gate();
      return { no: count() };
    }),
    tool('write gated_write', async () => {
      await gate();
      return { no: count() };
    }),
  ];
}
