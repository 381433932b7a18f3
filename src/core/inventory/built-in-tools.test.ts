import { expect, test } from 'vitest';
import { openTestRuntime } from '../../../test/support/open-test-runtime.ts';
import { createOfflineModel } from '../../providers/offline/offline-model.ts';
import type { Tool } from '../tools/tool.ts';
import { BUILT_IN_TOOLS } from './built-in-tools.ts';
import { FAMILIAR_TOOL_NAMES } from './familiar-names.ts';
import type { ToolEntry } from './inventory-entry.ts';

async function listRegistered(): Promise<readonly Tool[]> {
  const runtime = await openTestRuntime(createOfflineModel(), { role: 'local' });
  try {
    return runtime.registry.list();
  } finally {
    await runtime.dispose();
  }
}

test('says of every built-in tool what its definition says', async () => {
  const registered = await listRegistered();

  expect(BUILT_IN_TOOLS).toEqual(
    registered.map(
      (tool): ToolEntry => ({
        kind: 'tool',
        name: tool.name,
        aliases: [...tool.aliases, ...(FAMILIAR_TOOL_NAMES[tool.name] ?? [])],
        responsibility: tool.description.split(/(?<=\.)\s/)[0] ?? '',
        effect: tool.effect,
        sourceHint: tool.source,
        origin: 'builtin',
      }),
    ),
  );
});

test('gives no name to two tools', () => {
  const names = BUILT_IN_TOOLS.flatMap(({ name, aliases }) => [name, ...aliases]);

  expect(new Set(names.map((name) => name.toLowerCase())).size).toBe(names.length);
});

test('has familiar names only for tools that exist', () => {
  const known = new Set(BUILT_IN_TOOLS.map(({ name }) => name));

  expect(Object.keys(FAMILIAR_TOOL_NAMES).filter((name) => !known.has(name))).toEqual([]);
});
