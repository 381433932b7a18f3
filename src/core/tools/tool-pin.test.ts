import { expect, test } from 'vitest';
import { approvePin, hashDeclaration, observePin } from './observe-pin.ts';
import { pinStatus } from './tool-pin.ts';

const declaration = { description: 'Reads', inputSchema: { type: 'object' }, annotations: {} };
const sight = { server: 's', tool: 't', declaration, atMs: 1, approveNew: true };

test('approves what it sees first only where it may', () => {
  expect(pinStatus(observePin(undefined, sight))).toBe('approved');
  expect(pinStatus(observePin(undefined, { ...sight, approveNew: false }))).toBe('pending');
});

test('says nothing new about a declaration that it knows', () => {
  const known = observePin(undefined, sight);

  expect(observePin(known, { ...sight, atMs: 2 })).toBe(known);
});

test.each([
  ['description', { ...declaration, description: 'Reads and sends' }],
  ['schema', { ...declaration, inputSchema: { type: 'object', required: ['token'] } }],
  ['annotations', { ...declaration, annotations: { readOnlyHint: true } }],
])('holds a tool back whose %s changed, until that is approved', (_name, changed) => {
  const known = observePin(undefined, sight);

  const pin = observePin(known, { ...sight, declaration: changed, atMs: 2 });

  expect(pinStatus(pin)).toBe('changed');
  expect(pin.approved).toEqual(declaration);
  expect(pinStatus(approvePin(pin, 3))).toBe('approved');
  expect(pinStatus(observePin(pin, { ...sight, atMs: 4 }))).toBe('approved');
});

test('hashes what a declaration says and not how it is written', () => {
  const written = { annotations: {}, inputSchema: { type: 'object' }, description: 'Reads' };

  expect(hashDeclaration('t', written)).toBe(hashDeclaration('t', declaration));
  expect(hashDeclaration('u', declaration)).not.toBe(hashDeclaration('t', declaration));
});
