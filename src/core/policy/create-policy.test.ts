import { expect, test } from 'vitest';
import * as z from 'zod';
import { defined } from '../defined.ts';
import type { AgentId, RequestId, RunId } from '../ids.ts';
import type { JsonObject } from '../json.ts';
import { OPERATOR } from '../principal.ts';
import { defineTool, type Tool, type ToolDefinition, type ToolTrait } from '../tools/tool.ts';
import type { Capabilities } from './capabilities.ts';
import { createPolicy, type PolicySettings } from './create-policy.ts';

function toolOf(definition: Partial<ToolDefinition<JsonObject, JsonObject>>): Tool {
  return defineTool<JsonObject, JsonObject>({
    name: 'fs.write',
    description: '',
    effect: 'write',
    input: z.record(z.string(), z.any()),
    execute: async () => ({}),
    ...definition,
  });
}

function decide(
  { has = () => true, ...settings }: Partial<PolicySettings & Pick<Capabilities, 'has'>>,
  call: {
    tool?: Tool;
    input?: JsonObject;
    exposure?: readonly ToolTrait[];
    principal?: string;
  } = {},
) {
  const policy = createPolicy({
    capabilities: { has, freshen: async () => {} },
    settings: () => ({ mode: 'full', rules: [], hasRuleOfTwo: true, ...settings }),
  });
  return policy.decide({
    requestId: 'req_1' as RequestId,
    agentId: 'agent_default' as AgentId,
    principal: call.principal ?? OPERATOR,
    runId: 'run_1' as RunId,
    tool: call.tool ?? toolOf({}),
    input: call.input ?? {},
    exposure: call.exposure ?? [],
  });
}

test('a tool that is not granted is denied, whatever else speaks for it', async () => {
  const rules = [{ tool: '*', decision: 'allow' as const }];

  expect(await decide({ has: () => false, rules })).toEqual({
    decision: 'deny',
    reason: 'capability_missing',
    message: 'agent agent_default may not use fs.write',
  });
});

test.each([
  ['read-only', 'read', undefined, 'allow'],
  ['read-only', 'write', 'workspace-write', 'deny'],
  ['workspace-write', 'write', 'workspace-write', 'allow'],
  ['workspace-write', 'write', undefined, 'deny'],
  ['full', 'write', undefined, 'allow'],
] as const)('mode %s, a %s tool that needs %s: %s', async (mode, effect, requires, expected) => {
  const tool = toolOf({ effect, ...defined({ requires }) });

  expect((await decide({ mode }, { tool })).decision).toBe(expected);
});

test('the strictest rule that speaks about a call counts, in any order', async () => {
  const where = { field: 'path', prefix: 'secret/' };
  const rules = [
    { tool: 'fs.*', decision: 'ask' as const },
    { tool: 'fs.write', decision: 'deny' as const, where },
    { tool: 'fs.write', decision: 'allow' as const },
  ];

  expect((await decide({ rules }, { input: { path: 'a.txt' } })).decision).toBe('ask');
  expect((await decide({ rules }, { input: { path: 'secret/a' } })).decision).toBe('deny');
  expect((await decide({ rules }, { tool: toolOf({ name: 'time.now' }) })).decision).toBe('allow');
});

test.each(['./secret/a', 'secret//a', 'public/../secret/a', './/secret/./a'])(
  'a rule about a path speaks about its other spelling %s too',
  async (path) => {
    const where = { field: 'path', prefix: 'secret/' };
    const rules = [{ tool: 'fs.write', decision: 'deny' as const, where }];

    expect((await decide({ rules }, { input: { path } })).decision).toBe('deny');
    expect((await decide({ rules }, { input: { path: './secrets' } })).decision).toBe('allow');
  },
);

test('what is allowed in one place is asked about there by the tool alone, and a denial stands', async () => {
  const here = { field: 'path', prefix: 'notes/today.md' };
  const rules = [
    { tool: 'fs.*', decision: 'ask' as const },
    { tool: 'fs.write', decision: 'allow' as const, where: here },
    { tool: 'fs.write', decision: 'ask' as const, where: { field: 'path', prefix: 'notes/' } },
  ];
  const denial = { tool: '*', decision: 'deny' as const };
  const tool = toolOf({ judge: () => ({ decision: 'ask', reason: 'own', message: 'own' }) });
  const input = { path: 'notes/today.md' };

  expect((await decide({ rules }, { input })).decision).toBe('allow');
  expect((await decide({ rules }, { tool, input })).decision).toBe('ask');
  expect((await decide({ rules }, { input: { path: 'notes/other.md' } })).decision).toBe('ask');
  expect((await decide({ rules: [...rules, denial] }, { input })).decision).toBe('deny');
});

test("a tool's own opinion about its arguments is heard", async () => {
  const tool = toolOf({
    judge: ({ command }) =>
      command === 'ls'
        ? { decision: 'allow', reason: 'listed' }
        : { decision: 'deny', reason: 'not_listed', message: 'not listed' },
  });

  expect((await decide({}, { tool, input: { command: 'ls' } })).decision).toBe('allow');
  expect((await decide({}, { tool, input: { command: 'rm' } })).decision).toBe('deny');
});

test('untrusted input, secret data and an outward effect together need a person', async () => {
  const outward = toolOf({ name: 'http.request', traits: ['outward_effect', 'untrusted_input'] });

  expect((await decide({}, { tool: outward })).decision).toBe('allow');
  expect((await decide({}, { tool: outward, exposure: ['secret_data'] })).reason).toBe(
    'rule_of_two',
  );
  expect((await decide({}, { exposure: ['secret_data', 'untrusted_input'] })).decision).toBe(
    'allow',
  );
  const off = { hasRuleOfTwo: false };
  expect((await decide(off, { tool: outward, exposure: ['secret_data'] })).decision).toBe('allow');
});
