import { expect, test } from 'vitest';
import * as z from 'zod';
import { createToolRegistry } from './registry.ts';
import { defineTool, type Tool } from './tool.ts';

function tool(name: string, description = ''): Tool {
  return defineTool({
    name,
    description,
    effect: 'read',
    input: z.object({}),
    execute: async () => ({}),
  });
}

test('replaces all tools of a source and leaves the others', () => {
  const registry = createToolRegistry([tool('fs.read')]);
  registry.replace('one', [tool('one.a'), tool('one.b')]);
  registry.replace('two', [tool('two.a')]);

  registry.replace('one', [tool('one.b', 'new'), tool('one.c')]);

  expect(registry.list().map(({ name }) => name)).toEqual(['fs.read', 'one.b', 'one.c', 'two.a']);
  expect(registry.find('ONE.B')?.description).toBe('new');
  expect(registry.find('one.a')).toBeUndefined();
});

test('refuses a name of another source and keeps what was there', () => {
  const registry = createToolRegistry([tool('fs.read')]);
  registry.replace('one', [tool('one.a')]);

  expect(() => registry.replace('one', [tool('one.z'), tool('FS.READ')])).toThrow(
    'tool name FS.READ is taken',
  );

  expect(registry.list().map(({ name }) => name)).toEqual(['fs.read', 'one.a']);
});

test('tells models the schema that a tool brought, without its dialect', () => {
  const written = { $schema: 'https://json-schema.org/draft-07/schema', type: 'object' };
  const registry = createToolRegistry([{ ...tool('remote'), inputSchema: written }]);

  expect(registry.describe(() => true)).toEqual([
    { name: 'remote', description: '', inputSchema: { type: 'object' } },
  ]);
});
