const NAME = 'MissingPart';

/** A file of the program itself is not there, as when it was removed or replaced while the program ran. */
export function missingPart(file: string, cause: unknown): Error {
  const error = new Error(`a part of the program is missing: ${file}`, { cause });
  error.name = NAME;
  return error;
}

/** By its name: the file of the program has classes of its own, and chunks would not know theirs in it. */
export function isMissingPart(thrown: unknown): thrown is Error {
  return thrown instanceof Error && thrown.name === NAME;
}
