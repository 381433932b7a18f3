import type { PlainRequest } from './wish.ts';

const LEADS = [
  /^(?:hey|hi|hello|ok|okay|so|now|then|well|claw|pincer)(?:\s+there)?[,!]?\s+/i,
  /^(?:please|kindly|just|quickly|simply)[,]?\s+/i,
  /^(?:can|could|would|will)\s+you\s+/i,
  /^i\s+(?:want|need|would\s+like)\s+(?:you\s+)?to\s+/i,
  /^i'd\s+like\s+(?:you\s+)?to\s+/i,
  /^(?:let\s+me|let's|lets|go\s+ahead\s+and)\s+/i,
];
const TAILS = [
  /[\s,]+(?:please|pls|thanks|thank\s+you|thx|for\s+me)$/i,
  // Behind a word, or a name in quotes: a path may be made of dots.
  /(?<=[\p{L}\p{N}"'`)\]/])[.!?,;:]+$/u,
];
const MAX_ROUNDS = 8;

/** `Hey, could you please list the files? Thanks!` is `list the files`. */
export function stripPoliteness(message: string): PlainRequest {
  const body = strip(message.trim(), LEADS);
  return { body, bare: strip(body, TAILS) };
}

function strip(text: string, patterns: readonly RegExp[]): string {
  let rest = text;
  for (let round = 0; round < MAX_ROUNDS; round += 1) {
    const before = rest;
    for (const pattern of patterns) rest = rest.replace(pattern, '').trim();
    if (rest === before || rest === '') return rest === '' ? before : rest;
  }
  return rest;
}
