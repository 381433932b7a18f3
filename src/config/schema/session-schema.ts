import { z } from 'zod';
import { AGENT_ID_PATTERN, DEFAULT_AGENT_ID } from '../../core/ids.ts';
import { HOUR_MS, whole } from './schema-bounds.ts';

/** Sections of the config about conversations, work on a schedule, and the secret store. */
const names = z.array(z.string().min(1).max(256)).max(10_000).default([]);

export const chat = z
  .strictObject({
    enabled: z.boolean().default(true).describe('Accept chat messages at all.'),
    default_agent_id: z
      .string()
      .regex(AGENT_ID_PATTERN, 'must be 1 to 64 letters, digits, _ or -')
      .default(DEFAULT_AGENT_ID)
      .describe('Agent that answers a message that names none.'),
    allow_users: names.describe(
      'Users that may write. Empty: everyone who holds the token of the API.',
    ),
    allow_rooms: names.describe('Rooms that may be written in. Empty: every room.'),
    rate_limit_per_min: whole(1, 100_000)
      .default(20)
      .describe(
        'Messages per minute of one user in one room; one more is refused with 429 chat.rate_limited.',
      ),
    global_rate_limit_per_min: whole(1, 1_000_000)
      .default(120)
      .describe('The same for everybody together.'),
  })
  .prefault({});

export const sessions = z
  .strictObject({
    max_message_chars: whole(16, 1_000_000)
      .default(1400)
      .describe('Characters of one earlier message that the model is shown; the rest is cut.'),
    max_summary_chars: whole(1, 100_000)
      .default(220)
      .describe('Characters of the summary in the message of a tool.'),
    max_error_chars: whole(1, 100_000).default(320).describe('Characters of the error in it.'),
    max_output_chars: whole(1, 100_000).default(1000).describe('Characters of the output in it.'),
    max_context_chars: whole(256, 10_000_000)
      .default(12_000)
      .describe(
        'Characters of all earlier messages together; above it the oldest are left out first.',
      ),
    max_waiting_messages: whole(1, 1_000_000)
      .default(20)
      .describe(
        'Messages that wait in one session for their turn; one more is refused with 429 queue.full.',
      ),
  })
  .prefault({})
  .refine((value) => value.max_message_chars <= value.max_context_chars, {
    path: ['max_message_chars'],
    error: 'must not be above sessions.max_context_chars',
  });

export const scheduler = z
  .strictObject({
    enabled: z.boolean().default(true).describe('Fire jobs when they are due.'),
    max_concurrent_jobs: whole(1, 1000)
      .default(4)
      .describe('Runs of jobs that are open at the same time.'),
    max_jobs: whole(1, 100_000).default(1000).describe('Jobs that may exist; one more is refused.'),
    max_jobs_per_principal: whole(1, 100_000)
      .default(50)
      .describe('Jobs that may exist of one principal of /internal/v1; one more is refused.'),
    misfire_grace_ms: whole(1000, 24 * HOUR_MS)
      .default(60_000)
      .describe('How late a job may still be fired; later, its time counts as missed.'),
    history_per_job: whole(1, 100_000)
      .default(200)
      .describe('Firings that are remembered per job; older ones are forgotten.'),
  })
  .prefault({});

const secretPath = z
  .string()
  .min(1)
  .max(4096)
  .refine((value) => !value.includes('\0'), 'must not contain NUL');

export const secrets = z
  .strictObject({
    store_file: secretPath
      .default('.openclawssy/secrets.enc')
      .describe('File of the encrypted secrets, relative to the state root.'),
    master_key_file: secretPath
      .default('.openclawssy/master.key')
      .describe(
        'File of the key they are encrypted with, relative to the state root; made on first use. OPENCLAWSSY_MASTER_KEY wins over it.',
      ),
  })
  .prefault({});
