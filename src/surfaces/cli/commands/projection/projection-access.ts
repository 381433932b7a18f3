import type { ProjectionStatus } from '../../../../core/projection/read-projection-status.ts';
import type {
  RebuildDeps,
  RebuildReport,
  RebuildRequest,
} from '../../../../core/projection/rebuild-projection.ts';

/** The summaries that are kept elsewhere, for those who look at them and make them again. */
export interface ProjectionAccess {
  readonly sink: 'none' | 'file' | 'http';
  status(): Promise<ProjectionStatus>;
  /** Throws `invalid_input` when there is no sink, `not_found` for a run or worker that does not exist. */
  rebuild(
    request: RebuildRequest,
    options: Pick<RebuildDeps, 'onProgress' | 'signal'>,
  ): Promise<RebuildReport>;
}

export interface OpenedProjection extends ProjectionAccess {
  close(): Promise<void>;
}
