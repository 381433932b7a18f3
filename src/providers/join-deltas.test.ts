import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createDeltaJoiner } from './join-deltas.ts';

function chat(content: string, more: object = {}): string {
  const choices = [{ index: 0, delta: { content, ...more }, finish_reason: null }];
  return `data: ${JSON.stringify({ id: 'c1', choices })}\n\n`;
}

function message(text: string): string {
  const delta = { type: 'text_delta', text };
  return `event: content_block_delta\ndata: ${JSON.stringify({ type: 'content_block_delta', index: 0, delta })}\n\n`;
}

const DONE = 'data: [DONE]\n\n';

test.each([
  ['OpenAI', chat],
  ['servers that tell the role each time', (words: string) => chat(words, { role: 'assistant' })],
  ['servers that tell what is not there', (words: string) => chat(words, { reasoning: null })],
  [
    'servers that put a space after colons',
    (words: string) => chat(words).replace('content":"', 'content": "'),
  ],
  ['Anthropic', message],
])('deltas in the format of %s that arrive together become one', (_, delta) => {
  const joiner = createDeltaJoiner();

  const joined = joiner.join(`${delta('Say ')}${delta('"hi\\n"')}${delta(' 😀\n')}${DONE}`);

  expect(joined).toBe(delta('Say "hi\\n" 😀\n') + DONE);
});

test('nothing waits for what comes later, but for an event that is not whole', () => {
  const joiner = createDeltaJoiner();
  const next = chat('b');

  const first = joiner.join(chat('a') + next.slice(0, 20));
  const second = joiner.join(next.slice(20));

  expect([first, second, joiner.end()]).toEqual([chat('a'), next, '']);
});

test.each([
  ['tells how likely its words were', chat('b').replace('}]', ',"logprobs":{"content":[]}}]')],
  ['is reasoning', chat('a').replaceAll('content', 'reasoning_content')],
  ['is a call', chat('', { tool_calls: [{ index: 0, function: { arguments: '{"a' } }] })],
  ['holds several answers', chat('b').replace(']}', `,{"index":1,"delta":{"content":"b"}}]}`)],
  ['is no delta', 'data: {"message":{"content":"b"}}\n\n'],
  ['can not be read', 'data: {"delta":{"content":"b\n\n'],
  ['is a comment', ': keep-alive\n\n'],
])('an event that %s stays as it is', (_, event) => {
  const arrived = chat('a') + event + event + chat('c');

  expect(createDeltaJoiner().join(arrived)).toBe(arrived);
});

test('a stream with other line ends passes as it comes', () => {
  const joiner = createDeltaJoiner();
  const arrived = (chat('a') + chat('b')).replaceAll('\n', '\r\n');

  const passed = joiner.join(arrived.slice(0, 90)) + joiner.join(arrived.slice(90)) + joiner.end();

  expect(passed).toBe(arrived);
});

test('an event without an end is not kept for ever', () => {
  const joiner = createDeltaJoiner();
  const endless = 'x'.repeat(600_000);

  expect(joiner.join(endless)).toBe('');
  expect(joiner.join(endless)).toBe(endless + endless);
  expect(joiner.join('more')).toBe('more');
});

interface Told {
  readonly choices: readonly { readonly delta: { readonly content: string } }[];
}

function wordsOf(stream: string): string {
  return stream
    .split('\n\n')
    .filter((event) => event.startsWith('data: {'))
    .map((event) => (JSON.parse(event.slice(6)) as Told).choices[0]?.delta.content)
    .join('');
}

test('however a stream is cut, its words are the same', () => {
  const words = fc.array(fc.string({ unit: 'binary', maxLength: 6 }), { maxLength: 12 });
  const cuts = fc.array(fc.integer({ min: 1, max: 60 }), { minLength: 1, maxLength: 6 });
  fc.assert(
    fc.property(words, cuts, (said, sizes) => {
      const stream = said.map((word) => chat(word)).join('') + DONE;
      const joiner = createDeltaJoiner();
      let joined = '';
      for (let at = 0, turn = 0; at < stream.length; turn += 1) {
        const size = sizes[turn % sizes.length] ?? 1;
        joined += joiner.join(stream.slice(at, at + size));
        at += size;
      }
      joined += joiner.end();

      expect(wordsOf(joined)).toBe(said.join(''));
      expect(joined.endsWith(DONE)).toBe(true);
    }),
  );
});
