import { expect, test } from 'vitest';
import * as z from 'zod';
import type { Agent } from '../agents/agent.ts';
import { type AgentId, DEFAULT_AGENT_ID } from '../ids.ts';
import { createCapabilities } from '../policy/capabilities.ts';
import type { CapabilityChange, CapabilityStore } from '../policy/capability-store.ts';
import { createToolRegistry } from './registry.ts';
import { defineTool } from './tool.ts';
import { createToolGrants } from './tool-grants.ts';

const registry = createToolRegistry(
  ['fs.read', 'fs.write'].map((name) =>
    defineTool({
      name,
      aliases: [`${name}.alias`],
      description: '',
      effect: 'read',
      input: z.strictObject({}),
      execute: async () => ({}),
    }),
  ),
);

function open() {
  const changes: CapabilityChange[] = [];
  const store: CapabilityStore = {
    list: async () => [...changes],
    async set(change) {
      changes.push({ ...change, atMs: changes.length });
    },
  };
  const agents = {
    find: async (id: AgentId) => (id === DEFAULT_AGENT_ID ? ({ id } as Agent) : undefined),
    findBySlug: async () => undefined,
    list: async () => [],
  };
  const capabilities = createCapabilities(store, () => ['fs.read']);
  return { grants: createToolGrants({ capabilities, registry, agents }), changes, store };
}

const CHANGE = { agentId: DEFAULT_AGENT_ID, by: 'operator' };

test('stores an alias under the name that policy asks for', async () => {
  const { grants } = open();

  const list = await grants.change({ ...CHANGE, tool: 'FS.Write.Alias', effect: 'grant' });

  expect(list).toEqual({
    agentId: DEFAULT_AGENT_ID,
    granted: ['fs.read', 'fs.write'],
    changes: [{ ...CHANGE, tool: 'fs.write', effect: 'grant', atMs: 0 }],
  });
});

test('sees what another process changed', async () => {
  const { grants, store } = open();
  await grants.list(DEFAULT_AGENT_ID);
  await store.set({ ...CHANGE, tool: '*', effect: 'revoke' });

  const list = await grants.list(DEFAULT_AGENT_ID);

  expect(list.granted).toEqual([]);
});

test.each([
  ['fs.wirte', DEFAULT_AGENT_ID, 'tool_not_found'],
  ['fs.write', 'agent_none' as AgentId, 'not_found'],
])('refuses %s for %s', async (tool, agentId, code) => {
  const { grants, changes } = open();

  const refused = grants.change({ tool, agentId, by: 'operator', effect: 'revoke' });

  await expect(refused).rejects.toMatchObject({ code });
  expect(changes).toEqual([]);
});
