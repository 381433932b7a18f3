/** Thrown within the parser only; `parseCommandLine` turns it into an answer. */
export class Unparseable extends Error {}

export function refuse(reason: string): never {
  throw new Unparseable(reason);
}
