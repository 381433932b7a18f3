/** How far any tool may reach, whatever else is granted. Each mode includes the ones before it. */
export const PERMISSION_MODES = ['read-only', 'workspace-write', 'full'] as const;
export type PermissionMode = (typeof PERMISSION_MODES)[number];
