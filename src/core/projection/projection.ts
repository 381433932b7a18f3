import type { JsonObject } from '../json.ts';

/** Of the shape of the documents; another one makes every document be written anew. */
export const PROJECTION_VERSION = 'convex_summary_v1';

export const PROJECTIONS = ['run_summary', 'codex_worker_summary'] as const;

export type ProjectionName = (typeof PROJECTIONS)[number];

/** One run or worker whose summary is kept elsewhere. */
export interface ProjectedEntity {
  readonly projection: ProjectionName;
  readonly id: string;
}

/** A summary as the sink gets it. The log stays the truth: what a sink holds can be made again from it. */
export interface ProjectionDocument {
  readonly id: string;
  readonly projection: ProjectionName;
  readonly summary: JsonObject;
}

export function toDocumentId({ projection, id }: ProjectedEntity): string {
  return `runtime/${projection}:${id}`;
}
