import { expect, test } from 'vitest';
import * as z from 'zod';
import { limitBySkills } from '../agents/limit-by-skills.ts';
import type { AgentId } from '../ids.ts';
import { createCapabilities } from '../policy/capabilities.ts';
import type { CapabilityChange } from '../policy/capability-store.ts';
import { createGrantedTools } from './granted-tools.ts';
import { createToolRegistry } from './registry.ts';
import { defineTool, type Tool } from './tool.ts';

const AGENT = 'agent_one' as AgentId;
const OTHER = 'agent_other' as AgentId;

function tool(name: string): Tool {
  return defineTool({
    name,
    description: name,
    effect: 'read',
    input: z.object({}),
    execute: async () => ({}),
  });
}

async function setUp() {
  const stored: CapabilityChange[] = [];
  const store = {
    list: async () => [...stored],
    set: async (change: Omit<CapabilityChange, 'atMs'>) =>
      void stored.push({ ...change, atMs: stored.length }),
  };
  const granted = { current: ['fs.*'] as readonly string[] };
  const skills: { id: AgentId; skills: string[] }[] = [];
  const all = createCapabilities(store, () => granted.current);
  const capabilities = limitBySkills(all, { listSkills: async () => skills });
  await capabilities.refresh();
  const registry = createToolRegistry([tool('fs.read'), tool('fs.write'), tool('time.now')]);
  let judged = 0;
  const describe = createGrantedTools({
    registry,
    isGranted(agentId, { name }, principal) {
      judged += 1;
      return principal !== 'user:2' && capabilities.has(agentId, name);
    },
    grounds: () => [granted.current, capabilities.version()],
  });
  const names = (agentId = AGENT, principal = 'user:1') =>
    describe(agentId, principal).map(({ name }) => name);
  return { registry, capabilities, granted, describe, names, judged: () => judged };
}

test('judges tools once, and gives each agent and principal its own list', async () => {
  const { names, describe, capabilities, judged } = await setUp();
  await capabilities.change({ agentId: OTHER, tool: 'fs.write', effect: 'revoke', by: 'operator' });

  const lists = [names(), names(OTHER), names(AGENT, 'user:2')];
  const before = judged();
  const again = [names(), names(OTHER), names(AGENT, 'user:2')];

  expect(lists).toEqual([['fs.read', 'fs.write'], ['fs.read'], []]);
  expect(again).toEqual(lists);
  expect(judged()).toBe(before);
  expect(describe(AGENT, 'user:1')).toBe(describe(AGENT, 'user:1'));
});

test('a grant that is given or taken shows at once', async () => {
  const { names, capabilities } = await setUp();
  const before = names();

  await capabilities.change({ agentId: AGENT, tool: 'time.now', effect: 'grant', by: 'operator' });
  const given = names();
  await capabilities.change({ agentId: AGENT, tool: 'fs.write', effect: 'revoke', by: 'operator' });

  expect(before).toEqual(['fs.read', 'fs.write']);
  expect(given).toEqual(['fs.read', 'fs.write', 'time.now']);
  expect(names()).toEqual(['fs.read', 'time.now']);
});

test('tools that a server brings or takes show at once', async () => {
  const { names, registry } = await setUp();
  const before = names();

  registry.replace('server', [tool('fs.find')]);
  const brought = names();
  registry.replace('server', []);

  expect(brought).toEqual(['fs.find', ...before]);
  expect(names()).toEqual(before);
});

test('the configuration and the skills of an agent count from when they change', async () => {
  const { names, granted, capabilities } = await setUp();
  names();

  granted.current = ['time.*', 'fs.read'];
  const configured = names();
  capabilities.note({ id: AGENT, skills: ['web'] });

  expect(configured).toEqual(['fs.read', 'time.now']);
  expect(names()).toEqual(['time.now']);
});
