import { randomBytes } from 'node:crypto';

declare const brand: unique symbol;
type Branded<Name extends string> = string & { readonly [brand]: Name };

export type RunId = Branded<'RunId'>;
export type EventId = Branded<'EventId'>;
export type RequestId = Branded<'RequestId'>;
export type LeaseId = Branded<'LeaseId'>;
export type ArtifactId = Branded<'ArtifactId'>;
export type AgentId = Branded<'AgentId'>;
export type SessionId = Branded<'SessionId'>;
export type ApprovalId = Branded<'ApprovalId'>;
export type JobId = Branded<'JobId'>;
export type MailId = Branded<'MailId'>;
export type WorkerId = Branded<'WorkerId'>;

export interface Ids {
  run(): RunId;
  event(): EventId;
  request(): RequestId;
  lease(): LeaseId;
  artifact(): ArtifactId;
  approval(): ApprovalId;
  session(): SessionId;
  job(): JobId;
  mail(): MailId;
  worker(): WorkerId;
}

/** The agent that exists from the first start. */
export const DEFAULT_AGENT_ID = 'agent_default' as AgentId;

export const AGENT_ID_PATTERN = /^[A-Za-z0-9_-]{1,64}$/;
export const RUN_ID_PATTERN = /^[A-Za-z0-9_-]{1,128}$/;
export const SESSION_ID_PATTERN = RUN_ID_PATTERN;
export const JOB_ID_PATTERN = /^[A-Za-z0-9_-]{1,64}$/;

const ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz';
const TIME_CHARS = 10;
const RANDOM_CHARS = 16;

/**
 * Prefixed ids that sort by time: 48 bits of milliseconds, then 80 random bits, in Crockford's base 32. Within one
 * millisecond the random part counts up, so that ids of one process sort in the order they were made.
 */
export function createIds(nowMs: () => number): Ids {
  let lastMs = 0;
  let tail: Uint8Array = new Uint8Array(RANDOM_CHARS);

  function next(): string {
    const ms = nowMs();
    if (ms > lastMs) {
      lastMs = ms;
      tail = freshTail();
    } else if (!increment(tail)) {
      lastMs += 1;
      tail = freshTail();
    }
    let text = encodeTime(lastMs);
    for (const digit of tail) text += ALPHABET[digit];
    return text;
  }

  return {
    run: () => `run_${next()}` as RunId,
    event: () => `evt_${next()}` as EventId,
    request: () => `req_${next()}` as RequestId,
    lease: () => `lease_${next()}` as LeaseId,
    artifact: () => `art_${next()}` as ArtifactId,
    approval: () => `appr_${next()}` as ApprovalId,
    session: () => `session_${next()}` as SessionId,
    job: () => `job_${next()}` as JobId,
    mail: () => `mail_${next()}` as MailId,
    worker: () => `codexw_${next()}` as WorkerId,
  };
}

function freshTail(): Uint8Array {
  const tail = Uint8Array.from(randomBytes(RANDOM_CHARS), (byte) => byte & 31);
  // The top digit starts in the lower half: room for counting up without overflow.
  tail[0] = (tail[0] ?? 0) & 15;
  return tail;
}

function increment(digits: Uint8Array): boolean {
  for (let index = digits.length - 1; index >= 0; index -= 1) {
    const digit = digits[index] ?? 0;
    if (digit < 31) {
      digits[index] = digit + 1;
      return true;
    }
    digits[index] = 0;
  }
  return false;
}

function encodeTime(ms: number): string {
  let text = '';
  let rest = ms;
  for (let index = 0; index < TIME_CHARS; index += 1) {
    text = ALPHABET[rest % 32] + text;
    rest = Math.floor(rest / 32);
  }
  return text;
}
