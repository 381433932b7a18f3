import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { AgentId, RunId } from '../../../src/core/ids.ts';
import type { Storage } from '../../../src/core/storage.ts';
import {
  cancelDrafts,
  claimOnly,
  claimRequest,
  createRun,
  draft,
  LEASE_MS,
  MANY,
  newRun,
  type OpenStorage,
  openRig,
} from '../harness.ts';

const AGENTS = ['agent_a', 'agent_b', 'agent_c'] as const;
const [A, B] = AGENTS as readonly string[] as readonly AgentId[];

async function addAgents({ agents }: Storage): Promise<void> {
  for (const id of AGENTS) {
    const agent = { id: id as AgentId, name: id, role: '', model: undefined, instructions: '' };
    await agents.ensure(agent);
  }
}

/** Agents that sleep: their runs stay in the queue. */
export function describeHeldRuns(engine: string, open: OpenStorage): void {
  describe(`RunStore and sleeping agents on ${engine}`, () => {
    test('claims no run of a sleeping agent, and all of them in order once it is awake', async () => {
      const { storage, runs, clock, reopen } = await openRig(open);
      await addAgents(storage);
      const before = await createRun(runs, { agentId: A as AgentId });
      clock.advance(1);
      expect(await runs.setAgentStatus(A as AgentId, 'sleeping')).toBe(true);
      const during = await createRun(runs, { agentId: A as AgentId });
      clock.advance(1);
      const other = await createRun(runs, { agentId: B as AgentId });

      const first = await runs.claim(claimRequest());
      const none = await runs.claim(claimRequest());
      const named = await runs.claim(claimRequest({ only: during.id }));
      const reopened = await reopen();
      const afterReopen = await reopened.runs.claim(claimRequest());
      await reopened.runs.setAgentStatus(A as AgentId, 'idle');
      const woken = await reopened.runs.claim(claimRequest());
      const next = await reopened.runs.claim(claimRequest());

      expect(first?.run.id).toBe(other.id);
      expect([none, named, afterReopen]).toEqual([undefined, undefined, undefined]);
      expect([woken?.run.id, next?.run.id]).toEqual([before.id, during.id]);
      expect(await reopened.agents.find(A as AgentId)).toMatchObject({ status: 'idle' });
    });

    test('keeps the status of an agent that is changed at the same time', async () => {
      const { storage, runs } = await openRig(open);
      await addAgents(storage);

      for (let round = 0; round < 20; round += 1) {
        const status = round % 2 === 0 ? 'sleeping' : 'idle';
        await Promise.all([
          storage.agents.update(A as AgentId, { role: `before ${round}` }),
          runs.setAgentStatus(A as AgentId, status),
          storage.agents.update(A as AgentId, { role: `after ${round}` }),
        ]);
        expect(await storage.agents.find(A as AgentId)).toMatchObject({ status });
      }
    });

    test('gives no lease to a new run of a sleeping agent', async () => {
      const { storage, runs } = await openRig(open);
      await addAgents(storage);
      await runs.setAgentStatus(A as AgentId, 'sleeping');
      const lease = { owner: 'runner-a', leaseMs: LEASE_MS, started: draft('run.started') };
      const create = (agentId: AgentId) =>
        runs.create(newRun({ agentId }), [draft('run.created')], { maxQueued: MANY, lease });

      const held = await create(A as AgentId);
      const leased = await create(B as AgentId);

      expect(held).toMatchObject({
        outcome: 'created',
        lease: undefined,
        run: { status: 'queued' },
      });
      expect(leased).toMatchObject({ outcome: 'created', run: { status: 'running' } });
    });

    test('lets a run under way go on, also after its lease was lost', async () => {
      const { storage, runs, clock } = await openRig(open);
      await addAgents(storage);
      const { id } = await createRun(runs, { agentId: A as AgentId });
      await claimOnly(runs, id);
      await runs.setAgentStatus(A as AgentId, 'sleeping');
      clock.advance(LEASE_MS + 1);

      const recovered = await runs.claim(claimRequest());

      expect(recovered).toMatchObject({ resumed: true, run: { id } });
    });

    test('can cancel a run that is held, and knows no agent that is not there', async () => {
      const { storage, runs } = await openRig(open);
      await addAgents(storage);
      await runs.setAgentStatus(A as AgentId, 'sleeping');
      const { id } = await createRun(runs, { agentId: A as AgentId });

      const { run } = await runs.requestCancel(id, cancelDrafts());
      await runs.setAgentStatus(A as AgentId, 'busy');

      expect(run.status).toBe('cancelled');
      expect(await runs.claim(claimRequest())).toBeUndefined();
      expect(await runs.setAgentStatus('nobody' as AgentId, 'sleeping')).toBe(false);
    });

    test('wakes whoever waits for the queue when an agent wakes up', async () => {
      const { storage, runs } = await openRig(open);
      await addAgents(storage);
      await runs.setAgentStatus(A as AgentId, 'sleeping');
      await createRun(runs, { agentId: A as AgentId });
      const queue = storage.wakeups.subscribe('queue');
      const woken = queue.next({ signal: AbortSignal.timeout(20_000) });

      await runs.setAgentStatus(A as AgentId, 'idle');

      expect(await woken).toBe(true);
      queue.close();
    });

    test('whatever the order, only runs of agents that are awake are claimed', async () => {
      const step = fc.oneof(
        fc.record({ do: fc.constant('create' as const), agent: fc.constantFrom(...AGENTS) }),
        fc.record({ do: fc.constant('sleep' as const), agent: fc.constantFrom(...AGENTS) }),
        fc.record({ do: fc.constant('wake' as const), agent: fc.constantFrom(...AGENTS) }),
        fc.record({ do: fc.constant('claim' as const), agent: fc.constantFrom(...AGENTS) }),
      );
      const { storage, runs, clock } = await openRig(open);
      await addAgents(storage);
      await fc.assert(
        fc.asyncProperty(fc.array(step, { maxLength: 25 }), async (steps) => {
          const asleep = new Set<string>();
          const queue: { readonly id: RunId; readonly agent: string }[] = [];
          const takeDue = () => queue.findIndex(({ agent }) => !asleep.has(agent));
          const claim = async () => {
            const claimed = await runs.claim(claimRequest());
            const [due] = takeDue() < 0 ? [] : queue.splice(takeDue(), 1);
            expect(claimed?.run.id).toBe(due?.id);
            return claimed;
          };
          for (const { do: what, agent } of steps) {
            clock.advance(1);
            const agentId = agent as AgentId;
            if (what === 'create') {
              queue.push({ id: (await createRun(runs, { agentId })).id, agent });
            } else if (what === 'claim') await claim();
            else {
              await runs.setAgentStatus(agentId, what === 'sleep' ? 'sleeping' : 'idle');
              if (what === 'sleep') asleep.add(agent);
              else asleep.delete(agent);
            }
          }
          for (const agent of AGENTS) await runs.setAgentStatus(agent as AgentId, 'idle');
          asleep.clear();
          while (await claim());
          expect(queue).toEqual([]);
        }),
        { numRuns: 15 },
      );
    });

    test('a run that is made while its agent falls asleep is claimed after it is awake, and once', async () => {
      const { storage, runs, openBeside } = await openRig(open);
      await addAgents(storage);
      const beside = await openBeside();

      const [, ...made] = await Promise.all([
        runs.setAgentStatus(A as AgentId, 'sleeping'),
        ...Array.from({ length: 10 }, () => createRun(beside.runs, { agentId: A as AgentId })),
      ]);
      const none = await Promise.all([
        runs.claim(claimRequest()),
        beside.runs.claim(claimRequest()),
      ]);
      await Promise.all([
        beside.runs.setAgentStatus(A as AgentId, 'idle'),
        ...Array.from({ length: 10 }, async () => {
          made.push(await createRun(runs, { agentId: A as AgentId }));
        }),
      ]);
      const claimed: RunId[] = [];
      for (;;) {
        const next = await runs.claim(claimRequest());
        if (!next) break;
        claimed.push(next.run.id);
      }

      expect(none).toEqual([undefined, undefined]);
      expect(claimed.toSorted()).toEqual(made.map(({ id }) => id).toSorted());
    });
  });
}
