import { expect, test } from 'vitest';
import { describeDeclaration } from './describe-declaration.ts';

test('a declaration is told with its schema, and what nobody would see is spelled out', () => {
  const told = describeDeclaration({
    description: 'Reads\u202e mail\u{e0041}\nand no more',
    input_schema: { type: 'object', title: 'a\u200bb' },
    annotations: {},
  });

  expect(told.split('\n')).toEqual([
    'Description',
    'Reads\\u{202e} mail\\u{e0041}',
    'and no more',
    '',
    'Input schema',
    '{',
    '  "type": "object",',
    '  "title": "a\\u{200b}b"',
    '}',
    '',
    'What it says of its effects',
    '{}',
  ]);
});
