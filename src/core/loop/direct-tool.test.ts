import { expect, test } from 'vitest';
import { parseDirectTool, toDirectMessage } from './direct-tool.ts';

test.each([
  ['/tool time.now', { callId: 'tool-1', tool: 'time.now', input: {} }],
  [
    '  /tool fs.read {"path": "a b"} ',
    { callId: 'tool-1', tool: 'fs.read', input: { path: 'a b' } },
  ],
  [
    '/tool --idempotency-key K-1 --call-id=c7 fs.read {}',
    { callId: 'c7', tool: 'fs.read', input: {}, idempotencyKey: 'K-1' },
  ],
  [
    String.raw`/tool --idempotency-key "a \"b\" c" fs.read {"--call-id": 1}`,
    { callId: 'tool-1', tool: 'fs.read', input: { '--call-id': 1 }, idempotencyKey: 'a "b" c' },
  ],
])('%s is a direct call', (message, call) => {
  expect(parseDirectTool(message)).toEqual(call);
});

test.each(['/tool', 'please /tool fs.read {}', '/tools fs.read'])('%s is a message', (message) => {
  expect(parseDirectTool(message)).toBeUndefined();
});

test.each([
  '/tool fs.read {',
  '/tool fs.read []',
  '/tool --call-id a --call-id b fs.read {}',
  String.raw`/tool --call-id "\x" fs.read {}`,
])('%s is refused', (message) => {
  expect(() => parseDirectTool(message)).toThrow();
});

test.each(['plain', 'two words', 'quote " and \\ slash', '{"json": 1}', '--call-id', 'ä\n', '"'])(
  'the key %j comes back as it was given',
  (idempotencyKey) => {
    const call = { tool: 'fs.read', input: { path: 'a' }, callId: 'c-1', idempotencyKey };

    expect(parseDirectTool(toDirectMessage(call))).toEqual(call);
  },
);
