import { LANGUAGES, type Language } from './judgement.ts';

const MAX_CHARS = 1_000;

/** The one that an `Accept-Language` likes best; English when it likes none of ours more. */
export function chooseLanguage(accepted: string | undefined): Language {
  const ranges = (accepted ?? '').slice(0, MAX_CHARS).split(',').map(parseRange);
  const weightOf = (language: Language): number => {
    const named = ranges.filter(({ tag }) => tag === language);
    const speaking = named.length > 0 ? named : ranges.filter(({ tag }) => tag === '*');
    return Math.max(0, ...speaking.map(({ weight }) => weight));
  };
  return LANGUAGES.reduce((best, one) => (weightOf(one) > weightOf(best) ? one : best));
}

/** `es-MX;q=0.8`: regions make no difference to us. */
function parseRange(range: string): { readonly tag: string; readonly weight: number } {
  const [tag = '', ...parameters] = range.trim().toLowerCase().split(';');
  const quality = parameters.map((one) => /^\s*q=(\d(?:\.\d{1,3})?)\s*$/.exec(one)?.[1]);
  const weight = Number(quality.find((one) => one !== undefined) ?? 1);
  return { tag: tag.trim().split('-')[0] ?? '', weight };
}
