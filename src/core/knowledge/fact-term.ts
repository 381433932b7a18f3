/** What two spellings of one thing have in common: case and blanks say nothing. */
export function toTerm(text: string): string {
  return text.normalize('NFKC').trim().replaceAll(/\s+/g, ' ').toLowerCase();
}

/** Finds a term inside others by `like … escape '!'`: what was written is looked for as it is. */
export function toPattern(text: string): string {
  return `%${toTerm(text).replaceAll(/[!%_]/g, (sign) => `!${sign}`)}%`;
}
