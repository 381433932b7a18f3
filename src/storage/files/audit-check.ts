import { type Event, isTerminalEvent } from '../../core/events/event.ts';
import { CHAIN_START, type ChainPosition, hashEvent } from '../../core/events/hash-chain.ts';
import { decodeAuditLine } from '../../core/records/audit-line.ts';
import type { Line } from './read-lines.ts';

/** A run is reported once, at its first fault; this many runs at most. */
const MAX_FAULTS = 1_000;
/** Lines that wait for an earlier one, of all runs together. Only clocks set back over midnight make any. */
const MAX_WAITING = 10_000;

/**
 * `altered`: the line does not fit its own hash. `broken_chain`: it does, but not the line before it. `missing_seq`:
 * lines before this one are gone. `duplicate`: the event has a line already. `torn`: the line can not be
 * read, and its event is nowhere whole.
 */
export type AuditFaultKind = 'altered' | 'broken_chain' | 'missing_seq' | 'duplicate' | 'torn';

export interface AuditFault {
  readonly kind: AuditFaultKind;
  /** Relative to the state root. */
  readonly file: string;
  readonly line: number;
  readonly runId: string | undefined;
  /** The event at fault; for `missing_seq` the first that is gone. */
  readonly seq: number | undefined;
}

export interface AuditReport {
  readonly ok: boolean;
  /** False when the check was cut off: faults that only later lines can tell are not among those found. */
  readonly isComplete: boolean;
  readonly files: number;
  readonly lines: number;
  readonly runs: number;
  /** Runs without a terminal event: still open, or cut off behind their last line, which no chain can tell. */
  readonly openRuns: number;
  /** Lines cut short by a crash whose events follow whole: no fault. */
  readonly healedLines: number;
  /** In the order found; of each run the first. */
  readonly faults: readonly AuditFault[];
}

export interface Place {
  readonly file: string;
  readonly line: number;
}

interface Chain {
  last: ChainPosition;
  isFaulty: boolean;
  hasEnded: boolean;
  readonly waiting: Map<number, Event & { readonly place: Place }>;
}

/** Takes the lines of all audit files, in the order of their days, and follows the chain of every run. */
export class AuditCheck {
  readonly #chains = new Map<string, Chain>();
  readonly #faults: AuditFault[] = [];
  /** Torn lines by the id of the event they began with. */
  readonly #torn = new Map<string, Place>();
  #files = 0;
  #lines = 0;
  #healed = 0;
  #waiting = 0;

  beginFile(): void {
    this.#files += 1;
  }

  takeLine(line: Line, place: Place): void {
    this.#lines += 1;
    const event = line.text === undefined ? undefined : decodeAuditLine(line.text);
    if (event === undefined) this.#takeTorn(line.text ?? '', place);
    else this.#takeEvent(event, place);
  }

  /** Without the rest of the lines nobody can say what is missing or torn for good. */
  finish(isComplete = true): AuditReport {
    if (isComplete) this.#reportMissing();
    const chains = [...this.#chains.values()];
    return {
      ok: isComplete && this.#faults.length === 0,
      isComplete,
      files: this.#files,
      lines: this.#lines,
      runs: chains.length,
      openRuns: chains.filter((chain) => !chain.hasEnded).length,
      healedLines: this.#healed,
      faults: this.#faults,
    };
  }

  #reportMissing(): void {
    for (const [runId, chain] of this.#chains) {
      const next = [...chain.waiting.keys()].sort((a, b) => a - b)[0];
      const place = next === undefined ? undefined : chain.waiting.get(next)?.place;
      if (place)
        this.#report(chain, { kind: 'missing_seq', ...place, runId, seq: chain.last.seq + 1 });
    }
    for (const place of this.#torn.values()) this.#addTorn(place);
  }

  #takeTorn(text: string, place: Place): void {
    const id = /^\{"event_id":"([^"]+)"/.exec(text)?.[1];
    // Too little is left to tell whose line it was; if it was not written again its run has a gap, which shows.
    if (id === undefined && '{"event_id":"'.startsWith(text.slice(0, 13))) this.#healed += 1;
    else if (this.#torn.size < MAX_WAITING) {
      this.#torn.set(id ?? `${place.file}:${place.line}`, place);
    } else this.#addTorn(place);
  }

  #takeEvent(event: Event, place: Place): void {
    if (this.#torn.delete(event.id)) this.#healed += 1;
    const chain = this.#chainOf(event.runId);
    if (chain.isFaulty) return;
    const kind = kindOf(chain, event);
    const { runId, seq } = event;
    if (kind !== undefined) this.#report(chain, { kind, ...place, runId, seq });
    else if (seq > chain.last.seq + 1) this.#postpone(chain, event, place);
    else this.#linkAll(chain, event, place);
  }

  /** The event, and those behind it that were waiting for it. */
  #linkAll(chain: Chain, event: Event, place: Place): void {
    this.#link(chain, event, place);
    for (let seq = event.seq + 1; chain.waiting.has(seq); seq += 1) {
      const next = chain.waiting.get(seq);
      chain.waiting.delete(seq);
      this.#waiting -= 1;
      if (next) this.#link(chain, next, next.place);
    }
  }

  #link(chain: Chain, event: Event, place: Place): void {
    const fault = { ...place, runId: event.runId, seq: event.seq };
    if (event.prevHash !== chain.last.hash) this.#report(chain, { kind: 'broken_chain', ...fault });
    chain.last = { seq: event.seq, hash: event.hash };
    chain.hasEnded ||= isTerminalEvent(event);
  }

  #postpone(chain: Chain, event: Event, place: Place): void {
    if (this.#waiting < MAX_WAITING) {
      chain.waiting.set(event.seq, { ...event, place });
      this.#waiting += 1;
    } else {
      const seq = chain.last.seq + 1;
      this.#report(chain, { kind: 'missing_seq', ...place, runId: event.runId, seq });
    }
  }

  #chainOf(runId: string): Chain {
    const known = this.#chains.get(runId);
    if (known) return known;
    const chain = { last: CHAIN_START, isFaulty: false, hasEnded: false, waiting: new Map() };
    this.#chains.set(runId, chain);
    return chain;
  }

  #report(chain: Chain, fault: AuditFault): void {
    if (chain.isFaulty) return;
    chain.isFaulty = true;
    this.#waiting -= chain.waiting.size;
    chain.waiting.clear();
    this.#addFault(fault);
  }

  #addTorn(place: Place): void {
    this.#addFault({ kind: 'torn', ...place, runId: undefined, seq: undefined });
  }

  #addFault(fault: AuditFault): void {
    if (this.#faults.length < MAX_FAULTS) this.#faults.push(fault);
  }
}

function kindOf(chain: Chain, event: Event): AuditFaultKind | undefined {
  if (hashEvent(event) !== event.hash) return 'altered';
  const isKnown = event.seq <= chain.last.seq || chain.waiting.has(event.seq);
  return isKnown ? 'duplicate' : undefined;
}
