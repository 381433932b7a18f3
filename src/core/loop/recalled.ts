import type { JsonObject } from '../json.ts';
import type { Message } from './model.ts';
import type { RunState } from './run-state.ts';

/**
 * What a run remembers stands right before the message that it answers, as data that somebody hands over. What strangers
 * had a part in exposes the run as a tool that reads them would.
 */
export function applyRecalled(state: RunState, recalled: JsonObject): RunState {
  const { text, trusted } = recalled;
  if (typeof text !== 'string') return state;
  const place = state.messages.findLastIndex(({ role }) => role === 'user');
  const at = place === -1 ? state.messages.length : place;
  const memory: Message = { role: 'user', text };
  return {
    ...state,
    messages: [...state.messages.slice(0, at), memory, ...state.messages.slice(at)],
    exposure:
      trusted === false && !state.exposure.includes('untrusted_input')
        ? [...state.exposure, 'untrusted_input']
        : state.exposure,
  };
}
