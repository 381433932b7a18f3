import { type Clock, toIso } from '../../core/clock.ts';
import type { Panel } from '../../core/integrations/panel.ts';
import { type AnyOperation, answer, operationsWith } from '../operation.ts';
import { encodeIntegration } from './integration-codec.ts';

export interface PanelAccess {
  readonly panel: Panel;
  readonly clock: Pick<Clock, 'nowMs'>;
}

const define = operationsWith(() => import('./integration-shapes.ts'));

export const readIntegrations = define({
  name: 'integrations.status',
  method: 'GET',
  path: '/api/integrations/status',
  effect: 'read',
  summary: 'How it stands with services outside',
  description:
    'Each service that is set up is asked whether it is there and takes its key, at most once a minute however many look.',
  tags: ['integrations'],
  errors: [400, 401, 403, 429, 500, 503],
  wire: ({ integrationList }) => ({ answers: { 200: answer('All of them.', integrationList) } }),
  async run({ panel, clock }: PanelAccess) {
    const entries = await panel.readStatus();
    return { generated_at: toIso(clock.nowMs()), integrations: entries.map(encodeIntegration) };
  },
});

export const testIntegration = define({
  name: 'integrations.test',
  method: 'POST',
  path: '/api/integrations/test',
  effect: 'write',
  isRepeatable: true,
  summary: 'Ask a service outside now',
  description: 'One request with its key that reads and changes nothing, within 5 seconds.',
  tags: ['integrations'],
  errors: [400, 401, 403, 413, 415, 429, 500, 503],
  wire: ({ integrationTest, integration }) => ({
    body: integrationTest,
    answers: { 200: answer('What came of it.', integration) },
  }),
  run: async ({ panel }: PanelAccess, { body }) =>
    encodeIntegration(await panel.test(body.integration_id)),
});

export const INTEGRATION_OPERATIONS: readonly AnyOperation<PanelAccess>[] = [
  readIntegrations,
  testIntegration,
];
