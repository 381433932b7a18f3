import { expect, test } from 'vitest';
import { textWidth } from '../chat/text-width.ts';
import { formatFittedTable } from './fitted-table.ts';
import { createStyle, plainStyle } from './style.ts';

const TABLE = {
  headers: ['AGENT', 'NAME', 'ROLE'],
  rows: [
    ['agent_default', 'Default', 'helps with whatever comes along, day and night, in all weathers'],
    ['agent_two', '翻訳者の長い名前です', 'translates'],
  ],
  cuttable: [1, 2],
};

test('has headings and as much room as it needs', () => {
  expect(formatFittedTable(TABLE, plainStyle)).toBe(
    [
      'AGENT          NAME                  ROLE',
      'agent_default  Default               helps with whatever comes along, day and night, in all weathers',
      'agent_two      翻訳者の長い名前です  translates',
    ].join('\n'),
  );
});

test('fits the terminal: ids stay whole, long texts are cut', () => {
  const style = createStyle({ isTTY: true, columns: 50 }, false);

  const lines = formatFittedTable(TABLE, style).split('\n');

  expect(lines.map(textWidth).every((width) => width <= 50)).toBe(true);
  expect(lines[1]).toMatch(/^agent_default {2}Default .*…$/);
});
