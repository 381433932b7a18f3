/**
 * When the provider sent a token stands in the token: microseconds of the clock that all processes of this machine
 * share. What a token is made of never looks like the beginning of a secret, which redaction would hold back.
 */
export function stamp(): string {
  return `~${nowMicros()}~ `;
}

export function nowMicros(): number {
  return Number(process.hrtime.bigint() / 1_000n);
}

const STAMP = /~(\d+)~/g;

/** The stamps in a text, oldest first. */
export function readStamps(text: string): number[] {
  return Array.from(text.matchAll(STAMP), ([, digits]) => Number(digits));
}

export interface Pace {
  readonly tokens: number;
  readonly perSecond: number;
  /** Until the first token, so that whoever reads is there. */
  readonly delayMs: number;
  /** Every so many tokens one is stamped; the first and the last always are. */
  readonly stampEvery: number;
}

/** How the provider is to answer is what it is asked. */
export function encodePace({ tokens, perSecond, delayMs, stampEvery }: Pace): string {
  return `pace ${tokens} ${perSecond} ${delayMs} ${stampEvery}`;
}

export function decodePace(text: string): Pace {
  const numbers = /pace (\d+) (\d+) (\d+) (\d+)/.exec(text)?.slice(1).map(Number) ?? [];
  const [tokens = 1, perSecond = 1, delayMs = 0, stampEvery = 1] = numbers;
  return { tokens, perSecond, delayMs, stampEvery };
}
