import { z } from 'zod';
import { answer } from '../http/answers/answers.ts';
import type { SurfaceApp } from '../http/surface.ts';
import { errorAnswers, SIGNED, SIGNED_ERRORS } from './answers.ts';

/** The name that clients of the contract look for, whatever the program behind it is called. */
const SERVICE = 'openagents-runtime';

export interface HealthRouteDeps {
  /** Throws `storage_unavailable` when the engine can't serve. */
  ping(): Promise<void>;
  readonly version: string;
}

const health = z
  .object({ status: z.literal('ok'), service: z.literal(SERVICE), version: z.string() })
  .meta({ examples: [{ status: 'ok', service: SERVICE, version: '0.1.0' }] });

const readHealth = {
  summary: 'Is the runtime able to serve?',
  description:
    'Whether the store can be read and written. Needs a signature, as every route here does.',
  tags: ['internal'],
  security: SIGNED,
  response: {
    200: answer('It is.', health),
    ...errorAnswers(...SIGNED_ERRORS),
  },
};

export function addHealthRoutes(app: SurfaceApp, deps: HealthRouteDeps): void {
  app.get('/health', { config: { quiet: true }, schema: readHealth }, async (_request, reply) => {
    await deps.ping();
    return reply.send({ status: 'ok', service: SERVICE, version: deps.version });
  });
}
