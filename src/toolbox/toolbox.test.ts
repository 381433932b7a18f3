import { existsSync } from 'node:fs';
import { expect, test } from 'vitest';
import * as z from 'zod';
import { systemClock } from '../core/clock.ts';
import { createPathGuard } from './files/path-guard.ts';
import { createToolbox } from './toolbox.ts';

const tools = createToolbox({
  guard: createPathGuard({ root: '.', reserved: [] }),
  clock: systemClock,
});

test('holds every built-in tool with its effect and idempotency', () => {
  const held = tools.map(({ name, effect, idempotent }) => [name, effect, idempotent]);

  expect(held).toEqual([
    ['fs.read', 'read', true],
    ['fs.list', 'read', true],
    ['fs.write', 'write', true],
    ['fs.edit', 'write', false],
    ['code.search', 'read', true],
    ['time.now', 'read', true],
  ]);
});

test('names an existing source file for every tool', () => {
  const root = new URL('../../', import.meta.url);

  expect(tools.filter(({ source }) => !existsSync(new URL(source, root)))).toEqual([]);
});

test('gives every tool a schema that models can be shown', () => {
  const schemas = tools.map(({ name, input }) => {
    const { type, required, additionalProperties } = z.toJSONSchema(input);
    return { name, type, required, additionalProperties };
  });

  const object = { type: 'object', additionalProperties: false };
  expect(schemas).toEqual([
    { name: 'fs.read', ...object, required: ['path'] },
    { name: 'fs.list', ...object, required: ['path'] },
    { name: 'fs.write', ...object, required: ['path', 'content'] },
    { name: 'fs.edit', ...object, required: ['path'] },
    { name: 'code.search', ...object, required: ['pattern'] },
    { name: 'time.now', ...object, required: undefined },
  ]);
});
