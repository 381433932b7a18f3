import type { Bridge } from '../../core/openclaw/bridge.ts';
import { type AnyOperation, answer, operationsWith } from '../operation.ts';
import { encodeBridge } from './bridge-codec.ts';

/** For those who only look. */
export interface BridgeReading {
  readonly openclaw: Pick<Bridge, 'status'>;
}

export interface BridgeWriting extends BridgeReading {
  readonly openclaw: Bridge;
}

const define = operationsWith(() => import('./bridge-shapes.ts'));

const TAGS = ['openclaw'];
const BRIDGE = '/api/admin/openclaw';

export const readBridge = define({
  name: 'openclaw.status',
  method: 'GET',
  path: BRIDGE,
  effect: 'read',
  summary: 'How the connection to OpenClaw stands',
  description: 'Its state, the gateway on the other side, and what to do when it refuses.',
  tags: TAGS,
  errors: [400, 401, 403, 429, 500],
  wire: ({ bridgeStatus }) => ({ answers: { 200: answer('How it is now.', bridgeStatus) } }),
  run: async ({ openclaw }: BridgeReading) => encodeBridge(openclaw.status()),
});

export const connectBridge = define({
  name: 'openclaw.connect',
  method: 'POST',
  path: `${BRIDGE}/connect`,
  effect: 'write',
  isRepeatable: true,
  summary: 'Try to connect to OpenClaw now',
  description:
    'Also after a refusal. Answers when the attempt has ended, whatever came of it: `state` says.',
  tags: TAGS,
  errors: [400, 401, 403, 413, 415, 429, 500, 503],
  wire: ({ connectBody, bridgeStatus }) => ({
    body: connectBody,
    answers: { 200: answer('How it is after the attempt.', bridgeStatus) },
  }),
  run: async ({ openclaw }: BridgeWriting) => encodeBridge(await openclaw.connect()),
});

/** In the order of the documentation. */
export const BRIDGE_OPERATIONS: readonly AnyOperation<BridgeWriting>[] = [
  readBridge,
  connectBridge,
];
