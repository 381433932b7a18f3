import type { SurfaceApp } from '../http/surface.ts';

export type SkillRouteDeps = object;

export function addSkillRoutes(_app: SurfaceApp, _deps: SkillRouteDeps): void {}
