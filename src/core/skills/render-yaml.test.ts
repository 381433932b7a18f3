import { expect, test } from 'vitest';
import { renderYaml } from './render-yaml.ts';

test('quotes whatever YAML could read as something else', () => {
  const text = renderYaml({
    plain: 'Custom coding skill (v1)',
    colon: 'a: b',
    word: 'yes',
    number: '12',
    lines: 'a\nb',
    space: 'a ',
    empty: '',
    comment: 'a #b',
    '- key': 1,
  });

  expect(text).toBe(
    [
      '"- key": 1',
      'colon: "a: b"',
      'comment: "a #b"',
      'empty: ""',
      'lines: "a\\nb"',
      'number: "12"',
      'plain: Custom coding skill (v1)',
      'space: "a "',
      'word: "yes"',
      '',
    ].join('\n'),
  );
});

test('writes maps and lists in blocks, and leaves empty ones out', () => {
  const text = renderYaml({
    list: ['b', 'a', { c: 1 }],
    map: { y: true, x: { z: null } },
    no: [],
    none: {},
  });

  expect(text).toBe('list:\n  - b\n  - a\n  - {"c":1}\nmap:\n  x:\n    z: null\n  "y": true\n');
});

test('lets no sign end a line that ends one in some version of YAML', () => {
  const text = renderYaml({ list: [['a\u0085b']], text: 'a\u2028b\u2029c\ufeffd\u007f' });

  expect(text).toBe('list:\n  - ["a\\u0085b"]\ntext: "a\\u2028b\\u2029c\\ufeffd\\u007f"\n');
});
