import type { SurfaceApp } from '../http/surface.ts';

export type ToolRouteDeps = object;

export function addToolRoutes(_app: SurfaceApp, _deps: ToolRouteDeps): void {}
