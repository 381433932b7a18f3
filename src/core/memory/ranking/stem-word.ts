/**
 * The stemmer of M. F. Porter ("An algorithm for suffix stripping", 1980): `connections` and `connected` become
 * `connect`. For lower-case ASCII words; others come back as they are.
 */
export function stemWord(word: string): string {
  if (word.length < 3 || !/^[a-z]+$/.test(word)) return word;
  let stem = stripPlural(word);
  stem = stripPastAndGerund(stem);
  if (stem.endsWith('y') && hasVowel(stem.slice(0, -1))) stem = `${stem.slice(0, -1)}i`;
  stem = replaceSuffix(stem, DOUBLE_SUFFIXES, 0);
  stem = replaceSuffix(stem, SIMPLE_SUFFIXES, 0);
  stem = stripLongSuffix(stem);
  return tidyEnding(stem);
}

const DOUBLE_SUFFIXES: readonly (readonly [string, string])[] = [
  ['ational', 'ate'],
  ['tional', 'tion'],
  ['enci', 'ence'],
  ['anci', 'ance'],
  ['izer', 'ize'],
  ['abli', 'able'],
  ['alli', 'al'],
  ['entli', 'ent'],
  ['eli', 'e'],
  ['ousli', 'ous'],
  ['ization', 'ize'],
  ['ation', 'ate'],
  ['ator', 'ate'],
  ['alism', 'al'],
  ['iveness', 'ive'],
  ['fulness', 'ful'],
  ['ousness', 'ous'],
  ['aliti', 'al'],
  ['iviti', 'ive'],
  ['biliti', 'ble'],
];

const SIMPLE_SUFFIXES: readonly (readonly [string, string])[] = [
  ['icate', 'ic'],
  ['ative', ''],
  ['alize', 'al'],
  ['iciti', 'ic'],
  ['ical', 'ic'],
  ['ful', ''],
  ['ness', ''],
];

const LONG_SUFFIXES = [
  'al',
  'ance',
  'ence',
  'er',
  'ic',
  'able',
  'ible',
  'ant',
  'ement',
  'ment',
  'ent',
  'ion',
  'ou',
  'ism',
  'ate',
  'iti',
  'ous',
  'ive',
  'ize',
];

function stripPlural(word: string): string {
  if (word.endsWith('sses') || word.endsWith('ies')) return word.slice(0, -2);
  if (word.endsWith('s') && !word.endsWith('ss')) return word.slice(0, -1);
  return word;
}

function stripPastAndGerund(word: string): string {
  if (word.endsWith('eed')) return measure(word.slice(0, -3)) > 0 ? word.slice(0, -1) : word;
  const ending = word.endsWith('ed') ? 2 : word.endsWith('ing') ? 3 : 0;
  const stem = word.slice(0, word.length - ending);
  if (ending === 0 || !hasVowel(stem)) return word;
  if (/(?:at|bl|iz)$/.test(stem)) return `${stem}e`;
  if (endsInDouble(stem) && !/[lsz]$/.test(stem)) return stem.slice(0, -1);
  return measure(stem) === 1 && endsInShort(stem) ? `${stem}e` : stem;
}

/** The longest suffix that fits decides, whether or not what is left is long enough. */
function replaceSuffix(
  word: string,
  table: readonly (readonly [string, string])[],
  minMeasure: number,
): string {
  let found: readonly [string, string] | undefined;
  for (const entry of table) {
    if (word.endsWith(entry[0]) && entry[0].length > (found?.[0].length ?? 0)) found = entry;
  }
  if (!found) return word;
  const stem = word.slice(0, -found[0].length);
  return measure(stem) > minMeasure ? stem + found[1] : word;
}

function stripLongSuffix(word: string): string {
  let suffix = '';
  for (const candidate of LONG_SUFFIXES) {
    if (word.endsWith(candidate) && candidate.length > suffix.length) suffix = candidate;
  }
  if (suffix === '') return word;
  const stem = word.slice(0, -suffix.length);
  if (measure(stem) <= 1 || (suffix === 'ion' && !/[st]$/.test(stem))) return word;
  return stem;
}

function tidyEnding(word: string): string {
  let stem = word;
  if (stem.endsWith('e')) {
    const shorter = stem.slice(0, -1);
    const size = measure(shorter);
    if (size > 1 || (size === 1 && !endsInShort(shorter))) stem = shorter;
  }
  return measure(stem) > 1 && stem.endsWith('ll') ? stem.slice(0, -1) : stem;
}

function isConsonant(word: string, index: number): boolean {
  const letter = word[index] ?? '';
  if (letter === 'y') return index === 0 || !isConsonant(word, index - 1);
  return !'aeiou'.includes(letter);
}

function hasVowel(word: string): boolean {
  for (let index = 0; index < word.length; index += 1) {
    if (!isConsonant(word, index)) return true;
  }
  return false;
}

/** How often a vowel is followed by a consonant: the number of syllables, about. */
function measure(word: string): number {
  let count = 0;
  let wasVowel = false;
  for (let index = 0; index < word.length; index += 1) {
    const isVowel = !isConsonant(word, index);
    if (wasVowel && !isVowel) count += 1;
    wasVowel = isVowel;
  }
  return count;
}

function endsInDouble(word: string): boolean {
  const last = word.length - 1;
  return last > 0 && word[last] === word[last - 1] && isConsonant(word, last);
}

/** Consonant, vowel, consonant at the end, the last of them not w, x or y: `hop`, where an e was dropped. */
function endsInShort(word: string): boolean {
  const last = word.length - 1;
  return (
    last >= 2 &&
    isConsonant(word, last) &&
    !isConsonant(word, last - 1) &&
    isConsonant(word, last - 2) &&
    !'wxy'.includes(word[last] ?? '')
  );
}
