/** In the only order a spec goes through them. Steps may be left out, none is taken back. */
export const SPEC_STATES = ['draft', 'validated', 'published', 'deprecated'] as const;

export type SpecState = (typeof SPEC_STATES)[number];

/** The state of a spec that was given without one: its content has been checked. */
export const DEFAULT_SPEC_STATE: SpecState = 'validated';

export function isSpecState(value: unknown): value is SpecState {
  return SPEC_STATES.some((state) => state === value);
}

/** Whether others may rely on it by now: then its content stays what it is. */
export function isImmutable(state: SpecState): boolean {
  return state === 'published' || state === 'deprecated';
}

export function isBefore(state: SpecState, other: SpecState): boolean {
  return SPEC_STATES.indexOf(state) < SPEC_STATES.indexOf(other);
}
