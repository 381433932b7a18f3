import { type Finding, matchAt, reachesEnd, type Source } from './finding.ts';
import { REDACTED } from './redact.ts';

interface TokenShape {
  readonly prefix: string;
  /** Sticky: the prefix and every character that can belong to it. */
  readonly run: RegExp;
  /** Which part of the run is a secret, if any. */
  readonly secret: RegExp;
}

const WORD = '[A-Za-z0-9_-]';
const TAIL = /[A-Za-z0-9_.-]*/y;

/** The look-behind keeps `task-…` and base64 text whole. */
function parts(prefix: string, rest: string, secret: RegExp): TokenShape {
  const run = new RegExp(`(?<![A-Za-z0-9])${literal(prefix)}${rest}`, 'y');
  return { prefix, run, secret };
}

/** For secrets of any length. A run that is none is short, so scanning again inside it stays linear. */
function shape(prefix: string, chars: string, secret: RegExp): TokenShape {
  return parts(prefix, `${chars}*`, secret);
}

function literal(prefix: string): string {
  return prefix.replace('.', '\\.');
}

function atLeast(prefix: string, chars: string, min: number): TokenShape {
  return shape(prefix, chars, new RegExp(`^${literal(prefix)}${chars}{${min},}`));
}

const ALNUM = '[A-Za-z0-9]';

const SIGNED = /^eyJ[A-Za-z0-9_-]{8,}(?:\.[A-Za-z0-9_-]{8,}){1,4}/;

function signed(before: string, maxHeadChars: number): RegExp {
  return new RegExp(`${before}eyJ${WORD}{0,${maxHeadChars}}(?:\\.${WORD}*){0,4}`, 'y');
}

const SHAPES: readonly TokenShape[] = [
  // A short key needs a digit: `sk-learn-contrib` is a name.
  shape('sk-', WORD, /^sk-(?:(?=\D{0,256}\d)[A-Za-z0-9_-]{8,}|[A-Za-z0-9_-]{20,})/),
  ...['sk_live_', 'sk_test_', 'rk_live_', 'rk_test_', 'whsec_'].map((p) => atLeast(p, ALNUM, 12)),
  ...['AKIA', 'ASIA'].map((p) => atLeast(p, '[A-Z0-9]', 16)),
  ...['ghp_', 'gho_', 'ghu_', 'ghs_', 'ghr_'].map((p) => atLeast(p, ALNUM, 16)),
  atLeast('github_pat_', '[A-Za-z0-9_]', 16),
  atLeast('glpat-', WORD, 16),
  ...['xoxa-', 'xoxb-', 'xoxe-', 'xoxo-', 'xoxp-', 'xoxr-', 'xoxs-'].map((p) =>
    atLeast(p, WORD, 8),
  ),
  atLeast('AIza', WORD, 20),
  atLeast('npm_', ALNUM, 30),
  atLeast('hf_', ALNUM, 20),
  parts('re_', '[A-Za-z0-9]{0,16}_?[A-Za-z0-9]{0,64}', /^re_[A-Za-z0-9]{6,12}_[A-Za-z0-9]{20,}/),
  parts('SG.', `${WORD}{0,64}\\.?${WORD}{0,128}`, /^SG\.[A-Za-z0-9_-]{16,}\.[A-Za-z0-9_-]{16,}/),
  atLeast('ya29.', WORD, 20),
  // Two parts suffice: signed tokens that are no JWT look the same, our own among them. Glued to a word by `-` or `_`
  // the first part is bounded, or a text of nothing but such beginnings would be read again from each of them.
  { prefix: 'eyJ', run: signed('(?<![A-Za-z0-9_-])', 8192), secret: SIGNED },
  { prefix: 'eyJ', run: signed('(?<=[_-])', 160), secret: SIGNED },
];

export const TOKEN_PREFIXES: readonly string[] = SHAPES.map(({ prefix }) => prefix);

/** Keys whose issuers gave them a shape of their own, and signed tokens. */
export function findToken(source: Source, at: number): Finding {
  const { text } = source;
  for (const { prefix, run, secret } of SHAPES) {
    if (!text.startsWith(prefix, at)) continue;
    const found = matchAt(run, text, at);
    if (found === undefined) continue;
    if (reachesEnd(source, at + found.length)) return 'open';
    const hit = secret.exec(found)?.[0];
    if (hit === undefined) continue;
    return { start: at, end: at + hit.length, text: REDACTED, tail: TAIL };
  }
  return undefined;
}
