import type { SurfaceApp } from '../http/surface.ts';

export type RunRouteDeps = object;

export function addRunRoutes(_app: SurfaceApp, _deps: RunRouteDeps): void {}
