import { expect, test } from 'vitest';
import { toPrincipalFolder } from './principal-folder.ts';

const OWNERS = [
  'user:42',
  'user:-42',
  'guest:42',
  'guest:user:42',
  'guest:Tab',
  'guest:tab',
  'guest:tab ',
  'guest:../../etc',
  'guest:.',
  'guest:CON',
  `guest:${'x'.repeat(255)}`,
  `guest:${'x'.repeat(254)}y`,
  'guest:ünï\u0000',
];

test('gives each principal a folder of its own, by a name that is safe everywhere', () => {
  const names = OWNERS.map(toPrincipalFolder);

  expect(new Set(names.map((name) => name.toLowerCase())).size).toBe(OWNERS.length);
  for (const name of names)
    expect(name).toMatch(/^(?:user--?\d+|guest-[a-z0-9-]{0,32}-[0-9a-f]{16})$/);
  expect(names[0]).toBe('user-42');
});
