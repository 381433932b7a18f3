import { isTerminalEvent } from '../../core/events/event.ts';
import { CHAIN_START, type ChainPosition } from '../../core/events/hash-chain.ts';
import { HEAD_PREFIX } from '../../core/records/audit-head.ts';
import { type AuditedEvent, readAuditedEvent } from '../../core/records/audit-line.ts';
import type { AuditedChain, AuditFileFault, LinePlace } from '../../core/records/audit-reader.ts';
import { ALL_RUNS, halve, isInPart, type RunPart } from '../../core/records/run-part.ts';
import { findRunId } from './find-run-id.ts';
import type { LossBook } from './loss-book.ts';
import type { Line } from './read-lines.ts';

/** A run is reported once, at its first fault; this many runs at most. */
const MAX_FAULTS = 1_000;
/** Lines that wait for an earlier one, of all runs together. Only clocks set back over midnight make any. */
const MAX_WAITING = 10_000;
/** Runs followed at once, some hundred bytes each. More of them are checked in several readings of the files. */
const MAX_RUNS = 100_000;

/**
 * `altered`: the line does not fit its own hash. `broken_chain`: it does, but not the line before it. `missing_seq`:
 * lines before this one are gone. `duplicate`: the event has a line already. `torn`: the line can not be
 * read, and its event is nowhere whole.
 */
type AuditFaultKind = 'altered' | 'broken_chain' | 'missing_seq' | 'duplicate' | 'torn';

export interface AuditFault extends AuditFileFault {
  readonly kind: AuditFaultKind;
}

export interface AuditReport {
  readonly node: string | undefined;
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
  /** Losses that the operator accepted. */
  readonly acceptedLosses: number;
  /** In the order found; of each run the first. */
  readonly faults: readonly AuditFault[];
  readonly chains: ReadonlyMap<string, AuditedChain>;
  /** The runs that this is about, and those to come back for. */
  readonly part: RunPart;
  readonly rest: readonly RunPart[];
}

interface Chain extends AuditedChain {
  last: ChainPosition;
  place: LinePlace | undefined;
  isFaulty: boolean;
  hasEnded: boolean;
  readonly waiting: Map<number, AuditedEvent & { readonly place: LinePlace }>;
}

export interface AuditCheckOptions {
  readonly part?: RunPart;
  /** This run instead of all. */
  readonly only?: string;
  readonly maxRuns?: number;
  /** Lines that nobody has to have in a log. */
  readonly losses?: LossBook;
  readonly node?: string | undefined;
}

/** Takes the lines of all audit files, in the order of their days, and follows the chain of every run. */
export class AuditCheck {
  readonly #chains = new Map<string, Chain>();
  readonly #faults: AuditFault[] = [];
  /** Torn lines by the id of the event they began with. */
  readonly #torn = new Map<string, AuditFault>();
  readonly #rest: RunPart[] = [];
  readonly #only: string | undefined;
  readonly #maxRuns: number;
  readonly #tellsTorn: boolean;
  readonly #losses: LossBook | undefined;
  readonly #node: string | undefined;
  #part: RunPart;
  #files = 0;
  #lines = 0;
  #healed = 0;
  #waiting = 0;

  constructor({ part = ALL_RUNS, only, maxRuns = MAX_RUNS, losses, node }: AuditCheckOptions = {}) {
    this.#losses = losses;
    this.#node = node;
    this.#part = part;
    this.#only = only;
    this.#maxRuns = maxRuns;
    // Nobody knows whose they are, so the first reading tells of all.
    this.#tellsTorn = part.residue === 0 && only === undefined;
  }

  beginFile(): void {
    this.#files += 1;
  }

  takeLine(line: Line, place: LinePlace): void {
    this.#lines += 1;
    if (!this.#isWanted(line.text)) {
      this.#heal(findEventId(line.text ?? ''));
      return;
    }
    const event = line.text === undefined ? undefined : readAuditedEvent(line.text);
    if (event === undefined) this.#takeTorn(line, place);
    else if (this.#follows(event.runId)) this.#takeEvent(event, place);
  }

  /** Decoding a line costs most of its check; one that names a run that is not wanted is left alone. */
  #isWanted(text: string | undefined): boolean {
    if (this.#part.modulus === 1 && this.#only === undefined) return true;
    const runId = findRunId(text ?? '');
    return runId === undefined || this.#follows(runId);
  }

  #follows(runId: string): boolean {
    return this.#only === undefined ? isInPart(this.#part, runId) : runId === this.#only;
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
      node: this.#node,
      acceptedLosses: this.#losses?.count ?? 0,
      faults: this.#faults.filter(({ runId }) => runId === undefined || this.#follows(runId)),
      chains: this.#chains,
      part: this.#part,
      rest: this.#rest,
    };
  }

  #reportMissing(): void {
    for (const [runId, chain] of this.#chains) {
      const next = [...chain.waiting.keys()].sort((a, b) => a - b)[0];
      const place = next === undefined ? undefined : chain.waiting.get(next)?.place;
      if (place)
        this.#report(chain, { kind: 'missing_seq', ...place, runId, seq: chain.last.seq + 1 });
    }
    for (const fault of this.#torn.values()) this.#addFault(fault);
  }

  #takeTorn({ text = '', isClosed }: Line, place: LinePlace): void {
    if (!this.#tellsTorn) return;
    const id = findEventId(text);
    // Too little is left to tell whose line it was; if it was not written again its run has a gap, which shows.
    if (id === undefined && isBeginning(text)) this.#healed += 1;
    else {
      const fault = { kind: 'torn', ...place, runId: undefined, seq: undefined } as const;
      const torn = isClosed || id === undefined ? fault : { ...fault, isUnfinished: true };
      if (this.#torn.size >= MAX_WAITING) this.#addFault(torn);
      else this.#torn.set(id ?? `${place.file}:${place.line}`, torn);
    }
  }

  #heal(eventId: string | undefined): void {
    if (eventId !== undefined && this.#torn.delete(eventId)) this.#healed += 1;
  }

  #takeEvent(event: AuditedEvent, place: LinePlace): void {
    this.#heal(event.id);
    const chain = this.#chainOf(event);
    if (chain.isFaulty) return;
    const kind = kindOf(chain, event);
    const { runId, seq } = event;
    if (kind !== undefined) this.#report(chain, { kind, ...place, runId, seq });
    else if (seq > chain.last.seq + 1) this.#postpone(chain, event, place);
    else this.#linkAll(chain, event, place);
  }

  /** The event, and those behind it that were waiting for it. */
  #linkAll(chain: Chain, event: AuditedEvent, place: LinePlace): void {
    this.#link(chain, event, place);
    for (let seq = event.seq + 1; chain.waiting.has(seq); seq += 1) {
      const next = chain.waiting.get(seq);
      chain.waiting.delete(seq);
      this.#waiting -= 1;
      if (next) this.#link(chain, next, next.place);
    }
  }

  #link(chain: Chain, event: AuditedEvent, place: LinePlace): void {
    const fault = { ...place, runId: event.runId, seq: event.seq };
    if (event.prevHash !== chain.last.hash) this.#report(chain, { kind: 'broken_chain', ...fault });
    if (chain.isFaulty) return;
    chain.last = { seq: event.seq, hash: event.hash };
    chain.place = place;
    chain.hasEnded ||= isTerminalEvent(event);
    const restart = this.#losses?.findRestart(event.runId, event.hash);
    if (restart === undefined) return;
    // What was given up stays where it is; the run's lines go on from before it.
    chain.last = restart;
    chain.hasEnded = false;
  }

  #postpone(chain: Chain, event: AuditedEvent, place: LinePlace): void {
    if (this.#waiting < MAX_WAITING) {
      chain.waiting.set(event.seq, { ...event, place });
      this.#waiting += 1;
    } else {
      const seq = chain.last.seq + 1;
      this.#report(chain, { kind: 'missing_seq', ...place, runId: event.runId, seq });
    }
  }

  #chainOf({ runId, agentId }: AuditedEvent): Chain {
    const known = this.#chains.get(runId);
    if (known) return known;
    const chain = {
      agentId,
      last: CHAIN_START,
      place: undefined,
      isFaulty: false,
      hasEnded: false,
      waiting: new Map(),
    };
    this.#chains.set(runId, chain);
    if (this.#chains.size > this.#maxRuns) this.#narrow();
    return chain;
  }

  /** Forgets half of the runs, to come back for them. */
  #narrow(): void {
    const [half, other] = halve(this.#part);
    this.#part = half;
    this.#rest.push(other);
    for (const [runId, chain] of this.#chains) {
      if (isInPart(half, runId)) continue;
      this.#waiting -= chain.waiting.size;
      this.#chains.delete(runId);
    }
  }

  #report(chain: Chain, fault: AuditFault): void {
    if (chain.isFaulty) return;
    chain.isFaulty = true;
    this.#waiting -= chain.waiting.size;
    chain.waiting.clear();
    this.#addFault(fault);
  }

  #addFault(fault: AuditFault): void {
    if (this.#faults.length < MAX_FAULTS) this.#faults.push(fault);
  }
}

/** Of an event's line, or of a head, which the next one makes up for. */
function isBeginning(text: string): boolean {
  if ('{"event_id":"'.startsWith(text.slice(0, 13))) return true;
  const length = Math.min(text.length, HEAD_PREFIX.length);
  return text.slice(0, length) === HEAD_PREFIX.slice(0, length);
}

function findEventId(text: string): string | undefined {
  return /^\{"event_id":"([^"]+)"/.exec(text)?.[1];
}

function kindOf(chain: Chain, event: AuditedEvent): AuditFaultKind | undefined {
  if (!event.isWhole) return 'altered';
  const isKnown = event.seq <= chain.last.seq || chain.waiting.has(event.seq);
  return isKnown ? 'duplicate' : undefined;
}
