import type { Agent } from './agent.ts';

/** What an agent is made of on disk, for people to read and edit: its soul, and its definition beside it. */
export interface AgentFiles {
  /** Undefined when there is none, or none that can be used. Looks at the disk only for whether it has changed. */
  findSoul(slug: string): Promise<SoulFile | undefined>;
  /** The digest of the soul as it was last written from here: a soul that differs from it was edited. */
  findMark(slug: string): Promise<string | undefined>;
  /** Both files, each in one step. */
  write(agent: Agent): Promise<void>;
  /** Which of these have not both of their files. */
  listIncomplete(agents: readonly Agent[]): Promise<readonly Agent[]>;
  /** Both go to a folder for what is thrown away, from where a person can take them back. */
  discard(slug: string): Promise<void>;
  findTemplate(name: string): Promise<string | undefined>;
  /** Sorted. */
  listTemplates(): Promise<readonly string[]>;
  /** Definitions that lie there, whoever wrote them. */
  scan(): Promise<readonly FoundDefinition[]>;
}

export interface SoulFile {
  readonly text: string;
  readonly digest: string;
}

/** A definition that somebody laid there; each field as it was found, and nothing checked. */
export interface FoundDefinition {
  /** For people: where it lies below the state root. */
  readonly path: string;
  /** Undefined when it can't be read as one. */
  readonly fields: Readonly<Record<string, unknown>> | undefined;
  /** Of a soul that lies beside it. */
  readonly soul: string | undefined;
}

/** As many as a model reads with every turn. */
export const MAX_SOUL_CHARS = 16_384;

/** As callers are told of them, wherever the state root lies. */
export const toSoulPath = (slug: string): string => `/souls/${slug}.md`;
export const toDefinitionPath = (slug: string): string => `/agents/${slug}.config.json`;
