import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createWireNames } from './wire-names.ts';

test('writes dots so that every provider takes them, and reads them back', () => {
  const names = createWireNames(['fs.read', 'time.now']);

  expect(names.toWire('fs.read')).toBe('fs__read');
  expect(names.toTool('fs__read')).toBe('fs.read');
});

test('tells names apart that would be written alike', () => {
  const names = createWireNames(['fs.read', 'fs__read', 'fs read']);

  expect(['fs.read', 'fs__read', 'fs read'].map(names.toWire)).toEqual([
    'fs__read',
    'fs__read_2',
    'fs_read',
  ]);
});

test('hands back a name the model made up', () => {
  expect(createWireNames(['fs.read']).toTool('fs__explode')).toBe('fs__explode');
});

test('maps any set of names one to one into what providers accept', () => {
  const name = fc.string({ unit: fc.constantFrom('a', 'b', '.', '_', 'é', ' '), maxLength: 80 });

  fc.assert(
    fc.property(fc.uniqueArray(name), (tools) => {
      const names = createWireNames(tools);

      const wires = tools.map(names.toWire);

      expect(wires.map(names.toTool)).toEqual(tools);
      for (const wire of wires) expect(wire).toMatch(/^[A-Za-z0-9_-]{1,64}$/);
    }),
  );
});
