import type { LiveConfig } from './config/live-config.ts';
import type { PreviewCall } from './core/approvals/proposed-change.ts';
import { createWorkspaces } from './toolbox/workspaces.ts';

/** Looks where the call itself would: in the workspace of whoever it acts for. */
export function createPreviewCall(live: LiveConfig): PreviewCall {
  // As at the start: another workspace is that of the tools after the next one.
  const { config, paths, workspaceDir } = live.current();
  const workspaces = createWorkspaces({
    root: workspaceDir,
    isPerPrincipal: () => config.workspace.per_principal,
  });
  return async ({ tool, input, owner }) => {
    const { previewEdit } = await import('./preview-edit.ts');
    return previewEdit({
      root: paths.root,
      workspaceDir: await workspaces.open(owner),
      tool,
      input,
    });
  };
}
