import { afterEach, beforeEach, expect, test } from 'vitest';
import { openTestRuntime, type TestRuntime } from '../../../test/support/open-test-runtime.ts';
import { toIso } from '../../core/clock.ts';
import { createIds } from '../../core/create-ids.ts';
import { type AgentId, DEFAULT_AGENT_ID } from '../../core/ids.ts';
import type { JsonObject } from '../../core/json.ts';
import { createRedactor } from '../../core/redact/create-redactor.ts';
import { DEFAULT_CONTEXT_LIMITS } from '../../core/sessions/context-limits.ts';
import { createSessions, type Sessions } from '../../core/sessions/sessions.ts';
import type { Tool } from '../../core/tools/tool.ts';
import { createScriptedModel } from '../../providers/scripted/scripted-model.ts';
import { callTool, failureOf, inputErrors } from '../test-workspace.ts';
import { createSessionTools } from './session-tools.ts';

let runtime: TestRuntime;
let sessions: Sessions;
let tools: ReadonlyMap<string, Tool>;

beforeEach(async () => {
  runtime = await openTestRuntime(createScriptedModel({ steps: [{ text: 'unused' }] }));
  sessions = createSessions({
    store: runtime.storage.sessions,
    agents: runtime.storage.agents,
    ids: createIds(() => Date.now()),
    redactor: createRedactor(),
    context: () => DEFAULT_CONTEXT_LIMITS,
  });
  tools = new Map(createSessionTools({ sessions }).map((tool) => [tool.name, tool]));
});

afterEach(() => runtime.dispose());

const toolNamed = (name: string) => tools.get(name)!;
const call = (name: string, input: JsonObject) => callTool(toolNamed(name), input);
const place = { agentId: DEFAULT_AGENT_ID, channel: 'http', userId: 'ada', roomId: 'dev' };

test("session.list gives the agent's own open sessions", async () => {
  const { session } = await sessions.open(place);
  await sessions.append(session.id, [{ role: 'user', content: 'hello there' }]);
  await sessions.open({ ...place, agentId: 'other' as AgentId });
  const closed = await sessions.open({ ...place, roomId: 'ops' });
  await sessions.close(closed.session.id);

  const output = await call('session.list', {});
  const all = await call('session.list', { include_closed: true });
  const one = await call('session.list', { include_closed: true, limit: 1 });

  const { createdAtMs, updatedAtMs } = await sessions.get(session.id);
  expect(output).toEqual({
    sessions: [
      {
        session_id: session.id,
        title: 'hello there',
        channel: 'http',
        user_id: 'ada',
        room_id: 'dev',
        messages: 1,
        created_at: toIso(createdAtMs),
        updated_at: toIso(updatedAtMs),
        closed_at: null,
      },
    ],
    truncated: false,
  });
  expect(all['sessions']).toHaveLength(2);
  expect(one).toMatchObject({ truncated: true });
  expect(toolNamed('session.list').summarize({}, output)).toBe('listed 1 session(s)');
});

test('session.close closes once', async () => {
  const { session } = await sessions.open(place);

  const outputs = [
    await call('session.close', { id: ` ${session.id} ` }),
    await call('session.close', { session_id: session.id }),
  ];

  const common = { session_id: session.id, closed: true };
  expect(outputs).toEqual([
    { ...common, already_closed: false, summary: `closed session ${session.id}` },
    { ...common, already_closed: true, summary: `session ${session.id} was closed already` },
  ]);
});

test('session.close does not know sessions of other agents', async () => {
  const { session } = await sessions.open({ ...place, agentId: 'other' as AgentId });

  const failures = [
    await failureOf(call('session.close', { session_id: session.id })),
    await failureOf(call('session.close', { session_id: 'session_none' })),
  ];

  expect(failures.map(({ code }) => code)).toEqual(['not_found', 'not_found']);
  expect((await sessions.get(session.id)).closedAtMs).toBeUndefined();
});

test.each([
  ['session.list', { limit: 0 }, ['limit must be a whole number from 1 to 200']],
  ['session.list', { limit: 201 }, ['limit must be a whole number from 1 to 200']],
  ['session.list', { include_closed: 'yes' }, ['include_closed must be true or false']],
  ['session.close', {}, ['session_id is required']],
  [
    'session.close',
    { session_id: '../x' },
    ['session_id must have 1 to 128 letters, digits, _ or -'],
  ],
])('%s refuses %j', (name, input, messages) => {
  expect(inputErrors(toolNamed(name), input)).toEqual(messages);
});
