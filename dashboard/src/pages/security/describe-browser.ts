const BROWSERS: readonly (readonly [RegExp, string])[] = [
  [/Edg\//, 'Edge'],
  [/OPR\//, 'Opera'],
  [/Firefox\//, 'Firefox'],
  [/Chrom(?:e|ium)\//, 'Chrome'],
  [/Safari\//, 'Safari'],
];
const SYSTEMS: readonly (readonly [RegExp, string])[] = [
  [/Android/, 'Android'],
  [/iPhone|iPad/, 'iOS'],
  [/Windows/, 'Windows'],
  [/Mac OS X/, 'macOS'],
  [/Linux/, 'Linux'],
];

/** `Firefox on Linux`. What a browser says of itself is a hint, and the whole of it is shown on hover. */
export function describeBrowser(userAgent: string): string {
  const browser = find(BROWSERS, userAgent);
  const system = find(SYSTEMS, userAgent);
  if (browser === undefined)
    return userAgent === '' ? 'A browser without a name' : userAgent.slice(0, 40);
  return system === undefined ? browser : `${browser} on ${system}`;
}

function find(known: readonly (readonly [RegExp, string])[], text: string): string | undefined {
  return known.find(([pattern]) => pattern.test(text))?.[1];
}
