import type { SurfaceApp } from '../http/surface.ts';

export type CommsRouteDeps = object;

export function addCommsRoutes(_app: SurfaceApp, _deps: CommsRouteDeps): void {}
