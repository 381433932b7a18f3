import type { KillSwitch } from '../../core/kill-switch/kill-switch.ts';
import { OPERATOR } from '../../core/principal.ts';
import { type AnyOperation, answer, operationsWith } from '../operation.ts';
import { encodeKillSwitch } from './kill-switch-codec.ts';

export interface KillSwitchReading {
  readonly killSwitch: Pick<KillSwitch, 'history'>;
}

export interface KillSwitchWriting {
  readonly killSwitch: KillSwitch;
}

const define = operationsWith(() => import('./kill-switch-shapes.ts'));

const TAGS = ['kill switch'];
const PATH = '/api/admin/kill-switch';
const MAX_HISTORY = 100;

export const readKillSwitch = define({
  name: 'kill_switch.read',
  method: 'GET',
  path: PATH,
  effect: 'read',
  summary: 'How the kill switch stands',
  description: 'And who turned it when and why.',
  tags: TAGS,
  errors: [400, 401, 403, 429, 500, 503],
  wire: ({ killSwitch }) => ({ answers: { 200: answer('How it stands.', killSwitch) } }),
  run: async (deps: KillSwitchReading) => show(deps),
});

export const turnKillSwitch = define({
  name: 'kill_switch.turn',
  method: 'PUT',
  path: PATH,
  effect: 'write',
  isRepeatable: true,
  summary: 'Stop everything, or let it go on',
  description:
    'While it is on, no model and no tool is called on any node, new work is refused with 503 `runtime.stopped`, and ' +
    'runs under way are given back; they go on where they were when it is off. The same again changes nothing.',
  tags: TAGS,
  errors: [400, 401, 403, 413, 415, 429, 500, 503],
  wire: ({ turnBody, killSwitch }) => ({
    body: turnBody,
    answers: { 200: answer('How it stands then.', killSwitch) },
  }),
  async run(deps: KillSwitchWriting, { body: { on: isOn, reason = '' } }) {
    await deps.killSwitch.turn({ isOn, reason, actor: OPERATOR });
    return show(deps);
  },
});

const liftKillSwitch = define({
  name: 'kill_switch.lift',
  method: 'DELETE',
  path: PATH,
  effect: 'write',
  isRepeatable: true,
  summary: 'Let everything go on',
  description: 'As turning it off does.',
  tags: TAGS,
  errors: [400, 401, 403, 429, 500, 503],
  wire: ({ killSwitch }) => ({ answers: { 200: answer('How it stands then.', killSwitch) } }),
  async run(deps: KillSwitchWriting) {
    await deps.killSwitch.turn({ isOn: false, reason: '', actor: OPERATOR });
    return show(deps);
  },
});

export const KILL_SWITCH_OPERATIONS: readonly AnyOperation<KillSwitchWriting>[] = [
  readKillSwitch,
  turnKillSwitch,
  liftKillSwitch,
];

async function show({ killSwitch }: KillSwitchReading) {
  return encodeKillSwitch(await killSwitch.history(MAX_HISTORY));
}
