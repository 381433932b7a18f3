import { expect, test } from 'vitest';
import { BUILT_IN_TOOLS } from './built-in-tools.ts';
import { chooseTools, type ToolChoice } from './choose-tools.ts';
import type { ToolEntry } from './inventory-entry.ts';

const EXTERNAL: ToolEntry = {
  kind: 'tool',
  name: 'mcp__notes__add',
  aliases: [],
  sourceHint: 'mcp:notes',
  responsibility: 'Add a note',
  origin: 'mcp',
  effect: 'write',
};
const ALL = [...BUILT_IN_TOOLS, EXTERNAL];
const EVERYTHING: ToolChoice = {
  isSimple: false,
  includesMcp: true,
  deniedNames: [],
  deniedPrefixes: [],
};

function choose(choice: Partial<ToolChoice>): string[] {
  return chooseTools(ALL, { ...EVERYTHING, ...choice }).map(({ name }) => name);
}

test('keeps every tool when nothing is asked', () => {
  expect(choose({})).toEqual(ALL.map(({ name }) => name));
});

test('keeps exactly three tools in simple mode', () => {
  expect(choose({ isSimple: true })).toEqual(['fs.edit', 'fs.read', 'shell.exec']);
});

test('leaves out tools of external servers', () => {
  expect(choose({ includesMcp: false })).toEqual(BUILT_IN_TOOLS.map(({ name }) => name));
});

test('denies a tool under each of its names', () => {
  for (const name of ['SHELL.EXEC', 'bash.exec', 'bashtool']) {
    expect(choose({ deniedNames: [name] })).toEqual(
      ALL.map((tool) => tool.name).filter((known) => known !== 'shell.exec'),
    );
  }
});

test('denies by the beginning of a name', () => {
  expect(choose({ deniedPrefixes: ['FS.', 'mcp__'] })).toEqual(
    BUILT_IN_TOOLS.map(({ name }) => name).filter((name) => !name.startsWith('fs.')),
  );
});
