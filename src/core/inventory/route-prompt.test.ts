import { expect, test } from 'vitest';
import type { Inventory, InventoryEntry, ToolEntry } from './inventory-entry.ts';
import { routePrompt } from './route-prompt.ts';

function command(name: string, responsibility = '', sourceHint = ''): InventoryEntry {
  return { kind: 'command', name, aliases: [], sourceHint, responsibility, origin: 'builtin' };
}

function tool(name: string, responsibility = '', sourceHint = ''): ToolEntry {
  return { ...command(name, responsibility, sourceHint), kind: 'tool', effect: 'read' };
}

function route(inventory: Inventory, prompt: string, limit = 5): string[] {
  return routePrompt(inventory, prompt, limit).map(
    ({ kind, name, score }) => `${kind} ${name} ${score}`,
  );
}

const INVENTORY: Inventory = {
  commands: [
    command('review', 'Review a change'),
    command('Review', 'Review a change'),
    command('add-file', 'Add a file'),
    command('notes', 'Keep notes', 'src/review-notes.ts'),
  ],
  tools: [tool('file.review', 'Look at a file'), tool('file.read', 'Read a file')],
};

test('takes the best command, the best tool, then the rest by score, kind and name', () => {
  expect(route(INVENTORY, 'review file')).toEqual([
    'command Review 0.5',
    'tool file.review 1',
    'command add-file 0.5',
    'command notes 0.5',
    'command review 0.5',
  ]);
  expect(route(INVENTORY, 'review file', 10)).toHaveLength(6);
});

test('gives a single place to the best command, even when a tool matches better', () => {
  expect(route(INVENTORY, 'review file', 1)).toEqual(['command Review 0.5']);
});

test('counts each word once, in any letter case, and parts at slashes and dashes', () => {
  expect(route(INVENTORY, 'ADD-file/add  Zebra')).toEqual([
    'command add-file 0.6667',
    'tool file.read 0.3333',
    'tool file.review 0.3333',
  ]);
});

test('finds words in names, files and summaries alike', () => {
  const inventory = {
    commands: [command('a', '', 'x/needle.ts'), command('b', 'has a needle'), command('needle')],
    tools: [],
  };

  expect(route(inventory, 'needle')).toEqual(['command a 1', 'command b 1', 'command needle 1']);
});

test('matches nothing by words that occur nowhere, nor by none', () => {
  expect(route(INVENTORY, 'zzzz')).toEqual([]);
  expect(route(INVENTORY, ' -/ ')).toEqual([]);
  expect(route({ commands: [], tools: [] }, 'review')).toEqual([]);
});

test('looks at the first 512 words of a longer prompt', () => {
  const prompt = Array.from({ length: 511 }, (_, at) => `zz${at}`).join(' ');

  expect(route(INVENTORY, `${prompt} notes beyond`)).toEqual(['command notes 0.002']);
  expect(route(INVENTORY, `${prompt} zzz notes`)).toEqual([]);
});
