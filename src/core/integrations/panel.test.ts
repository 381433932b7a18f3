import { expect, test } from 'vitest';
import { ManualClock } from '../../../test/support/manual-clock.ts';
import { createPanel, type PanelPlace, type Probe, type ProbeResult } from './panel.ts';

function openPanel() {
  const clock = new ManualClock();
  const secrets = new Map<string, string>();
  const places: Record<string, PanelPlace> = { resend: { baseUrl: 'https://mail.example' } };
  const probes: Probe[] = [];
  const answers: ((result: ProbeResult) => void)[] = [];
  const panel = createPanel({
    clock,
    findPlace: (section) => places[section] ?? { baseUrl: undefined },
    findSecret: async (name) => secrets.get(name),
    probe(probe) {
      probes.push(probe);
      return new Promise((resolve) => answers.push(resolve));
    },
  });
  const emailStatus = async () => (await panel.readStatus())[1]?.status;
  const nextTurn = () => new Promise((resolve) => setImmediate(resolve));
  return { clock, secrets, places, probes, answers, panel, emailStatus, nextTurn };
}

const OK: ProbeResult = { outcome: 'answered', httpStatus: 200 };

test('asks nobody where something is missing', async () => {
  const { secrets, places, probes, panel } = openPanel();

  const nothing = await panel.test('chefos');
  places['chefos'] = { baseUrl: 'https://chef.example' };
  const noKey = await panel.test('chefos');
  places['chefos'] = { baseUrl: undefined };
  secrets.set('intsec_chefos_1', 'key');
  const noPlace = await panel.test('chefos');
  const defaultPlace = await panel.test('email');

  expect(
    [nothing, noKey, noPlace, defaultPlace].map((one) => [one.status, one.recoveryAction]),
  ).toEqual([
    [
      'disconnected',
      'To use it, set integrations.chefos.base_url and store its key with claw secrets set intsec_chefos_1.',
    ],
    ['review', 'To use it, store its key with claw secrets set intsec_chefos_1.'],
    ['review', 'To use it, set integrations.chefos.base_url.'],
    ['disconnected', 'To use it, store its key with claw secrets set intsec_resend_1.'],
  ]);
  expect(probes).toEqual([]);
});

test.each<[name: string, result: ProbeResult, status: string, message: string]>([
  ['a good answer', OK, 'connected', 'Resend answered 200 and takes the key'],
  [
    'a key that may only send',
    { outcome: 'answered', httpStatus: 401, errorName: 'restricted_api_key' },
    'connected',
    'Resend answered 401 and takes the key',
  ],
  [
    'a wrong key',
    { outcome: 'answered', httpStatus: 401, errorName: 'validation_error' },
    'review',
    'Resend answered 401 and does not take the key',
  ],
  ['a fault', { outcome: 'answered', httpStatus: 500 }, 'review', 'Resend answered 500'],
  ['another page', { outcome: 'answered', httpStatus: 404 }, 'review', 'Resend answered 404'],
  [
    'silence',
    { outcome: 'unreachable', message: "Resend can't be asked: no answer within 5000 ms" },
    'review',
    "Resend can't be asked: no answer within 5000 ms",
  ],
])('judges %s', async (_name, result, status, message) => {
  const { secrets, answers, panel, nextTurn } = openPanel();
  secrets.set('intsec_resend_1', 'key');

  const tested = panel.test('email');
  await nextTurn();
  answers[0]?.(result);

  expect(await tested).toMatchObject({ status, message });
});

test('asks once a minute however often people look, and again when it is told to or the key changes', async () => {
  const { clock, secrets, probes, answers, panel, emailStatus, nextTurn } = openPanel();
  secrets.set('intsec_resend_1', 'key');
  const looks = [emailStatus(), emailStatus(), panel.test('email')];
  await nextTurn();
  answers[0]?.(OK);
  await Promise.all(looks);
  expect(probes).toHaveLength(1);

  clock.advance(59_999);
  expect([await emailStatus(), probes.length]).toEqual(['connected', 1]);

  const later = [1, 0, 0].map((ms) => {
    clock.advance(ms);
    return emailStatus();
  });
  await nextTurn();
  answers[1]?.({ outcome: 'answered', httpStatus: 500 });
  expect([await Promise.all(later), probes.length]).toEqual([['review', 'review', 'review'], 2]);

  const tested = panel.test('email');
  await nextTurn();
  answers[2]?.(OK);
  expect((await tested).status).toBe('connected');

  secrets.set('intsec_resend_1', 'other');
  const changed = emailStatus();
  await nextTurn();
  answers[3]?.({ outcome: 'answered', httpStatus: 401 });
  expect([await changed, probes.map(({ authorization }) => authorization)]).toEqual([
    'review',
    ['Bearer key', 'Bearer key', 'Bearer key', 'Bearer other'],
  ]);
});
