import { expect, test } from 'vitest';
import { NO_TOTALS, type RunEnd } from '../runs/run.ts';
import { toEndMessage } from './end-message.ts';

function endOf(end: Partial<RunEnd>): RunEnd {
  return { status: 'completed', stopReason: 'completed', output: '', totals: NO_TOTALS, ...end };
}

test('an answer is what the run put out', () => {
  const draft = toEndMessage(endOf({ output: 'All done.' }));

  expect(draft).toEqual({ role: 'assistant', content: 'All done.' });
});

test('a failure says what went wrong and what to do next', () => {
  const error = { code: 'provider_failed', message: 'the model provider failed' };

  const draft = toEndMessage(endOf({ status: 'failed', stopReason: 'failed', error }));

  expect(draft).toEqual({
    role: 'assistant',
    status: 'failed',
    content:
      'This request failed: the model provider failed (provider_failed). ' +
      'Send the message again; if it keeps failing, check the model provider.',
  });
});

test('a failure nobody has advice for can be tried again', () => {
  const error = { code: 'constructor', message: 'odd' };

  const draft = toEndMessage(endOf({ status: 'failed', stopReason: 'failed', error }));

  expect(draft.content).toBe(
    'This request failed: odd (constructor). Send the message again to retry.',
  );
});

test('a cancelled run says so', () => {
  const draft = toEndMessage(
    endOf({ status: 'cancelled', stopReason: 'cancelled', output: 'half an answer' }),
  );

  expect(draft).toEqual({
    role: 'assistant',
    status: 'cancelled',
    content: 'This request was cancelled before it was finished. Send it again to start over.',
  });
});

test('what was answered before the end stays, however it ended', () => {
  const error = { code: 'provider_failed', message: 'gone' };
  const ends = [
    endOf({ output: 'All done.' }),
    endOf({ status: 'failed', stopReason: 'failed', error }),
    endOf({ status: 'cancelled', stopReason: 'cancelled' }),
  ];

  const contents = ends.map((end) => String(toEndMessage(end, ['First.']).content));

  expect(contents.map((content) => content.split('\n\n')[0])).toEqual(ends.map(() => 'First.'));
  expect(contents[1]).toContain('gone');
});
