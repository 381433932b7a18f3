import { z } from 'zod';
import { anyId, isoDate } from '../fields.ts';

const MAX_CODE_CHARS = 256;
const MAX_TOKEN_CHARS = 4096;

const signInId = anyId.meta({ examples: ['signin_01jv8z4q0k6c8v2m4n6p8q0r1s'] });

const signIn = z
  .object({
    sign_in_id: signInId,
    current: z.boolean().meta({ description: 'Whether it is the one that asks.' }),
    user_agent: z.string().meta({ description: 'What the browser said of itself; may be empty.' }),
    address: z.string().meta({ description: 'Where it came from when it signed in.' }),
    created_at: isoDate,
    last_seen_at: isoDate.meta({ description: 'To the minute.' }),
    expires_at: isoDate.meta({ description: 'When it is over unless it is used before.' }),
  })
  .meta({ id: 'SignIn' });

export const signInList = z.object({
  sign_ins: z.array(signIn).meta({ description: 'Oldest first; at most 100.' }),
});

export const signInParams = z.strictObject({ sign_in_id: signInId });

export const endedSignIns = z.object({ ended: z.int().meta({ description: 'How many.' }) });

export const signInCode = z
  .object({
    code: z.string().meta({ description: 'Signs in once.' }),
    url: z.string().meta({
      description: 'The dashboard with the code behind `#`, which browsers send to no server.',
    }),
    expires_at: isoDate,
  })
  .meta({ id: 'SignInCode' });

export const openSessionBody = z
  .strictObject({
    code: z.string().min(1).max(MAX_CODE_CHARS).optional().meta({
      description: 'From the link that the server printed, or `claw dashboard`.',
    }),
    token: z.string().min(1).max(MAX_TOKEN_CHARS).optional().meta({
      description: 'The bearer token of the server.',
    }),
  })
  .refine(({ code, token }) => (code === undefined) !== (token === undefined), {
    error: 'must have code or token, and not both',
  });

export const session = z
  .object({
    sign_in_id: signInId,
    csrf_token: z.string().meta({
      description: 'To be sent as `x-pincer-csrf` with all but GET and HEAD.',
    }),
    expires_at: isoDate,
    version: z.string().meta({ description: 'Of the server.' }),
  })
  .meta({ id: 'DashboardSession' });

/** Of an answer without a body. */
export const nothing = z.null().optional();

export type SignInListShape = z.infer<typeof signInList>;
export type SignInCodeShape = z.infer<typeof signInCode>;
export type SessionShape = z.infer<typeof session>;
