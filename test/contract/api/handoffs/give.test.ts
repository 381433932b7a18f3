import { describe, expect, test } from 'vitest';
import { TEST_ENGINES } from '../../../support/test-engines.ts';
import { BUHO, ISO, LINCE, openTeamServer, PROJECT } from '../open-team-server.ts';

const HANDOFF = '/api/agents/handoff';
const BODY = {
  from_agent_id: 'lince',
  to_agent_id: 'Búho 🦉',
  project_id: PROJECT,
  content: 'Update websocket connector to include retry backoff',
};

describe.each(TEST_ENGINES.filter(({ available }) => available))(
  'POST /api/agents/handoff on $name',
  (engine) => {
    test('is stored, remembered, run and reported', async () => {
      const server = await openTeamServer(engine);

      const given = await server.post(HANDOFF, BODY);

      const { handoff_id: id } = given.body as { handoff_id: string };
      expect(given).toMatchObject({ status: 200 });
      expect(given.body).toEqual({
        status: 'transferred',
        handoff_id: expect.stringMatching(/^handoff_[0-9a-z]{26}$/),
      });
      const found = await server.read('/api/memory/search', { q: 'backoff', project_id: PROJECT });
      expect(found).toMatchObject({ results: [{ content: BODY.content }] });
      const handoff = await server.settled(id);
      expect(handoff).toEqual({
        handoff_id: id,
        from_agent_id: LINCE,
        to_agent_id: BUHO,
        project_id: PROJECT,
        content: BODY.content,
        state: 'done',
        run_id: expect.stringMatching(/^run_/),
        memory_id: expect.stringMatching(/^mem_/),
        parent_run_id: null,
        chain: [LINCE, BUHO],
        result: `I was told: ${BODY.content}`,
        error: null,
        owner: 'operator',
        created_at: ISO,
        ended_at: ISO,
        reported_at: ISO,
      });
      const run = await server.read(`/v1/runs/${handoff.run_id}`);
      expect(run).toMatchObject({ agent_id: BUHO, project_id: PROJECT, source: 'handoff' });
      expect(await server.read('/api/admin/mail', { agent_id: LINCE })).toMatchObject({
        mail: [{ from: BUHO, subject: 'hand-off done', task_id: id }],
      });
    });

    test('is refused when its budget is used up, and what was given before is answered', async () => {
      const server = await openTeamServer(engine);
      const keyed = { ...BODY, key: 'once' };
      const first = await server.post(HANDOFF, keyed);
      const { handoff_id: id } = first.body as { handoff_id: string };
      await server.settled(id);
      const scope = { kind: 'project', projectId: PROJECT } as const;
      await server.runtime.costs.setBudget({ scope, pico: 0n, tokens: undefined });

      const refused = await server.post(HANDOFF, BODY);
      const again = await server.post(HANDOFF, keyed);

      expect(refused).toMatchObject({
        status: 429,
        body: {
          error: {
            code: 'budget_exceeded',
            message: `the budget of project ${PROJECT} in US dollars is used up; raise it with claw costs set-budget`,
          },
        },
      });
      expect(again).toMatchObject({ status: 200, body: { handoff_id: id } });
      const { handoffs } = (await server.read('/api/agents/handoffs')) as { handoffs: unknown[] };
      expect(handoffs).toHaveLength(1);
    });

    test('waits while everything is stopped, and arrives when work goes on', async () => {
      const server = await openTeamServer(engine);
      const turn = (isOn: boolean) =>
        server.runtime.killSwitch.turn({ isOn, reason: '', actor: 'operator' });
      await turn(true);

      const id = await server.give({ key: 'k' });

      const waiting = await server.read(`/api/agents/handoffs/${id}`);
      expect(waiting).toMatchObject({ state: 'open', error: null });
      await turn(false);
      // Asking again delivers it at once, instead of at the next look.
      expect(await server.give({ key: 'k' })).toBe(id);
      expect(await server.settled(id)).toMatchObject({ state: 'done' });
    });

    test('a repeated key is one hand-off, and another under it is refused', async () => {
      const server = await openTeamServer(engine);
      const first = await server.post(HANDOFF, { ...BODY, key: 'k' });

      const again = await server.post(HANDOFF, BODY, { headers: { 'idempotency-key': 'k' } });
      const other = await server.post(HANDOFF, { ...BODY, content: 'x', key: 'k' });
      const unnamed = await server.post(HANDOFF, BODY);

      expect(again.body).toEqual(first.body);
      expect(again.headers['idempotent-replay']).toBe('true');
      expect(first.headers['idempotent-replay']).toBeUndefined();
      expect(other.status).toBe(409);
      expect(other.body).toEqual({
        error: {
          code: 'conflict',
          message: 'the idempotency key was used for another hand-off',
          details: { taxonomy: 'resource', recovery_action: expect.any(String) },
        },
      });
      expect(unnamed.body).not.toEqual(first.body);
      const list = (await server.read('/api/agents/handoffs')) as { handoffs: unknown[] };
      expect(list.handoffs).toHaveLength(2);
    });

    test('refuses agents that are not there, the same one twice and bad bodies', async () => {
      const server = await openTeamServer(engine);
      const refuse = async (fields: object) => {
        const { status, body } = await server.post(HANDOFF, { ...BODY, ...fields });
        const { error } = body as { error: { message: string } };
        return [status, error.message];
      };

      expect(await refuse({ to_agent_id: 'nobody' })).toEqual([404, expect.any(String)]);
      expect(await refuse({ from_agent_id: 'a/../b 🦀' })).toEqual([404, expect.any(String)]);
      expect(await refuse({ to_agent_id: 'LINCE' })).toEqual([
        400,
        "agent agent_lince can't hand work to itself",
      ]);
      for (const fields of [
        { content: ' ' },
        { content: 'a\u0000b' },
        { content: 'x'.repeat(16_001) },
        { project_id: ' ' },
        { project_id: 'p'.repeat(129) },
        { to_agent_id: '' },
        { to_agent_id: 'n'.repeat(201) },
        { key: '' },
        { extra: 1 },
      ]) {
        expect([fields, (await refuse(fields))[0]]).toEqual([fields, 400]);
      }
      expect(await server.read('/api/agents/handoffs')).toEqual({
        handoffs: [],
        next_cursor: null,
      });
    });

    test('lists newest first, in pages, by project, agent and state', async () => {
      const server = await openTeamServer(engine);
      const first = await server.give();
      const second = await server.give({ project_id: 'p 2', to_agent_id: 'sastre' });
      await Promise.all([first, second].map((id) => server.settled(id)));
      const idsOf = async (query: Record<string, string>) => {
        const page = await server.read('/api/agents/handoffs', query);
        const { handoffs, next_cursor: next } = page as {
          handoffs: { handoff_id: string }[];
          next_cursor: string | null;
        };
        return { ids: handoffs.map(({ handoff_id: id }) => id), next };
      };

      const page = await idsOf({ limit: '1' });
      expect(page.ids).toEqual([second]);
      expect(await idsOf({ cursor: page.next ?? '' })).toEqual({ ids: [first], next: null });
      expect((await idsOf({ project_id: PROJECT })).ids).toEqual([first]);
      expect((await idsOf({ agent_id: 'Sastre' })).ids).toEqual([second]);
      expect((await idsOf({ state: 'open' })).ids).toEqual([]);
      for (const query of ['limit=0', 'limit=-1', 'limit=9999', 'cursor=x', 'state=odd']) {
        const { status } = await server.call(`/api/agents/handoffs?${query}`);
        expect([query, status]).toEqual([query, 400]);
      }
      const missing = await server.call('/api/agents/handoffs/handoff_x');
      expect(missing.status).toBe(404);
      expect(missing.body).toEqual({
        error: {
          code: 'not_found',
          message: 'hand-off handoff_x does not exist',
          details: {
            taxonomy: 'resource',
            thing: 'handoff',
            recovery_action: 'GET /api/agents/handoffs lists them.',
          },
        },
      });
    });
  },
);
