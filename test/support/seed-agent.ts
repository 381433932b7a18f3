import type { AgentId } from '../../src/core/ids.ts';
import { OPERATOR } from '../../src/core/principal.ts';
import type { Session } from '../../src/core/sessions/session.ts';
import type { Storage } from '../../src/core/storage.ts';

export const LYNX = 'lynx' as AgentId;

const PLAIN = { toolName: undefined, toolCallId: undefined, status: undefined };

/** An agent that has done and been told something of every kind. Ids are given: exports of it are the same bytes. */
export async function seedAgent(storage: Storage): Promise<void> {
  await storage.agents.ensure({
    id: LYNX,
    name: 'Lynx',
    role: 'watches',
    model: 'offline/rules',
    instructions: 'You watch.\n',
    skills: ['memory', 'files'],
  });
  await storage.capabilities.set({ agentId: LYNX, tool: 'fs.read', effect: 'grant', by: OPERATOR });
  await storage.capabilities.set({
    ...{ agentId: LYNX, tool: 'shell.exec', effect: 'revoke', by: OPERATOR },
  });
  await seedConversation(storage);
  await seedMemories(storage);
  await storage.facts.add({
    ...{ id: 'fact_1' as never, owner: OPERATOR, projectId: 'proj_001', source: 'agent' },
    ...{ subject: 'Harbour', relation: 'opens at', object: 'six' },
    ...{ validFromMs: undefined, validToMs: undefined, agentId: LYNX },
    ...{ isPrivate: true, isReplacing: false },
  });
  await storage.jobs.create(
    {
      ...{ id: 'watch-tide' as never, agentId: LYNX, owner: OPERATOR, schedule: '@every 1h' },
      ...{ message: 'look at the tide', mode: 'isolated', isEnabled: true, timezone: 'UTC' },
      notify: { channel: 'session', target: 'session_1' },
      ...{ catchUp: 'none', anchorMs: 0, nextSlotMs: 4e12 },
    },
    { maxJobs: 100 },
  );
}

async function seedConversation({ sessions }: Storage): Promise<Session> {
  const place = { agentId: LYNX, channel: 'http', userId: 'ann', roomId: 'quay' };
  const session = await sessions.create(place, 'session_1' as never);
  await sessions.append(session.id, [
    { ...PLAIN, role: 'user', content: 'who is the pilot?' },
    { ...PLAIN, role: 'assistant', content: 'Ines \0 is.' },
  ]);
  await sessions.append(session.id, [{ ...PLAIN, role: 'user', content: 'thank you' }]);
  const through = { exchange: 1, position: 1 };
  await sessions.saveSummary(session.id, { text: 'about the pilot', through });
  await sessions.close(session.id);
  return session;
}

async function seedMemories({ memories }: Storage): Promise<void> {
  const common = {
    ...{ owner: OPERATOR, agentId: LYNX, agentName: 'lynx', projectId: 'proj_001' },
    ...{ extra: { page: 3 }, priorityScore: 6, isPrivate: true, timestampMs: 5, key: undefined },
  };
  await memories.ingest([
    {
      ...{ ...common, id: 'mem_1' as never, sessionId: 'session_1', tags: ['people'] },
      ...{ content: 'the harbour pilot is called Ines', source: 'chat', isTrusted: true },
    },
    {
      ...{ ...common, id: 'mem_2' as never, sessionId: 'elsewhere', tags: [] },
      ...{ content: 'a page says the quay is closed', source: 'web', isTrusted: false },
    },
  ]);
  const pinned = await memories.find('mem_1' as never);
  if (!pinned) throw new Error('expected a memory');
  const fields = {
    pinned: true,
    pinReason: 'asked for daily',
    priorityScore: 15,
    unpinnedScore: 6,
  };
  await memories.update(pinned, fields);
}
