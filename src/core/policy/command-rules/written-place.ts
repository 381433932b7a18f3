import { plainPath } from '../plain-path.ts';
import { literalWord, type Word } from './command.ts';
import { expandCommands, type Part, programName } from './expand-command.ts';

/** Where a redirection would write, by its name. */
export interface Place {
  /** `protected` is what belongs to the runtime, to the operator or to git. */
  readonly kind: 'inside' | 'outside' | 'protected';
  /** All that rules may call it, the plainest first; none with a detour. */
  readonly names: readonly string[];
}

export type PlaceOf = (path: string) => Place;

export type WritePart = Extract<Part, { kind: 'write' }>;

/** A redirection in the words of rules. */
export interface WrittenPlace {
  readonly kind: Place['kind'];
  /** What may allow it has to mean one of these. */
  readonly exact: readonly (readonly Word[])[];
  /** What denies it or asks may also mean it as it is written. */
  readonly any: readonly (readonly Word[])[];
}

/** A command that goes elsewhere on the way makes it unclear what a relative target means. */
export function createPlaceFinder(
  parts: readonly Part[],
  placeOf: PlaceOf = placeByName,
): (part: WritePart) => WrittenPlace {
  const isLost = parts.some(goesElsewhere);
  return ({ words, target }) => {
    if (!target.isLiteral) return { kind: 'outside', exact: [words], any: [words] };
    const { kind, names } = placeOf(target.text);
    const [sign = literalWord('>')] = words;
    if (isLost && !target.text.startsWith('/')) {
      const unknown = [sign, { ...target, isLiteral: false }];
      const where = kind === 'protected' ? kind : 'outside';
      return { kind: where, exact: [unknown], any: [words, unknown] };
    }
    const exact = names.map((name) => [sign, literalWord(name)]);
    return { kind, exact, any: [words, ...exact] };
  };
}

/** Options with which programs start others in another directory. */
const MOVING_OPTIONS: Readonly<Record<string, RegExp>> = {
  env: /^(?:-[^-]*C|--c)/,
  find: /^-(?:exec|ok)dir$/,
  fd: /^--base-directory/,
};

function goesElsewhere({ words: [name, ...operands] }: Part): boolean {
  const program = programName(name?.text ?? '');
  if (program === 'cd' || program === 'pushd' || program === 'popd') return true;
  const option = Object.hasOwn(MOVING_OPTIONS, program) ? MOVING_OPTIONS[program] : undefined;
  return option !== undefined && operands.some(({ text }) => option.test(text));
}

/** For who has no workspace to compare with. */
function placeByName(path: string): Place {
  const plain = plainPath(path);
  const isInside = !path.startsWith('/') && !path.split('/').includes('..');
  return { kind: isInside ? 'inside' : 'outside', names: [plain] };
}

export interface WrittenFile {
  readonly path: string;
  /** It may be anything below. */
  readonly isTree: boolean;
}

/** Files that a command's redirections would write. What is not known may lie anywhere in the workspace. */
export function listWrites(argv: readonly string[]): readonly WrittenFile[] {
  const parts = expandCommands([{ words: argv.map(literalWord), assigned: [], writes: [] }]);
  const isLost = parts.some(goesElsewhere);
  return parts
    .filter((part) => part.kind === 'write')
    .map(({ target: { text, isLiteral } }) =>
      isLiteral && (!isLost || text.startsWith('/'))
        ? { path: text, isTree: false }
        : { path: '.', isTree: true },
    );
}
