import { expect, test } from 'vitest';
import { describeEnd } from './why-ended.ts';

test('has nothing to explain about a run that goes on or that answered', () => {
  expect(describeEnd({ status: 'running', stop_reason: null })).toBeUndefined();
  expect(describeEnd({ status: 'completed', stop_reason: 'completed' })).toBeUndefined();
});

test('says why a run stopped, and what to do', () => {
  expect(describeEnd({ status: 'completed', stop_reason: 'loop_detected' })).toEqual({
    code: 'loop_detected',
    words: 'It did the same again and again.',
    nextStep: 'Fork it from before the loop with a message that shows another way.',
  });
});

test('takes the words of a fault as a sentence, with the step of what stands behind it', () => {
  const failed = { status: 'failed', stop_reason: 'failed' } as const;
  const error = { code: 'provider_misconfigured', message: 'no key for openai' };

  expect(describeEnd({ ...failed, error })).toEqual({
    code: 'provider_misconfigured',
    words: 'No key for openai.',
    nextStep: 'Check the model and its key under Settings.',
  });
  expect(
    describeEnd({
      status: 'failed',
      stop_reason: 'max_turns_reached',
      error: { code: 'limit_reached', message: 'the run used its 30 model turns' },
    }),
  ).toMatchObject({
    code: 'limit_reached',
    nextStep: 'Fork it to let it go on, or raise engine.max_turns in the settings.',
  });
});

test('does not invent a reason that it does not know', () => {
  expect(describeEnd({ status: 'failed', stop_reason: 'something_new' })).toEqual({
    code: 'something_new',
    words: 'It ended as failed.',
    nextStep: '',
  });
});
