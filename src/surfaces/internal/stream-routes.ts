import type { SurfaceApp, SurfaceKit } from '../http/surface.ts';

export type StreamRouteDeps = object;

export function addStreamRoutes(_app: SurfaceApp, _deps: StreamRouteDeps, _kit: SurfaceKit): void {}
