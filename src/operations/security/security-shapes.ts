import { z } from 'zod';
import { CHECK_IDS } from '../../core/security/checklist.ts';
import { REMOTE_PROVIDERS } from '../../core/security/security-facts.ts';
import { isoDate } from '../fields.ts';

export const languageHeaders = z.object({
  'accept-language': z
    .string()
    .optional()
    .meta({ description: 'Spanish where it likes `es` better than `en`; English otherwise.' }),
});

export type LanguageHeadersShape = z.infer<typeof languageHeaders>;

const check = z
  .object({
    id: z.enum(CHECK_IDS),
    status: z.enum(['pass', 'warn', 'fail']),
    message: z.string(),
    recovery_action: z
      .string()
      .meta({ description: 'What to do; for what is well, what keeps it so.' }),
  })
  .meta({ id: 'SecurityCheck' });

const commands = z.array(z.string());

export const checklist = z
  .object({
    generated_at: isoDate,
    overall_status: z.enum(['ready_for_remote_access', 'review_required']).meta({
      description: '`ready_for_remote_access` when every check passes.',
    }),
    remote_access: z.object({
      provider: z.enum(REMOTE_PROVIDERS),
      public_url: z.string().optional().meta({ description: 'Absent when none is known.' }),
    }),
    checks: z.array(check).meta({ description: 'Always all of them, in the same order.' }),
    helper_commands: z.object({ tailscale: commands, cloudflare: commands }).meta({
      description: 'What opens this server to the world, with its real port.',
    }),
  })
  .meta({ id: 'SecurityChecklist' });

export type ChecklistShape = z.infer<typeof checklist>;
