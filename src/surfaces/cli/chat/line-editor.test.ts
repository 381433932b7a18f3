import { expect, test } from 'vitest';
import { type Key, LineEditor } from './line-editor.ts';

function open(history: readonly string[] = [], maxChars = 1_000): LineEditor {
  return new LineEditor({ history: () => history, maxChars });
}

function type(editor: LineEditor, text: string): void {
  for (const char of text) editor.press({ sequence: char });
}

const key = (name: string, more: Partial<Key> = {}): Key => ({ name, ...more });
const ctrl = (name: string): Key => key(name, { ctrl: true });
const ENTER = key('return', { sequence: '\r' });

test('characters of every width are typed, passed and erased whole', () => {
  const editor = open();
  type(editor, 'a😀b');

  editor.press(key('left'));
  editor.press(key('left'));
  editor.press(key('right'));
  editor.press(key('backspace', { sequence: '\u007f' }));

  expect([editor.text, editor.cursor]).toEqual(['ab', 1]);
});

test('the usual keys move and cut', () => {
  const editor = open();
  type(editor, 'one two three');

  editor.press(ctrl('w'));
  editor.press(ctrl('a'));
  editor.press(key('f', { meta: true }));
  editor.press(ctrl('k'));
  type(editor, '!');

  expect(editor.text).toBe('one!');
});

test('Enter sends, unless the text asks for another line', () => {
  const editor = open();
  type(editor, 'first\\');
  const more = editor.press(ENTER);
  type(editor, 'second');

  const sent = editor.press(ENTER);

  expect(more).toEqual({ kind: 'redraw' });
  expect(sent).toEqual({
    kind: 'submit',
    message: 'first\nsecond',
    typed: 'first\nsecond',
  });
  expect(editor.text).toBe('');
});

test('quotes hold several lines together', () => {
  const editor = open();
  type(editor, '"""');
  editor.press(ENTER);
  type(editor, 'a');
  editor.press(ENTER);
  type(editor, 'b"""');

  expect(editor.press(ENTER)).toEqual({
    kind: 'submit',
    message: 'a\nb',
    typed: '"""\na\nb"""',
  });
});

test('what is pasted is text, also its line ends and tabs', () => {
  const editor = open();

  editor.press(key('paste-start'));
  type(editor, 'a\r\tb');
  editor.press(key('paste-end'));

  expect(editor.text).toBe('a\n\tb');
});

test('Up goes back in the history and Down returns to what was being typed', () => {
  const editor = open(['older', 'newer']);
  type(editor, 'draft');

  const seen = ['up', 'up', 'up', 'down', 'down', 'down'].map((name) => {
    editor.press(key(name));
    return editor.text;
  });

  expect(seen).toEqual(['newer', 'older', 'older', 'newer', 'draft', 'draft']);
});

test('Up and Down move between the rows of a text before they leave it', () => {
  const editor = open(['older']);
  editor.replace('one\nfour');

  editor.press(key('up'));
  const inFirstRow = editor.cursor;
  editor.press(key('down'));

  expect([inFirstRow, editor.cursor, editor.text]).toEqual([3, 7, 'one\nfour']);
});

test('keys without a meaning leave no trace, and neither does what is too long', () => {
  const editor = open([], 3);
  type(editor, 'abcd');

  const pressed = [key('f5', { sequence: '\u001b[15~' }), ctrl('g')].map((one) =>
    editor.press(one),
  );

  expect(pressed).toEqual([undefined, undefined]);
  expect(editor.text).toBe('abc');
});

test('Ctrl-D ends an empty line and erases in any other', () => {
  const editor = open();

  expect(editor.press(ctrl('d'))).toEqual({ kind: 'end' });
  type(editor, 'ab');
  editor.press(ctrl('a'));
  editor.press(ctrl('d'));

  expect(editor.text).toBe('b');
});

test('Ctrl-L asks for an empty screen and leaves the line alone', () => {
  const editor = new LineEditor({ history: () => [], maxChars: 100 });
  editor.replace('half a line');

  expect(editor.press(ctrl('l'))).toEqual({ kind: 'clear_screen' });
  expect([editor.text, editor.cursor]).toEqual(['half a line', 11]);
});
