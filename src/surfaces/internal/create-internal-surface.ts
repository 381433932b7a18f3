import type { Surface } from '../http/surface.ts';
import { addCommsRoutes, type CommsRouteDeps } from './comms-routes.ts';
import { encodeInternalError } from './errors.ts';
import { addHealthRoutes, type HealthRouteDeps } from './health-routes.ts';
import { addRunRoutes, type RunRouteDeps } from './run-routes.ts';
import type { SignatureAuth } from './signature-auth.ts';
import { addSkillRoutes, type SkillRouteDeps } from './skill-routes.ts';
import { addStreamRoutes, type StreamRouteDeps } from './stream-routes.ts';
import { addToolRoutes, type ToolRouteDeps } from './tool-routes.ts';
import { addWorkerRoutes, type WorkerRouteDeps } from './worker-routes.ts';

export interface InternalDeps
  extends HealthRouteDeps,
    RunRouteDeps,
    StreamRouteDeps,
    ToolRouteDeps,
    SkillRouteDeps,
    WorkerRouteDeps,
    CommsRouteDeps {
  readonly auth: SignatureAuth;
}

/** `/internal/v1`: the signed control plane of a product's back end. */
export function createInternalSurface(deps: InternalDeps): Surface {
  const { auth } = deps;
  return {
    name: 'internal',
    prefix: '/internal/v1',
    encodeError: encodeInternalError,
    authenticate: auth.authenticate,
    checkBytes: (request, bytes) => auth.checkBytes(request, bytes),
    confirm: (request) => auth.confirm(request),
    routes(app, kit) {
      addHealthRoutes(app, deps);
      addRunRoutes(app, deps);
      addStreamRoutes(app, deps, kit);
      addToolRoutes(app, deps);
      addSkillRoutes(app, deps);
      addWorkerRoutes(app, deps, kit);
      addCommsRoutes(app, deps);
    },
  };
}
