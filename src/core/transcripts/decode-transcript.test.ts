import fc from 'fast-check';
import { expect, test } from 'vitest';
import { decodeTranscript } from './decode-transcript.ts';
import { encodeMessage, encodePrompt, encodeTranscript } from './encode-transcript.ts';
import type { TranscriptDocument } from './transcript-document.ts';

const META =
  '{"type":"session_meta","version":1,"session_id":"s1","created_at_ms":10,"updated_at_ms":20,"workspace_root":"/ws","model":"m/1","fork":{"parent_session_id":"s0","branch_name":"b"}}';
const USER = '{"type":"message","message":{"role":"user","blocks":[{"type":"text","text":"hi"}]}}';
const HI = { role: 'user', blocks: [{ type: 'text', text: 'hi' }] };

const lines = (...all: readonly string[]) => `${all.join('\n')}\n`;

function decode(body: string, tail = '') {
  const decoded = decodeTranscript(body, tail);
  if (decoded.outcome === 'corrupt') throw new Error(decoded.reason);
  return decoded;
}

test('reads every kind of record', () => {
  const { document, hasTornTail } = decode(
    lines(
      META,
      '',
      '{"type":"compaction","count":2,"removed_message_count":7,"summary":"before"}',
      '{"type":"prompt_history","timestamp_ms":11,"text":"hi"}',
      '{"type":"prompt_history","text":"no time"}',
      USER,
      '{"type":"message","message":{"role":"assistant","blocks":[{"type":"tool_use","id":"t1","name":"fs.read","input":"{}"}],"usage":{"input_tokens":3,"output_tokens":4,"cache_creation_input_tokens":0,"cache_read_input_tokens":5}},"timestamp_ms":30}',
      '{"type":"message","message":{"role":"tool","blocks":[{"type":"tool_result","tool_use_id":"t1","tool_name":"fs.read","output":"x","is_error":false}]}}',
    ),
  );

  expect(hasTornTail).toBe(false);
  expect(document.meta).toMatchObject({
    createdAtMs: 10,
    updatedAtMs: 30,
    parentId: 's0',
    workspaceRoot: '/ws',
    model: 'm/1',
  });
  expect(document.compaction).toEqual({ count: 2, removedMessageCount: 7, summary: 'before' });
  expect(document.promptHistory).toEqual([{ atMs: 11, text: 'hi' }]);
  expect(document.messages).toEqual([
    HI,
    {
      role: 'assistant',
      blocks: [{ type: 'tool_use', id: 't1', name: 'fs.read', input: '{}' }],
      usage: { inputTokens: 3, outputTokens: 4, cacheReadInputTokens: 5 },
    },
    {
      role: 'tool',
      blocks: [
        { type: 'tool_result', toolUseId: 't1', toolName: 'fs.read', output: 'x', isError: false },
      ],
    },
  ]);
});

test.each([
  ['{oops', 'it is not valid JSON'],
  ['[]', 'it is not an object'],
  ['{"message":{}}', 'its type is unknown'],
  ['{"type":"novelty"}', 'its type is unknown'],
  ['{"type":"message","message":{"role":"robot","blocks":[]}}', 'message.role is unknown'],
  ['{"type":"message","message":{"role":"user","blocks":"hi"}}', 'message.blocks is not a list'],
  ['{"type":"message","message":{"role":"user","blocks":[{"type":"x"}]}}', 'block.type is unknown'],
  [
    '{"type":"message","message":{"role":"user","blocks":[{"type":"text"}]}}',
    'block.text is not a text',
  ],
  [
    '{"type":"message","message":{"role":"user","blocks":[],"usage":{"input_tokens":-1}}}',
    'usage.input_tokens is not a whole number',
  ],
  ['{"type":"compaction","count":1}', 'compaction.removed_message_count is not a whole number'],
  [
    '{"type":"session_meta","created_at_ms":253402300800000}',
    'created_at_ms is not a time in milliseconds',
  ],
  ['{"type":"session_meta","updated_at_ms":1.5}', 'updated_at_ms is not a time in milliseconds'],
  [
    `{"type":"session_meta","note":${'['.repeat(100_000)}${']'.repeat(100_000)}}`,
    'it is nested too deeply',
  ],
  ['{"type":"session_meta","version":2}', 'it was written by another version of the format'],
])('a bad line is named with its number: %.80s', (line, reason) => {
  expect(decodeTranscript(lines(META, '', line, USER), '')).toEqual({
    outcome: 'corrupt',
    line: 3,
    reason,
  });
});

test('a last line that was cut off is left out, whatever its length', () => {
  for (let length = 1; length < USER.length; length += 1) {
    const { document, hasTornTail } = decode(lines(META, USER), USER.slice(0, length));

    expect([document.messages, hasTornTail]).toEqual([[HI], true]);
  }
});

test('a last line that only misses its line break counts', () => {
  const { document, hasTornTail } = decode(lines(META), USER);

  expect([document.messages, hasTornTail]).toEqual([[HI], false]);
});

test.each([
  ['', ''],
  ['\n\n', ''],
  ['', '{"type":"session_me'],
])('a file without a complete record is not a transcript: %j %j', (body, tail) => {
  expect(decodeTranscript(body, tail)).toEqual({
    outcome: 'corrupt',
    line: undefined,
    reason: 'it holds no complete record',
  });
});

test.each([0, 2])('the older format is one object, indented by %d', (indent) => {
  const whole = {
    version: 1,
    session_id: 's1',
    created_at_ms: 10,
    updated_at_ms: 20,
    messages: [HI],
    prompt_history: [{ timestamp_ms: 11, text: 'hi' }],
    compaction: { count: 1, removed_message_count: 2, summary: 'before' },
  };

  const { document } = decode('', JSON.stringify(whole, undefined, indent));

  expect(document.meta).toMatchObject({ createdAtMs: 10, updatedAtMs: 20 });
  expect(document.messages).toEqual([HI]);
  expect(document.promptHistory).toEqual([{ atMs: 11, text: 'hi' }]);
  expect(document.compaction).toEqual({ count: 1, removedMessageCount: 2, summary: 'before' });
  expect(decode(encodeTranscript('s1', document)).document.messages).toEqual([HI]);
});

test('a file that holds prompts and totals only has them as messages and their usage', () => {
  const whole = { session_id: 's1', messages: ['one', 'two'], input_tokens: 7, output_tokens: 9 };

  const { document } = decode(`${JSON.stringify(whole, undefined, 2)}\n`);

  expect(document.messages).toEqual([
    { role: 'user', blocks: [{ type: 'text', text: 'one' }] },
    {
      role: 'user',
      blocks: [{ type: 'text', text: 'two' }],
      usage: { inputTokens: 7, outputTokens: 9 },
    },
  ]);
});

test('a rewrite keeps members and names that are not ours', () => {
  const line = USER.replace('"message":{', '"note":"mine","message":{');
  const { document } = decode(lines(META.replace('"type"', '"extra":[1],"type"'), line));

  const text = encodeTranscript('s1', document);

  expect(text).toContain('"extra":[1]');
  expect(text).toContain('"branch_name":"b"');
  expect(text).toContain(line);
});

const text = fc.string({ unit: 'binary', maxLength: 40 });
const count = fc.nat();
const block = fc.oneof(
  fc.record({ type: fc.constant('text' as const), text }),
  fc.record({ type: fc.constant('tool_use' as const), id: text, name: text, input: text }),
  fc.record({
    type: fc.constant('tool_result' as const),
    toolUseId: text,
    toolName: text,
    output: text,
    isError: fc.boolean(),
  }),
);
const usage = fc.record(
  {
    inputTokens: count,
    outputTokens: count,
    cacheReadInputTokens: fc.integer({ min: 1, max: 999 }),
  },
  { requiredKeys: ['inputTokens', 'outputTokens'] },
);
const message = fc.record(
  {
    role: fc.constantFrom(
      'system' as const,
      'user' as const,
      'assistant' as const,
      'tool' as const,
    ),
    blocks: fc.array(block, { maxLength: 4 }),
    usage,
  },
  { requiredKeys: ['role', 'blocks'] },
);
const prompt = fc.record({ atMs: count, text });

test('what is written is what is read, for any text', () => {
  fc.assert(
    fc.property(fc.array(message), fc.array(prompt), (messages, promptHistory) => {
      const written: TranscriptDocument = {
        meta: {
          createdAtMs: 1,
          updatedAtMs: 2,
          parentId: 'p',
          workspaceRoot: '/ws',
          model: undefined,
          record: {},
        },
        compaction: undefined,
        promptHistory,
        messages,
        lines: {
          compaction: undefined,
          promptHistory: promptHistory.map(encodePrompt),
          messages: messages.map((each) => encodeMessage(each, 2)),
        },
      };

      const { document } = decode(encodeTranscript('s1', written));

      expect(document.messages).toEqual(messages);
      expect(document.promptHistory).toEqual(promptHistory);
      expect({ ...document.meta, record: {} }).toEqual(written.meta);
      expect(document.lines).toEqual(written.lines);
    }),
  );
});

test('cut anywhere, a transcript is its beginning or nothing', () => {
  const whole = lines(META, USER, USER, USER);

  for (let length = 0; length < whole.length; length += 1) {
    const cut = whole.slice(0, length);
    const end = cut.lastIndexOf('\n') + 1;
    const decoded = decodeTranscript(cut.slice(0, end), cut.slice(end));

    if (decoded.outcome === 'corrupt') expect(end).toBe(0);
    else
      expect(decoded.document.messages).toEqual(Array(decoded.document.messages.length).fill(HI));
  }
});

test.each(['1e300', '-5', '30.5', '253402300800000', '"30"'])(
  'a message at %s has no time and costs nothing',
  (time) => {
    const line = `{"type":"message","message":{"role":"user","blocks":[]},"timestamp_ms":${time}}`;

    const { document } = decode(lines(META, line));

    expect(document.messages).toHaveLength(1);
    expect(document.meta.updatedAtMs).toBe(20);
  },
);
