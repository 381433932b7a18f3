import { expect, test } from 'vitest';
import { parseTraceContext } from './trace-context.ts';

const traceparent = `00-${'a'.repeat(32)}-${'b'.repeat(16)}-01`;

test('keeps what is fit to be sent on', () => {
  const given = { traceparent, tracestate: 'vendor=1,other=2', requestId: 'req-7' };

  expect(parseTraceContext(given)).toEqual(given);
});

test.each([
  ['nothing', {}, undefined],
  ['a request id alone', { requestId: 'req-7' }, { requestId: 'req-7' }],
  ['a state without its trace', { tracestate: 'vendor=1' }, undefined],
  ['a state of a trace that is none', { traceparent: 'x', tracestate: 'vendor=1' }, undefined],
  ['a state that is too long', { traceparent, tracestate: 'v'.repeat(513) }, { traceparent }],
  ['a state with line breaks', { traceparent, tracestate: 'a=1\r\nb: 2' }, { traceparent }],
  ['an id that needs quoting', { traceparent, requestId: 'a b' }, { traceparent }],
  [
    'a trace that goes on for ever',
    { traceparent: `${traceparent}-${'x'.repeat(200)}` },
    undefined,
  ],
  ['values that are no text', { traceparent: 1, tracestate: {}, requestId: ['a'] }, undefined],
])('of %s only that', (_name, given, kept) => {
  expect(parseTraceContext(given)).toEqual(kept);
});
