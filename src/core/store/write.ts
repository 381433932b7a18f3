import type { Change } from './change.ts';
import type { Found, Needs } from './need.ts';

/**
 * A change of the store as a value: what has to be known, and a pure function from that to what changes. Every engine
 * loads, decides and saves in one transaction; `decide` may be called again with what was loaded anew.
 */
export interface Write<Given, Value, Asked extends Needs = Needs> {
  readonly name: string;
  /**
   * What no other write may decide about meanwhile. Writes that load what another one changes share a name with it;
   * those with several name them in one order. An engine with a single writer needs none of them.
   */
  locks(given: Given): readonly string[];
  needs(given: Given): Asked;
  /** Throws only what refuses the write. */
  decide(found: Found<Asked>, given: Given, nowMs: number): Decided<Value>;
}

export interface Decided<Value> {
  readonly value: Value;
  readonly changes: readonly Change[];
}

/** Only so that the compiler infers the types. */
export function defineWrite<Given, Value, Asked extends Needs>(
  write: Write<Given, Value, Asked>,
): Write<Given, Value, Asked> {
  return write;
}

/** Nothing changes. */
export function answer<Value>(value: Value): Decided<Value> {
  return { value, changes: [] };
}
