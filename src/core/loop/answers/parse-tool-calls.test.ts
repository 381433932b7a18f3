import fc from 'fast-check';
import { expect, test } from 'vitest';
import { parseToolCalls } from './parse-tool-calls.ts';

const ALIASES: Readonly<Record<string, string>> = {
  'fs.read': 'fs.read',
  'fs.write': 'fs.write',
  'time.now': 'time.now',
  FileReadTool: 'fs.read',
};
const knownTools = (name: string) => (Object.hasOwn(ALIASES, name) ? ALIASES[name] : undefined);

test('takes a call from a fenced block and leaves the prose', () => {
  const text =
    'I will look.\n\n```json\n{"tool_name": "fs.read", "arguments": {"path": "a.txt"}}\n```\n\nOne moment.';

  expect(parseToolCalls(text, knownTools)).toEqual({
    calls: [{ callId: 'tool-json-1', tool: 'fs.read', input: { path: 'a.txt' } }],
    rejected: [],
    textWithoutCalls: 'I will look.\n\nOne moment.',
  });
});

test('takes fenced calls before bare ones, in both tags, and numbers those without an id', () => {
  const text = [
    '{"tool_name":"time.now","arguments":{}}',
    '```tool',
    '[{"tool_name":"fs.read","arguments":{"path":"a"},"id":"mine"},',
    ' {"tool_name":"fs.read","arguments":{"path":"b"}}]',
    '```',
  ].join('\n');

  expect(parseToolCalls(text, knownTools)).toEqual({
    calls: [
      { callId: 'mine', tool: 'fs.read', input: { path: 'a' } },
      { callId: 'tool-json-1', tool: 'fs.read', input: { path: 'b' } },
      { callId: 'tool-json-2', tool: 'time.now', input: {} },
    ],
    rejected: [],
    textWithoutCalls: '',
  });
});

test('resolves aliases to the canonical name', () => {
  const { calls } = parseToolCalls('{"tool_name":"FileReadTool","arguments":{}}', knownTools);

  expect(calls).toEqual([{ callId: 'tool-json-1', tool: 'fs.read', input: {} }]);
});

test('keeps fences and braces that stand inside a string argument', () => {
  const content = '# Title\n```bash\nnpm i\n```\n"quoted" } ] {';
  const call = JSON.stringify({ tool_name: 'fs.write', arguments: { path: 'r.md', content } });
  const expected = [{ callId: 'tool-json-1', tool: 'fs.write', input: { path: 'r.md', content } }];

  expect(parseToolCalls(`\`\`\`json\n${call}\n\`\`\``, knownTools).calls).toEqual(expected);
  expect(parseToolCalls(`Writing ${call} now`, knownTools)).toEqual({
    calls: expected,
    rejected: [],
    textWithoutCalls: 'Writing  now',
  });
});

test('repairs trailing commas, text around the value and a missing end of the fence', () => {
  const text =
    '```json\nHere it is:\n{"tool_name": "fs.read", "arguments": {"path": "a, ]b",},}\nthanks';

  expect(parseToolCalls(text, knownTools)).toEqual({
    calls: [{ callId: 'tool-json-1', tool: 'fs.read', input: { path: 'a, ]b' } }],
    rejected: [],
    textWithoutCalls: '',
  });
});

test('reads a fence that opens and closes on one line', () => {
  const text = '```json {"tool_name":"time.now","arguments":{}} ```\nDone.';

  expect(parseToolCalls(text, knownTools)).toEqual({
    calls: [{ callId: 'tool-json-1', tool: 'time.now', input: {} }],
    rejected: [],
    textWithoutCalls: 'Done.',
  });
});

test.each([
  ['', 'empty block'],
  ['{"tool_name": "fs.read", "arguments": {"path": "a"', 'invalid JSON, and not repairable'],
  [
    '{"tool_name":"time.now","arguments":{}} {"tool_name":"time.now","arguments":{}}',
    'invalid JSON, and not repairable',
  ],
  ["{'tool_name': 'time.now', 'arguments': {}}", 'invalid JSON, and not repairable'],
  ['"fs.read"', 'neither an object nor an array'],
  ['[]', 'empty array'],
  ['[1]', 'array element is not an object'],
  ['{"name":"fs.read","arguments":{}}', 'missing tool_name'],
  ['{"tool_name":7,"arguments":{}}', 'invalid tool_name'],
  ['{"tool_name":"rm","arguments":{}}', 'unsupported tool name "rm"'],
  ['{"tool_name":"constructor","arguments":{}}', 'unsupported tool name "constructor"'],
  ['{"tool_name":"tool.result","arguments":{}}', 'tool.result is output only'],
  ['{"tool_name":"fs.read"}', 'missing arguments'],
  ['{"tool_name":"fs.read","arguments":"a.txt"}', 'arguments is not an object'],
  ['{"tool_name":"fs.read","arguments":[]}', 'arguments is not an object'],
  ['{"tool_name":"fs.read","arguments":{},"id":""}', 'id is not a non-empty string'],
  ['{"tool_name":"fs.read","arguments":{},"id":4}', 'id is not a non-empty string'],
])('refuses %j in a fence and says why', (body, reason) => {
  const text = `\`\`\`json\n${body}\n\`\`\``;

  expect(parseToolCalls(text, knownTools)).toEqual({
    calls: [],
    rejected: [{ snippet: body, reason }],
    textWithoutCalls: text,
  });
});

test('accepts the good elements of an array and reports the bad ones', () => {
  const body = '[{"tool_name":"time.now","arguments":{}},{"tool_name":"time.now"}]';

  expect(parseToolCalls(body, knownTools)).toEqual({
    calls: [{ callId: 'tool-json-1', tool: 'time.now', input: {} }],
    rejected: [{ snippet: body, reason: 'missing arguments' }],
    textWithoutCalls: '',
  });
});

test.each([
  'See [the manual](https://example.com) and {curly} prose.',
  '```bash\n{"tool_name":"time.now","arguments":{}}\n```',
  '```\n{"tool_name":"time.now","arguments":{}}\n```',
  '<tool_call>time.now</tool_call>',
  'time.now()',
])('leaves %j alone', (text) => {
  expect(parseToolCalls(text, knownTools)).toEqual({
    calls: [],
    rejected: [],
    textWithoutCalls: text,
  });
});

test('takes six calls and drops the rest', () => {
  const one = '{"tool_name":"time.now","arguments":{}}';

  const parsed = parseToolCalls(Array(8).fill(one).join('\n'), knownTools);

  expect(parsed.calls.map((call) => call.callId)).toEqual(
    [1, 2, 3, 4, 5, 6].map((n) => `tool-json-${n}`),
  );
  expect(parsed.textWithoutCalls).toBe('');
});

test('gives equal ids a suffix', () => {
  const one = '{"tool_name":"time.now","arguments":{},"id":"x"}';

  const parsed = parseToolCalls(`[${one},${one},${one}]`, knownTools);

  expect(parsed.calls.map((call) => call.callId)).toEqual(['x', 'x-2', 'x-3']);
});

test('finds every call that JSON.stringify wrote, whatever its arguments and the prose around it', () => {
  const prose = fc.string({ unit: fc.constantFrom('a', ' ', '.', '\n', 'é', '😀') });
  const call = fc.dictionary(fc.string(), fc.jsonValue());

  fc.assert(
    fc.property(prose, call, prose, (before, input, after) => {
      const json = JSON.stringify({ tool_name: 'fs.read', arguments: input });

      const bare = parseToolCalls(`${before}\n${json}\n${after}`, knownTools);
      const fenced = parseToolCalls(`${before}\n\`\`\`json\n${json}\n\`\`\`\n${after}`, knownTools);

      const expected = [
        { callId: 'tool-json-1', tool: 'fs.read', input: JSON.parse(JSON.stringify(input)) },
      ];
      expect(bare.calls).toEqual(expected);
      expect(fenced.calls).toEqual(expected);
    }),
  );
});

test('never throws and never invents a call from arbitrary text', () => {
  const noisy = fc.array(
    fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.constantFrom('```', '```json\n', '\n```\n', '{', '}', '[', ']', '"', '\\', ',', ':'),
      fc.constantFrom('"tool_name"', '"arguments"', '"fs.read"', '{"tool_name":"fs.read"'),
    ),
  );

  fc.assert(
    fc.property(noisy, (pieces) => {
      const parsed = parseToolCalls(pieces.join(''), knownTools);

      expect(parsed.calls.length).toBeLessThanOrEqual(6);
      for (const call of parsed.calls) expect(Object.keys(ALIASES)).toContain(call.tool);
      for (const { snippet } of parsed.rejected) expect(snippet.length).toBeLessThanOrEqual(200);
    }),
    { numRuns: 500 },
  );
});

test.each([
  ['openers', '['.repeat(100_000)],
  ['pairs inside an opener', `{${'[]'.repeat(50_000)}`],
  ['fences', '```json\n'.repeat(50_000)],
  ['escaped quotes', `\`\`\`json\n"${'\\"'.repeat(50_000)}\n\`\`\``],
  ['commas', `\`\`\`json\n${', '.repeat(50_000)}\n\`\`\``],
])('reads an answer of nothing but %s in bounded time', (_what, text) => {
  const startedAt = performance.now();

  const { calls } = parseToolCalls(text, knownTools);

  expect(calls).toEqual([]);
  expect(performance.now() - startedAt).toBeLessThan(2000);
});
