import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import * as z from 'zod';
import { OPERATOR } from '../../src/core/principal.ts';
import { defineTool, type Tool } from '../../src/core/tools/tool.ts';
import { openTestRuntime, type TestRuntime } from '../support/open-test-runtime.ts';
import { GUEST, openPrincipalRig, type PrincipalRig, USER } from './principal-rig.ts';
import { TABLE } from './principal-table.ts';
import { ADA, driveThread, GRACE, talkingModel } from './thread-rig.ts';

function probes(seen: string[]): readonly Tool[] {
  const common = { effect: 'read', input: z.object({}), description: 'A probe.' } as const;
  return [
    defineTool({ ...common, name: 'plain.tool', execute: async () => ({}) }),
    defineTool({
      ...common,
      name: 'probe.principal',
      serves: 'everyone',
      async execute(_, { principal }) {
        seen.push(principal);
        return {};
      },
    }),
  ];
}

const CONFIG = {
  tools: { granted: ['*'] },
  policy: { rule_of_two: false },
  network: {
    enabled: true,
    allowed_domains: ['127.0.0.1'],
    allow_localhosts: true,
    principal_secrets: ['shared/token', 'gone/token'],
  },
};

/** What each engine keeps for whom is in the conformance suites. */
describe('Principals', () => {
  const probed: string[] = [];
  const model = talkingModel();
  let runtime: TestRuntime;
  let rig: PrincipalRig;

  beforeAll(async () => {
    runtime = await openTestRuntime(model, { config: CONFIG, tools: probes(probed) });
    for (const name of ['ops/token', 'shared/token']) await runtime.secrets.put(name, `${name}!`);
    rig = await openPrincipalRig(runtime);
  });

  afterAll(() => runtime?.dispose());

  test('the table knows every tool that is registered', () => {
    const names = runtime.registry.list().map(({ name }) => name);

    expect(Object.keys(TABLE).sort()).toEqual([...names].sort());
  });

  test.each(Object.keys(TABLE))('%s shows and changes what is theirs', async (tool) => {
    const row = TABLE[tool]!;
    const found: Record<string, readonly string[]> = {};

    for (const viewer of [USER, GUEST, OPERATOR]) found[viewer] = await row.sees(rig, viewer);

    expect(found).toEqual(row.expected);
  });

  test('a run takes its principal into its calls, and the operator’s runs are the operator’s', async () => {
    probed.length = 0;
    for (const principal of [ADA, GRACE]) {
      const thread = driveThread(runtime, principal);
      const { id } = await thread.create({ autoFinish: true });
      await thread.say(id, 'call probe.principal {}');
      await runtime.awaitEnd(id);
    }
    await runtime.ask('call probe.principal {}');

    expect(probed).toEqual([USER, GUEST, OPERATOR]);
  });

  test('a run for a principal is not offered what is the operator’s, and may not call it', async () => {
    const thread = driveThread(runtime, ADA);
    const { id } = await thread.create({ autoFinish: true });
    await thread.say(id, 'call plain.tool {}');
    await runtime.awaitEnd(id);

    const results = (await runtime.events(id)).filter(({ type }) => type === 'tool.result');
    expect(results.map(({ payload }) => payload['error'])).toEqual([
      expect.objectContaining({
        code: 'policy.denied',
        details: { reason: 'principal_not_served' },
      }),
    ]);
    const offered = model.offered.at(-1)?.map(({ name }) => name);
    expect(offered).toContain('probe.principal');
    expect(offered).not.toContain('plain.tool');
  });

  test('a job of a principal fires runs that act for the principal', async () => {
    probed.length = 0;
    const atMs = Date.now() + 50;
    const job = { message: 'call probe.principal {}', schedule: new Date(atMs).toISOString() };
    await rig.call(GUEST, 'scheduler.add', { ...job, id: 'job_of_guest', mode: 'main_like' });

    await expect.poll(() => probed, { timeout: 30_000 }).toEqual([GUEST]);

    const { runs } = await runtime.storage.runs.list({ owner: GUEST, limit: 1 });
    expect(runs).toMatchObject([{ source: 'scheduler', owner: GUEST }]);
    const session = await runtime.sessions.get(String(runs[0]?.sessionId));
    expect(session).toMatchObject({ channel: 'main', userId: GUEST, owner: GUEST });
    const [created] = await runtime.events(runs[0]!.id);
    expect(created?.payload['principal']).toBe(GUEST);
  });
});
