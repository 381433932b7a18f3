/** What `claw backup` and `claw restore` ask of the rest of the program. */
export interface Stage {
  readonly stage: 'copying' | 'writing' | 'unpacking' | 'verifying' | 'placing';
  readonly bytes: number;
}

interface Work {
  readonly root: string;
  /** Absolute. */
  readonly file: string;
  readonly signal: AbortSignal;
  readonly onStage: (stage: Stage) => void;
  readonly onProgress: (done: number, total: number) => void;
}

export interface BackupOptions extends Work {
  readonly withWorkspace: boolean;
  readonly withSecrets: boolean;
  readonly filesOnly: boolean;
  readonly overwrite: boolean;
}

export interface RestoreOptions extends Work {
  /** What is in the way is moved aside. */
  readonly replace: boolean;
  /** Records that do not agree with each other are taken as they are. */
  readonly acceptFaults: boolean;
  /** What the archive has to be, to the byte. */
  readonly sha256: string | undefined;
}

export interface BackedUp {
  readonly created_at: string;
  readonly version: string;
  readonly engine: 'sqlite' | 'postgres';
  readonly schema_version: number | null;
  readonly has_secrets: boolean;
  readonly has_workspace: boolean;
}

/** How it stands with the records in it; undefined where the database is elsewhere. */
export interface CheckedRecords {
  readonly runs: number;
  readonly events: number;
  readonly faults: number;
}

export interface BackupReport {
  readonly header: BackedUp;
  readonly file: string;
  readonly bytes: number;
  readonly sha256: string;
  readonly files: number;
  readonly audit: CheckedRecords | undefined;
  /** Links and files outside the state root: they are not in it. */
  readonly leftOut: readonly string[];
}

export interface RestoreReport {
  readonly header: BackedUp;
  readonly root: string;
  readonly files: number;
  readonly bytes: number;
  readonly sha256: string;
  readonly audit: CheckedRecords | undefined;
  /** Where what was in the way is now. */
  readonly kept: readonly string[];
}
