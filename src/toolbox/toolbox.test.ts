import { existsSync } from 'node:fs';
import { expect, test } from 'vitest';
import * as z from 'zod';
import { systemClock } from '../core/clock.ts';
import { createPathGuard } from './files/paths/path-guard.ts';
import { createToolbox } from './toolbox.ts';

const guard = createPathGuard({ root: '.', reserved: [] });
const deps = { guards: { whole: guard, find: async () => guard }, clock: systemClock };
const unused = () => Promise.reject(new Error('nothing is called here'));
const tools = createToolbox({
  ...deps,
  runs: {
    runs: { list: unused, get: unused, cancel: unused, trace: unused },
    agents: { list: unused },
  },
});

test('holds every built-in tool with its effect and idempotency', () => {
  const held = tools.map(({ name, effect, idempotent }) => [name, effect, idempotent]);

  expect(held).toEqual([
    ['fs.read', 'read', true],
    ['fs.list', 'read', true],
    ['fs.write', 'write', true],
    ['fs.edit', 'write', false],
    ['fs.append', 'write', false],
    ['fs.delete', 'write', false],
    ['fs.move', 'write', false],
    ['fs.glob', 'read', true],
    ['code.search', 'read', true],
    ['time.now', 'read', true],
    ['decision.log', 'write', true],
    ['run.list', 'read', true],
    ['run.get', 'read', true],
    ['run.cancel', 'write', true],
    ['agent.list', 'read', true],
    ['metrics.get', 'read', true],
  ]);
});

test('leaves out the tools for runs where there are none', () => {
  const names = createToolbox(deps).map(({ name }) => name);

  expect(names.filter((name) => /^(?:run|agent|metrics)\./.test(name))).toEqual([]);
  expect(names).toHaveLength(tools.length - 5);
});

test('collapses no two calls of a tool into one', () => {
  expect(tools.filter(({ dedupe }) => dedupe)).toEqual([]);
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
    { name: 'fs.append', ...object, required: ['path', 'content'] },
    { name: 'fs.delete', ...object, required: ['path'] },
    { name: 'fs.move', ...object, required: ['src', 'dst'] },
    { name: 'fs.glob', ...object, required: ['pattern'] },
    { name: 'code.search', ...object, required: ['pattern'] },
    { name: 'time.now', ...object, required: undefined },
    { name: 'decision.log', ...object, required: ['title', 'content'] },
    { name: 'run.list', ...object, required: undefined },
    { name: 'run.get', ...object, required: ['run_id'] },
    { name: 'run.cancel', ...object, required: ['run_id'] },
    { name: 'agent.list', ...object, required: undefined },
    { name: 'metrics.get', ...object, required: undefined },
  ]);
});
