import type { AgentId, ArtifactId, RunId } from '../ids.ts';

/** Large tool outputs, kept as files beside the log. Text is redacted before it gets here. */
export interface ArtifactStore {
  put(artifact: NewArtifact): Promise<Artifact>;
}

export interface NewArtifact {
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
