import type { AgentId, ArtifactId, RunId } from '../ids.ts';

/** Large tool outputs, kept as files beside the log. Text is redacted before it gets here. */
export interface ArtifactStore {
  put(artifact: NewArtifact): Promise<Artifact>;
  /** A piece of one of the run's own artifacts, by the path that `put` gave. Throws `not_found`. */
  read(piece: ArtifactPiece): Promise<ArtifactText>;
}

interface ArtifactPiece {
  readonly runId: RunId;
  readonly agentId: AgentId;
  readonly path: string;
  /** In bytes. */
  readonly offset: number;
  readonly maxBytes: number;
}

interface ArtifactText {
  readonly text: string;
  readonly totalBytes: number;
  /** Where the next piece begins; undefined at the end. */
  readonly nextOffset: number | undefined;
}

interface NewArtifact {
  readonly runId: RunId;
  readonly agentId: AgentId;
  readonly name: string;
  readonly text: string;
}

export interface Artifact {
  readonly id: ArtifactId;
  /** Relative to the state root. */
  readonly path: string;
  readonly bytes: number;
  readonly sha256: string;
}
