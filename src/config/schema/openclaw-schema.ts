import { z } from 'zod';
import { BRIDGE_DIALECTS } from '../../core/openclaw/bridge.ts';
import { MAX_SECRET_NAME_CHARS, SECRET_NAME_PATTERN } from '../../core/secrets/secrets.ts';
import { MINUTE_MS, whole } from './schema-bounds.ts';

/** Section of the config about an OpenClaw gateway, where agents may live. */
const secretName = (byDefault: string) =>
  z
    .string()
    .max(MAX_SECRET_NAME_CHARS)
    .regex(SECRET_NAME_PATTERN, 'must be the name of a secret')
    .default(byDefault);

export const openclaw = z
  .strictObject({
    url: z
      .string()
      .max(2048)
      .refine(isSocketUrl, 'must be a ws or wss URL without a user or a password')
      .nullable()
      .default(null)
      .describe(
        'Address of an OpenClaw gateway, as in ws://127.0.0.1:18789. Null: there is none, and nothing of it is loaded.',
      ),
    dialect: z
      .enum(BRIDGE_DIALECTS)
      .default('gateway')
      .describe("What is spoken there: the gateway's own protocol, or the frames of ClawOS."),
    default_agent: z
      .string()
      .regex(/^[A-Za-z0-9][A-Za-z0-9_-]{0,63}$/, 'must be 1 to 64 letters, digits, _ or -')
      .default('main')
      .describe('The agent there of an agent here that has runtime openclaw and names none.'),
    token_secret: secretName('openclaw/token').describe(
      'Name of the stored secret that is shown to the gateway as its token, where OPENCLAW_GATEWAY_TOKEN is not set.',
    ),
    password_secret: secretName('openclaw/password').describe(
      'The same for its password, where OPENCLAW_GATEWAY_PASSWORD is not set.',
    ),
    allow_principals: z
      .boolean()
      .default(false)
      .describe(
        'Whether runs of users and guests of /internal/v1 may reach agents there. What those may use is up to the gateway alone.',
      ),
    allow_plaintext: z
      .boolean()
      .default(false)
      .describe(
        'Whether a ws:// address may lead to another machine; the token can be read on the way.',
      ),
    connect_timeout_ms: whole(100, 5 * MINUTE_MS)
      .default(15_000)
      .describe('Longest time for the challenge and for the greeting of the gateway, each.'),
    request_timeout_ms: whole(100, 10 * MINUTE_MS)
      .default(30_000)
      .describe(
        'Longest time until the gateway has taken up a question; its answer has the time of the run.',
      ),
    max_reconnects: whole(0, 1_000)
      .default(20)
      .describe(
        'Attempts in a row, 1 to 30 seconds apart, before it is given up; the next run tries again. A refusal ends them at once.',
      ),
  })
  .prefault({});

function isSocketUrl(value: string): boolean {
  if (!URL.canParse(value)) return false;
  const { protocol, username, password } = new URL(value);
  return (protocol === 'ws:' || protocol === 'wss:') && username === '' && password === '';
}
