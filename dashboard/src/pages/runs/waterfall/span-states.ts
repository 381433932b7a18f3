import type { State } from '../../../kit/state-badge.tsx';
import type { SpanState } from '../timeline/span.ts';

/** How a turn or a call stands, in a word and a shape. */
export const SPAN_STATES: Readonly<
  Record<SpanState, { readonly state: State; readonly word: string }>
> = {
  asked: { state: 'off', word: 'not begun' },
  running: { state: 'busy', word: 'under way' },
  waiting: { state: 'wait', word: 'waiting' },
  done: { state: 'ok', word: 'done' },
  failed: { state: 'bad', word: 'failed' },
  interrupted: { state: 'off', word: 'interrupted' },
  skipped: { state: 'off', word: 'never begun' },
};
