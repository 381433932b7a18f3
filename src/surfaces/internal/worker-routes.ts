import type { SurfaceApp, SurfaceKit } from '../http/surface.ts';

export type WorkerRouteDeps = object;

export function addWorkerRoutes(_app: SurfaceApp, _deps: WorkerRouteDeps, _kit: SurfaceKit): void {}
