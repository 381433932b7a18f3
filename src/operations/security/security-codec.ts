import { toIso } from '../../core/clock.ts';
import { defined } from '../../core/defined.ts';
import type { Checklist } from '../../core/security/checklist.ts';
import type { Language } from '../../core/security/judgement.ts';
import type { ChecklistShape } from './security-shapes.ts';

export function encodeChecklist(checklist: Checklist, language: Language): ChecklistShape {
  const { provider, publicUrl, helperCommands } = checklist;
  return {
    generated_at: toIso(checklist.generatedAtMs),
    overall_status: checklist.isReady ? 'ready_for_remote_access' : 'review_required',
    remote_access: { provider, ...defined({ public_url: publicUrl }) },
    checks: checklist.checks.map(({ id, status, message, recoveryAction }) => ({
      id,
      status,
      message: message[language],
      recovery_action: recoveryAction[language],
    })),
    helper_commands: {
      tailscale: [...helperCommands.tailscale],
      cloudflare: [...helperCommands.cloudflare],
    },
  };
}
