import { createHash, type Hash, type KeyObject } from 'node:crypto';
import {
  type AuditHead,
  decodeHead,
  FIRST_HEAD,
  type SignedHead,
} from '../../core/records/audit-head.ts';
import type { LinePlace, SignatureReport } from '../../core/records/audit-reader.ts';
import { findPublicKey, isSignedBy, toKeyId } from '../../core/secrets/signing-key.ts';
import type { Line } from './read-lines.ts';

const MAX_FAULTS = 1_000;

/**
 * `altered_lines`, `missing_lines`, `added_lines`: not the lines that the head behind them signed. `bad_signature`: the
 * head itself was changed. `other_key`: it is good, and of somebody else. `missing_head`, `missing_beginning`: heads are
 * gone, with the lines they signed. `wrong_total`: the count does not go on from the one before. `unsigned_end`: no head
 * is behind these lines. The others are about whole files.
 */
export type HeadFaultKind =
  | 'altered_lines'
  | 'missing_lines'
  | 'added_lines'
  | 'bad_signature'
  | 'other_key'
  | 'missing_head'
  | 'missing_beginning'
  | 'wrong_total'
  | 'unsigned_end'
  | 'unsigned_file'
  | 'unsigned'
  | 'cut_off'
  | 'missing_file'
  | 'duplicate_file'
  | 'out_of_order'
  | 'empty_file';

export interface HeadFault extends LinePlace {
  readonly kind: HeadFaultKind;
  /** The last line that it is about. */
  readonly through: number;
}

/** Lines of a file, both included, that no good signature stands for. */
export interface LineRange {
  readonly file: string;
  readonly from: number;
  readonly through: number;
}

export interface HeadCheckOptions {
  /** Whose heads count; undefined: anybody's. */
  readonly trusted?: readonly string[] | undefined;
  /** Files before the first and after the last need not be there. */
  readonly isPart: boolean;
  /** Lines at the end of a file may wait for their head: somebody is writing it. */
  readonly mayBeOpen: boolean;
  /** How far the files of each agent are known to have got. */
  readonly anchors?: readonly AnchoredHead[];
}

export interface AnchoredHead {
  /** Relative to the state root. */
  readonly path: string;
  readonly head: AuditHead;
}

/** The files of one agent, as one key signed them. */
interface Series {
  lastFile: string;
  last: SignedHead;
  lastPlace: LinePlace;
  /** Heads that a next file may name as the end of the one before it. */
  readonly ends: Set<string>;
}

/** Takes the lines of audit files in the order of their days and follows their signed heads. */
export class HeadCheck {
  readonly #options: HeadCheckOptions;
  readonly #keys = new Map<string, KeyObject | undefined>();
  readonly #series = new Map<string, Series>();
  readonly #files = new Set<string>();
  readonly #signedAgents = new Set<string>();
  /** The first file of each agent that has no head at all. */
  readonly #bare = new Map<string, HeadFault>();
  readonly #faults: HeadFault[] = [];
  readonly #unproven: LineRange[] = [];
  readonly #numbers = new Map<string, number>();
  #heads = 0;
  #signedLines = 0;
  #unsignedLines = 0;
  #lines = 0;
  #signedThroughMs: number | undefined;

  #file = '';
  #number = 0;
  #segment: Hash = createHash('sha256');
  #count = 0;
  #firstText: string | undefined;
  #last: SignedHead | undefined;
  #hasHeads = false;
  /** A head before could not be trusted: what the next one says of it is no news. */
  #isLost = false;

  constructor(options: HeadCheckOptions) {
    this.#options = options;
  }

  beginFile(file: string): void {
    this.#file = file;
    this.#number = 0;
    this.#last = undefined;
    this.#hasHeads = false;
    this.#isLost = false;
    this.#firstText = undefined;
    this.#reset();
  }

  /** True when the line is a head, and no event. */
  takeLine(line: Line): boolean {
    this.#number = line.number;
    const head = line.text === undefined ? undefined : decodeHead(line.text);
    if (head !== undefined) {
      this.#takeHead(head);
      return true;
    }
    this.#firstText ??= line.text;
    this.#segment.update(line.bytes);
    this.#count += 1;
    this.#lines += 1;
    return false;
  }

  endFile(): void {
    if (this.#number === 0 && !this.#options.mayBeOpen) this.#report('empty_file', 1, 1);
    if (this.#count === 0) return;
    this.#unsignedLines += this.#count;
    const from = this.#number - this.#count + 1;
    this.#doubt(from);
    if (!this.#hasHeads) {
      const agentId = /"agent_id":"([^"]*)"/.exec(this.#firstText ?? '')?.[1];
      const isLate = agentId !== undefined && this.#signedAgents.has(agentId);
      if (isLate && !this.#options.mayBeOpen) this.#report('unsigned_file', 1, this.#number);
      else if (!this.#bare.has(agentId ?? '')) {
        const place = { file: this.#file, line: 1, through: this.#number };
        this.#bare.set(agentId ?? '', { kind: 'unsigned', ...place });
      }
    } else if (!this.#options.mayBeOpen) {
      this.#report('unsigned_end', from, this.#number);
    }
  }

  finish(): SignatureReport & {
    readonly faults: readonly HeadFault[];
    readonly unproven: readonly LineRange[];
  } {
    const { anchors = [], isPart, trusted, mayBeOpen } = this.#options;
    for (const { path, head } of anchors) {
      const number = this.#numbers.get(path) ?? 0;
      if (number < head.number) this.#add({ kind: 'cut_off', file: path, line: 1, through: 1 });
    }
    for (const { last, lastPlace } of this.#series.values()) {
      if (last.reason !== 'rotation' || isPart) continue;
      this.#add({ kind: 'missing_file', ...lastPlace, through: lastPlace.line });
    }
    // From before signing began is only what signed files of the same agent follow.
    for (const [agentId, fault] of trusted === undefined || mayBeOpen ? [] : this.#bare) {
      if (!this.#signedAgents.has(agentId)) this.#add(fault);
    }
    return {
      heads: this.#heads,
      signedLines: this.#signedLines,
      unsignedLines: this.#unsignedLines,
      signedThroughMs: this.#signedThroughMs,
      keyIds: [...this.#keys.keys()].map(toKeyId),
      faults: this.#faults,
      unproven: this.#unproven,
    };
  }

  #takeHead(head: SignedHead): void {
    const from = this.#number - this.#count;
    this.#hasHeads = true;
    const distrust = this.#distrust(head);
    if (distrust !== undefined) {
      // One fault for each file: who changed its key changed it everywhere.
      if (!this.#isLost) this.#report(distrust, this.#number, this.#number);
      this.#doubt(from);
      this.#isLost = true;
    } else {
      this.#heads += 1;
      this.#signedThroughMs = Math.max(this.#signedThroughMs ?? 0, head.atMs);
      // The lines may be as signed, and in the wrong place all the same.
      const change = this.#compare(head);
      if (change === undefined) this.#signedLines += this.#count;
      else this.#doubt(from);
      const kind = this.#follow(head) ?? change;
      if (kind !== undefined) this.#report(kind, kind === 'missing_file' ? 1 : from, this.#number);
      this.#enter(head);
      this.#isLost = false;
    }
    this.#reset();
  }

  #distrust(head: SignedHead): 'bad_signature' | 'other_key' | undefined {
    const { publicKey } = head;
    if (!this.#keys.has(publicKey)) this.#keys.set(publicKey, findPublicKey(publicKey));
    const key = this.#keys.get(publicKey);
    if (!key || !isSignedBy(key, head.signedText, head.signature)) return 'bad_signature';
    const { trusted } = this.#options;
    return trusted === undefined || trusted.includes(publicKey) ? undefined : 'other_key';
  }

  /** How it goes on from the head before. */
  #follow(head: SignedHead): HeadFaultKind | undefined {
    const last = this.#last;
    if (this.#isLost) return undefined;
    if (last === undefined || head.prevHead === FIRST_HEAD || last.file !== head.file) {
      return this.#followFile(head);
    }
    if (head.number !== last.number + 1 || head.prevHead !== last.hash) return 'missing_head';
    const isWrong = head.fileLines !== last.fileLines + head.lines || head.total < last.total;
    return isWrong ? 'wrong_total' : undefined;
  }

  /** How a file goes on from the file before. */
  #followFile(head: SignedHead): HeadFaultKind | undefined {
    if (head.number !== 1 || head.prevHead !== FIRST_HEAD) return 'missing_beginning';
    const series = this.#series.get(seriesOf(head));
    if (this.#files.has(`${seriesOf(head)} ${head.file}`)) return 'duplicate_file';
    if (head.reason === 'export') return undefined;
    if (series && head.file < series.lastFile) return 'out_of_order';
    const { before } = head;
    if (before === undefined || series?.ends.has(before.head)) return undefined;
    return series === undefined && this.#options.isPart ? undefined : 'missing_file';
  }

  #compare(head: SignedHead): HeadFaultKind | undefined {
    if (this.#count < head.lines) return 'missing_lines';
    if (this.#count > head.lines) return 'added_lines';
    return this.#segment.digest('hex') === head.digest ? undefined : 'altered_lines';
  }

  #enter(head: SignedHead): void {
    this.#last = head;
    this.#numbers.set(this.#file, head.number);
    this.#signedAgents.add(head.agentId);
    this.#files.add(`${seriesOf(head)} ${head.file}`);
    if (head.reason === 'export') return;
    const id = seriesOf(head);
    const place = { file: this.#file, line: this.#number };
    const known = this.#series.get(id);
    const series = known ?? {
      lastFile: head.file,
      last: head,
      lastPlace: place,
      ends: new Set(),
    };
    this.#series.set(id, series);
    if (head.reason === 'rotation') series.ends.add(head.hash);
    if (head.file < series.lastFile) return;
    Object.assign(series, { lastFile: head.file, last: head, lastPlace: place });
  }

  #reset(): void {
    this.#segment = createHash('sha256');
    this.#count = 0;
  }

  #doubt(from: number): void {
    const through = this.#number;
    if (this.#unproven.length < MAX_FAULTS)
      this.#unproven.push({ file: this.#file, from, through });
  }

  #report(kind: HeadFaultKind, line: number, through: number): void {
    this.#add({ kind, file: this.#file, line, through });
  }

  #add(fault: HeadFault): void {
    if (this.#faults.length < MAX_FAULTS) this.#faults.push(fault);
  }
}

/** Each node has a key of its own: the same agent's files of two nodes are two series. */
function seriesOf({ publicKey, agentId }: AuditHead): string {
  return `${publicKey} ${agentId}`;
}
