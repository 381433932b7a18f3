import type { Agent } from '../agents/agent.ts';
import type { ErrorCode } from '../errors.ts';
import type { AgentId } from '../ids.ts';
import type { Counts } from './parcel-format.ts';

export interface ImportOptions {
  /** Nothing is stored. */
  readonly isPreview: boolean;
  /** Instead of the name that it comes with. */
  readonly name?: string;
  /** Public keys that count this once. */
  readonly trusted: readonly string[];
  /** Tools that the operator grants to the agent here. */
  readonly granted: readonly string[];
  /** What it was granted at home, and is not here, is left out. */
  readonly withoutGrants: boolean;
  readonly approvesPins: boolean;
  readonly isMemoryApproved: boolean;
  /** What becomes of what belongs to principals; undefined: it is refused. */
  readonly principals?: 'keep' | 'skip';
}

/** What an import would make, or made. It never changes what is there. */
export interface ImportReport {
  /** `present`: this very parcel was imported before, and its agent is there. */
  readonly outcome: 'preview' | 'imported' | 'present';
  /** SHA-256 of the manifest. */
  readonly digest: string;
  readonly signer: Signer;
  readonly agent: ImportedAgent;
  /** What comes in. */
  readonly creates: Counts & {
    /** Of the memories. */
    readonly pinned: number;
    readonly untrusted: number;
    /** Grants and revocations. */
    readonly capabilities: number;
  };
  readonly needs: readonly Need[];
}

export interface Signer {
  readonly keyId: string;
  readonly publicKey: string;
  /** `given`: the operator named the key for this import. */
  readonly trust: 'own' | 'trusted' | 'given' | 'unknown';
}

export interface ImportedAgent
  extends Pick<Agent, 'slug' | 'name' | 'role' | 'model' | 'skills' | 'memoryAccess'> {
  readonly id: AgentId;
}

/** Something that is missing here, or that only the operator can decide. */
export interface Need {
  readonly kind: NeedKind;
  /** The key, the name, the tool, … */
  readonly what: string;
  /** Whether the import is refused without it. */
  readonly isBlocking: boolean;
  /** With the next step. */
  readonly message: string;
}

export const NEED_KINDS = [
  'trust',
  'name',
  'global_memory',
  'capability',
  'principal',
  'skill',
  'model',
  'pins',
] as const;
export type NeedKind = (typeof NEED_KINDS)[number];

/** How the import is refused where a need is not met. */
export const REFUSALS = {
  trust: 'forbidden',
  name: 'conflict',
  global_memory: 'policy_denied',
  capability: 'policy_denied',
  principal: 'policy_denied',
  skill: 'forbidden',
  model: 'invalid_input',
  pins: 'policy_denied',
} as const satisfies Record<NeedKind, ErrorCode>;
