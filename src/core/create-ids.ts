import { randomFillSync } from 'node:crypto';
import type {
  ApprovalId,
  ArtifactId,
  EventId,
  FactId,
  HandoffId,
  Ids,
  JobId,
  LeaseId,
  MailId,
  MemoryId,
  RequestId,
  RunId,
  SessionId,
  SignInId,
  WorkerId,
} from './ids.ts';

const ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz';
const TIME_CHARS = 10;
const RANDOM_CHARS = 16;

/**
 * Prefixed ids that sort by time: 48 bits of milliseconds, then 80 random bits, in Crockford's base 32. Within one
 * millisecond the random part counts up, so that ids of one process sort in the order they were made.
 */
export function createIds(nowMs: () => number): Ids {
  const takeTail = createTails();
  let lastMs = 0;
  let time = encodeTime(lastMs);
  let tail: Uint8Array = new Uint8Array(RANDOM_CHARS);

  function begin(ms: number): void {
    lastMs = ms;
    time = encodeTime(ms);
    tail = takeTail();
  }

  function next(): string {
    const ms = nowMs();
    if (ms > lastMs) begin(ms);
    else if (!increment(tail)) begin(lastMs + 1);
    let text = time;
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
    memory: () => `mem_${next()}` as MemoryId,
    handoff: () => `handoff_${next()}` as HandoffId,
    fact: () => `fact_${next()}` as FactId,
    signIn: () => `signin_${next()}` as SignInId,
  };
}

/** Random digits of so many ids are asked for at once: a question costs as much as all the rest of an id. */
const TAILS_AT_ONCE = 256;

function createTails(): () => Uint8Array {
  const pool = new Uint8Array(TAILS_AT_ONCE * RANDOM_CHARS);
  let used = pool.length;
  return () => {
    if (used === pool.length) {
      randomFillSync(pool);
      used = 0;
    }
    const tail = pool.slice(used, used + RANDOM_CHARS).map((byte) => byte & 31);
    used += RANDOM_CHARS;
    // The top digit starts in the lower half: room for counting up without overflow.
    tail[0] = (tail[0] ?? 0) & 15;
    return tail;
  };
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
