import type { CheckStatus } from './judgement.ts';

/** A file or folder of the state root that is nobody else's business. */
export interface OwnFile {
  readonly path: string;
  /** What this program can't do without. */
  readonly needs: 'read' | 'write';
  /** Holds nothing but a secret: no group should read it either. */
  readonly isSecret: boolean;
}

/** As it was found. */
export interface FoundFile extends OwnFile {
  /** Its permission bits. */
  readonly mode: number;
  readonly isFolder: boolean;
  /** Whether this user has what the program needs. */
  readonly isUsable: boolean;
}

export interface FileJudgement {
  readonly status: CheckStatus;
  /** Those that this user can't use. */
  readonly barred: readonly FoundFile[];
  /** Those that others can. */
  readonly loose: readonly FoundFile[];
}

const SECRET_LOOSE_BITS = 0o077;
/** An operator who opened the rest to a group may have meant it. */
const LOOSE_BITS = 0o007;

export function judgeFiles(files: readonly FoundFile[]): FileJudgement {
  const barred = files.filter(({ isUsable }) => !isUsable);
  const loose = files.filter(
    ({ mode, isSecret }) => (mode & (isSecret ? SECRET_LOOSE_BITS : LOOSE_BITS)) !== 0,
  );
  const status = barred.length > 0 ? 'fail' : loose.length > 0 ? 'warn' : 'pass';
  return { status, barred, loose };
}
