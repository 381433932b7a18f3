import { expect, test } from 'vitest';
import { createDrawnScreen } from './drawn-screen.ts';
import { layoutInput } from './layout-input.ts';
import { createPlainScreen } from './plain-screen.ts';
import type { Screen } from './screen.ts';

function open(create: typeof createPlainScreen): { screen: Screen; written: () => string } {
  let all = '';
  const write = (text: string) => {
    all += text;
  };
  const written = () => {
    const since = all;
    all = '';
    return since;
  };
  return { screen: create({ write, columns: () => 20 }), written };
}

test('a drawn screen leaves rows that are complete and draws the rest again below them', () => {
  const { screen, written } = open(createDrawnScreen);
  screen.input({ prompt: '> ', text: 'ab', cursor: 1 });
  const first = written();

  screen.write('one\ntwo');
  const second = written();
  screen.line('note');

  expect(first).toBe('\r\u001b[J> ab\r\u001b[3C');
  expect(second).toBe('\r\u001b[Jone\ntwo\n> ab\r\u001b[3C');
  expect(written()).toBe('\r\u001b[1A\u001b[Jnote\ntwo\n> ab\r\u001b[3C');
});

test('a drawn screen takes its prompt away when it is closed', () => {
  const { screen, written } = open(createDrawnScreen);
  screen.input({ prompt: '> ', text: '', cursor: 0 });
  screen.write('half');
  screen.status('busy');
  written();

  screen.close();
  screen.line('late');

  expect(written()).toBe('\r\u001b[2A\u001b[Jhalf\n');
});

test('a plain screen only appends', () => {
  const { screen, written } = open(createPlainScreen);

  screen.input({ prompt: '> ', text: '', cursor: 0 });
  screen.input({ prompt: '> ', text: 'ab', cursor: 2 });
  screen.input({ prompt: '> ', text: 'a', cursor: 1 });
  screen.submit();
  screen.status('busy');
  screen.write('an answer');
  screen.line('note');
  screen.input({ prompt: '> ', text: 'x', cursor: 1 });
  screen.close();

  expect(written()).toBe('> ab\b \b\nan answer\nnote\n> x\n');
});

test('typed text is laid out in rows, with the cursor where it is', () => {
  const view = { prompt: '> ', text: 'abcdefghij\nk', cursor: 8 };

  expect(layoutInput(view, 9)).toEqual({
    rows: ['> abcdef', 'ghij', '… k'],
    cursorRow: 1,
    cursorColumn: 2,
  });
  expect(layoutInput({ ...view, cursor: 12 }, 9)).toMatchObject({ cursorRow: 2, cursorColumn: 3 });
});

test('of a long text the rows around the cursor are shown, and nothing that moves it', () => {
  const text = Array.from({ length: 20 }, (_, at) => `row ${at}\u001b`).join('\n');

  const { rows, cursorRow } = layoutInput({ prompt: '> ', text, cursor: text.length }, 40);

  expect(rows).toHaveLength(8);
  expect(rows.at(-1)).toBe('… row 19\ufffd');
  expect(cursorRow).toBe(7);
});

test('a drawn screen can be emptied; what is going on and being typed stays', () => {
  const { screen, written } = open(createDrawnScreen);
  screen.input({ prompt: '> ', text: 'ab', cursor: 1 });
  screen.write('one\nhalf');
  screen.status('busy');
  written();

  screen.clear();
  const cleared = written();
  screen.write(' more\n');

  expect(cleared).toBe('\u001b[2J\u001b[Hhalf\nbusy\n> ab\r\u001b[3C');
  expect(written()).toBe('\r\u001b[2A\u001b[Jhalf more\nbusy\n> ab\r\u001b[3C');
});
