import fc from 'fast-check';
import { expect, test } from 'vitest';
import { findClosestName } from './find-closest-name.ts';

const FIELDS = ['server', 'api', 'bind_address', 'max_turns', 'max_streams'];
const COMMANDS = [
  'ask',
  'chat',
  'init',
  'serve',
  'runs',
  'tool',
  'doctor',
  'status',
  'schema',
  'help',
];
const OPTIONS = ['host', 'port', 'root', 'model', 'agent', 'stream', 'no-stream', 'output-format'];
const TOOLS = ['fs.read', 'fs.write', 'fs.list', 'fs.edit', 'time.now', 'code.search'];

test.each([
  ['sever', 'server', FIELDS],
  ['bindAddress', 'bind_address', FIELDS],
  ['bind-address', 'bind_address', FIELDS],
  ['max_turn', 'max_turns', FIELDS],
  ['Api', 'api', FIELDS],
  ['apo', 'api', FIELDS],
  ['pai', 'api', FIELDS],
  ['chta', 'chat', COMMANDS],
  ['aks', 'ask', COMMANDS],
  ['sak', 'ask', COMMANDS],
  ['intit', 'init', COMMANDS],
  ['rusn', 'runs', COMMANDS],
  ['hepl', 'help', COMMANDS],
  ['staus', 'status', COMMANDS],
  ['dcotro', 'doctor', COMMANDS],
  ['prot', 'port', OPTIONS],
  ['pot', 'port', OPTIONS],
  ['modle', 'model', OPTIONS],
  ['agnet', 'agent', OPTIONS],
  ['outputformat', 'output-format', OPTIONS],
  ['ouptut-format', 'output-format', OPTIONS],
  ['fs.wirte', 'fs.write', TOOLS],
  ['fs.raed', 'fs.read', TOOLS],
  ['time.nwo', 'time.now', TOOLS],
  ['code.serach', 'code.search', TOOLS],
])('takes %s for %s', (name, expected, known) => {
  expect(findClosestName(name, known)).toBe(expected);
});

test.each(['xyz', 'completely_different', '', 'x'.repeat(10_000), 'no', 'kas-e'])(
  'suggests nothing for %.20s',
  (name) => {
    expect(findClosestName(name, [...FIELDS, ...COMMANDS, ...TOOLS])).toBeUndefined();
  },
);

test('finds every name of four letters or more with any two neighbours swapped', () => {
  const names = [...FIELDS, ...COMMANDS, ...OPTIONS, ...TOOLS].filter((name) => name.length > 3);

  fc.assert(
    fc.property(fc.constantFrom(...names), fc.nat(20), (name, place) => {
      const at = place % (name.length - 1);
      const swapped = name.slice(0, at) + name[at + 1] + name[at] + name.slice(at + 2);
      expect(findClosestName(swapped, [name])).toBe(name);
    }),
  );
});
