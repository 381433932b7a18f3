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
const MAX_DIGIT = 31;

/**
 * Prefixed ids that sort by time: 48 bits of milliseconds, then 80 random bits, in Crockford's base 32. Within one
 * millisecond the random part counts up, so that ids of one process sort in the order they were made.
 */
export function createIds(nowMs: () => number): Ids {
  const takeTail = createTails();
  let lastMs = 0;
  let tail: Uint8Array = new Uint8Array(RANDOM_CHARS);
  /** All but the last digit, which is all that differs between most neighbours. */
  let stem = '';
  let lastDigit = MAX_DIGIT;

  function begin(ms: number): void {
    lastMs = ms;
    tail = takeTail();
    takeStem();
  }

  function takeStem(): void {
    lastDigit = tail[RANDOM_CHARS - 1] ?? 0;
    stem = encodeTime(lastMs);
    for (let index = 0; index < RANDOM_CHARS - 1; index += 1) stem += ALPHABET[tail[index] ?? 0];
  }

  function next(): string {
    const ms = nowMs();
    if (ms > lastMs) begin(ms);
    else if (lastDigit < MAX_DIGIT) lastDigit += 1;
    else if (carry(tail)) takeStem();
    else begin(lastMs + 1);
    return stem + ALPHABET[lastDigit];
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

/** Counts up by one when the last digit is at its end. False when all of them are. */
function carry(digits: Uint8Array): boolean {
  digits[digits.length - 1] = 0;
  for (let index = digits.length - 2; index >= 0; index -= 1) {
    const digit = digits[index] ?? 0;
    if (digit < MAX_DIGIT) {
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
