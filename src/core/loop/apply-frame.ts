import { decodeFrame, type Frame, isEnding, messageTextOf } from '../threads/frame.ts';
import { NO_CALLS } from './loop-guard.ts';
import { isAnswer, type Message } from './model.ts';
import { CALM } from './recovery.ts';
import type { Fact, RunState } from './run-state.ts';

/** A frame waits in the inbox: it may have come in the middle of a turn, which goes on without it. */
export function applyFrame(state: RunState, { payload, seq = 0 }: Fact): RunState {
  if (seq <= state.inbox.through) return state;
  const frame = decodeFrame(payload, seq);
  const frames = frame.kind === 'other' ? state.inbox.frames : [...state.inbox.frames, frame];
  return { ...state, inbox: { frames, through: seq } };
}

/** By its `seq`: ids are the caller's, and two that were redacted look alike. */
export function dropFrame(state: RunState, seq: unknown): RunState {
  if (typeof seq !== 'number') return state;
  const frames = state.inbox.frames.filter((frame) => frame.seq !== seq);
  return { ...state, inbox: { ...state.inbox, frames } };
}

/** The `seq` up to which the next turn takes messages in; undefined when it would take none. */
export function findTakeable({ inbox }: RunState): number | undefined {
  let through: number | undefined;
  for (const frame of inbox.frames) {
    if (isEnding(frame)) break;
    if (frame.kind === 'message') through = frame.seq;
  }
  return through;
}

/** The messages up to that frame become part of the conversation. A turn says on record how far it went. */
export function takeMessages(state: RunState, through: unknown): RunState {
  if (typeof through !== 'number') return state;
  const isTaken = (frame: Frame) => frame.kind === 'message' && frame.seq <= through;
  const taken = state.inbox.frames.filter(isTaken);
  const texts = taken.map(({ payload }) => messageTextOf(payload));
  const goal = texts.at(-1);
  if (goal === undefined) return state;
  return {
    ...state,
    goal,
    messages: [...state.messages, ...texts.map((text): Message => ({ role: 'user', text }))],
    inbox: { ...state.inbox, frames: state.inbox.frames.filter((frame) => !isTaken(frame)) },
    // Turns, failures and circles are those of one answer: a conversation may be long and ask the same thing twice.
    turnsBefore: state.totals.turns,
    passed: passAnswer(state),
    recovery: CALM,
    loop: NO_CALLS,
    trace: taken.at(-1)?.trace,
  };
}

function passAnswer({ passed, messages }: RunState): readonly string[] {
  const last = messages.at(-1);
  return last && isAnswer(last) && last.text !== '' ? [...passed, last.text] : passed;
}
