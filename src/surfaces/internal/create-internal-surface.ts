import type { Threads } from '../../core/threads/threads.ts';
import type { Authenticate, EncodeError, Surface } from '../http/surface.ts';
import { addCommsRoutes, type CommsRouteDeps } from './comms-routes.ts';
import { addRunRoutes, type RunRouteDeps } from './run-routes.ts';
import { addSkillRoutes, type SkillRouteDeps } from './skill-routes.ts';
import { addStreamRoutes, type StreamRouteDeps } from './stream-routes.ts';
import { addToolRoutes, type ToolRouteDeps } from './tool-routes.ts';
import { addWorkerRoutes, type WorkerRouteDeps } from './worker-routes.ts';

export interface InternalDeps
  extends RunRouteDeps,
    StreamRouteDeps,
    ToolRouteDeps,
    SkillRouteDeps,
    WorkerRouteDeps,
    CommsRouteDeps {
  readonly threads: Threads;
  readonly authenticate: Authenticate;
  readonly encodeError: EncodeError;
}

/** `/internal/v1`: the signed control plane of a product's back end. */
export function createInternalSurface(deps: InternalDeps): Surface {
  return {
    name: 'internal',
    prefix: '/internal/v1',
    encodeError: deps.encodeError,
    authenticate: deps.authenticate,
    routes(app, kit) {
      addRunRoutes(app, deps);
      addStreamRoutes(app, deps, kit);
      addToolRoutes(app, deps);
      addSkillRoutes(app, deps);
      addWorkerRoutes(app, deps, kit);
      addCommsRoutes(app, deps);
    },
  };
}
