import type { AgentId, FactId } from '../ids.ts';

/** Something that was said to be so, for a while: subject, relation and object, and who says so. */
export interface Fact {
  readonly id: FactId;
  /** Whose it is: `operator`, or a principal such as `user:42`. */
  readonly owner: string;
  readonly projectId: string;
  readonly subject: string;
  readonly relation: string;
  readonly object: string;
  /** From then on it holds. */
  readonly validFromMs: number;
  /** Up to then, this moment excluded; undefined: until somebody says otherwise. */
  readonly validToMs: number | undefined;
  /** `user`, `agent`, `web`, …: where it comes from. */
  readonly source: string;
  /** Who says so; undefined for a person or a program. */
  readonly agentId: AgentId | undefined;
  /** Said by an agent whose memory was private: nobody else ever sees it. */
  readonly isPrivate: boolean;
  readonly createdAtMs: number;
}

export interface NewFact extends Omit<Fact, 'validFromMs' | 'createdAtMs'> {
  /** Undefined: when it is stored. */
  readonly validFromMs: number | undefined;
  /** What else was so for this subject and relation is so no longer. */
  readonly isReplacing: boolean;
}

export interface AddedFact {
  readonly fact: Fact;
  /** False: it was known, and holds as it did. */
  readonly isNew: boolean;
  /** What it took the place of. */
  readonly replaced: readonly FactId[];
}

/** Who looks, and what of others is hidden from them. */
export interface Viewer {
  /** Only of this principal. */
  readonly owner: string;
  /** The agent that looks: sees its own, private ones too. Undefined: nobody in particular. */
  readonly readerId: AgentId | undefined;
  /** Its memory is private: it sees nothing but its own. */
  readonly isOwnOnly: boolean;
}

/** Each method is one transaction. */
export interface FactStore {
  /** Undefined: it ends before it begins. */
  add(fact: NewFact): Promise<AddedFact | undefined>;
  find(id: FactId): Promise<Fact | undefined>;
  /** Newest first. */
  list(filter: FactFilter): Promise<Fact[]>;
  /** What this agent said, oldest first. */
  listOf(agentId: AgentId, page: OwnFactPage): Promise<Fact[]>;
  /** False when there is no such fact. */
  remove(id: FactId): Promise<boolean>;
  /** Removes some of what only this agent sees, and tells how many that were. */
  forget(agentId: AgentId, limit: number): Promise<number>;
}

export interface OwnFactPage {
  /** The last one of the page before. */
  readonly after?: FactId;
  readonly limit: number;
}

export interface FactFilter extends Viewer {
  readonly projectId?: string;
  readonly subject?: string;
  readonly relation?: string;
  readonly object?: string;
  /** In the subject, the relation or the object, whatever its case. */
  readonly text?: string;
  /** Only what held at this moment; undefined: also what no longer does. */
  readonly atMs?: number;
  readonly limit: number;
  /** The last one of the page before. */
  readonly before?: FactId;
}
