import { toDefinitionPath, toSoulPath } from '../../core/agents/agent-files.ts';
import { MAX_AGENTS } from '../../core/agents/stored-agents.ts';
import { type AnyOperation, answer, operationsWith, Reply } from '../operation.ts';
import { decodeAgentFields, decodeApproval, encodeProfile } from './agent-codec.ts';
import type { AgentReading, AgentWriting } from './agents.ts';

/** Agents in the words of contract 2: what `/api/agents` says of them. */
const define = operationsWith(() => import('./agent-shapes.ts'));

const TAGS = ['agents'];
const AGENTS = '/api/agents';
const ONE_AGENT = `${AGENTS}/:agent_id` as const;
const READ_ERRORS = [400, 401, 403, 404, 429, 500, 503] as const;
const CHANGE_ERRORS = [400, 401, 403, 404, 409, 413, 415, 429, 500, 503] as const;

const spawnProfile = define({
  name: 'profiles.spawn',
  method: 'POST',
  path: `${AGENTS}/spawn`,
  effect: 'write',
  summary: 'Spawn an agent',
  description: 'Makes the agent, its soul from a personality template, and its files.',
  tags: TAGS,
  errors: [400, 401, 403, 409, 413, 415, 429, 500, 503],
  wire: ({ spawnBody, approvalHeaders, spawnedProfile }) => ({
    headers: approvalHeaders,
    body: spawnBody,
    answers: { 201: answer('The agent and its files.', spawnedProfile) },
  }),
  async run({ agents }: AgentWriting, { body, headers }) {
    const given = { ...decodeAgentFields(body), ...decodeApproval(headers) };
    const agent = await agents.create(given);
    const files = [toSoulPath(agent.slug), toDefinitionPath(agent.slug)];
    const location = `${AGENTS}/${agent.id}`;
    return new Reply(201, { agent: encodeProfile(agent), files_created: files }, { location });
  },
});

const listProfiles = define({
  name: 'profiles.list',
  method: 'GET',
  path: AGENTS,
  effect: 'read',
  summary: 'List agents',
  description: 'All of them, oldest first. `busy` are those with a run under way, or marked so.',
  tags: TAGS,
  errors: [400, 401, 403, 429, 500, 503],
  wire: ({ profileList }) => ({ answers: { 200: answer('The agents.', profileList) } }),
  async run({ agents }: AgentReading) {
    const page = await agents.list({ limit: MAX_AGENTS });
    const all = page.agents.toSorted((a, b) => a.createdAtMs - b.createdAtMs);
    return { agents: all.map(encodeProfile) };
  },
});

const getProfile = define({
  name: 'profiles.get',
  method: 'GET',
  path: ONE_AGENT,
  effect: 'read',
  summary: 'Read an agent',
  description: 'By id, slug or name.',
  tags: TAGS,
  errors: READ_ERRORS,
  wire: ({ agentParams, oneProfile }) => ({
    params: agentParams,
    answers: { 200: answer('The agent.', oneProfile) },
  }),
  run: async ({ agents }: AgentReading, { params }) => ({
    agent: encodeProfile(await agents.get(params.agent_id)),
  }),
});

const changeProfile = define({
  name: 'profiles.change',
  method: 'PATCH',
  path: ONE_AGENT,
  effect: 'write',
  summary: 'Change an agent',
  description: 'Fields that are given. A personality template makes the soul anew; the slug stays.',
  tags: TAGS,
  errors: CHANGE_ERRORS,
  wire: ({ agentParams, changeProfileBody, approvalHeaders, oneProfile }) => ({
    headers: approvalHeaders,
    params: agentParams,
    body: changeProfileBody,
    answers: { 200: answer('The agent after the change.', oneProfile) },
  }),
  async run({ agents }: AgentWriting, { params, body, headers }) {
    const change = { ...decodeAgentFields(body), ...decodeApproval(headers) };
    return { agent: encodeProfile(await agents.update(params.agent_id, change)) };
  },
});

const removeProfile = define({
  name: 'profiles.remove',
  method: 'DELETE',
  path: ONE_AGENT,
  effect: 'write',
  summary: 'Remove an agent',
  description:
    'With its jobs and its files, which go to a folder for what is thrown away. Its records stay.',
  tags: TAGS,
  errors: [400, 401, 403, 404, 409, 429, 500, 503],
  wire: ({ agentParams, removedProfile }) => ({
    params: agentParams,
    answers: { 200: answer('The agent that is gone.', removedProfile) },
  }),
  run: async ({ agents }: AgentWriting, { params }) => ({
    agent: encodeProfile(await agents.remove(params.agent_id)),
    deleted: true as const,
  }),
});

const setStatus = define({
  name: 'profiles.status',
  method: 'PATCH',
  path: `${ONE_AGENT}/status`,
  effect: 'write',
  isRepeatable: true,
  summary: 'Put an agent to sleep, wake it, or mark it busy',
  description: 'A sleeping agent takes no runs: they wait until it is awake.',
  tags: TAGS,
  errors: CHANGE_ERRORS,
  wire: ({ agentParams, statusBody, oneProfile }) => ({
    params: agentParams,
    body: statusBody,
    answers: { 200: answer('The agent after the change.', oneProfile) },
  }),
  run: async ({ agents }: AgentWriting, { params, body }) => ({
    agent: encodeProfile(await agents.setStatus(params.agent_id, body.status)),
  }),
});

const setPermissions = define({
  name: 'profiles.permissions',
  method: 'PATCH',
  path: `${ONE_AGENT}/permissions`,
  effect: 'write',
  isRepeatable: true,
  summary: 'Change what an agent may use and remember',
  description: 'Its skills, and whether it shares its memory.',
  tags: TAGS,
  errors: CHANGE_ERRORS,
  wire: ({ agentParams, permissionsBody, approvalHeaders, oneProfile }) => ({
    headers: approvalHeaders,
    params: agentParams,
    body: permissionsBody,
    answers: { 200: answer('The agent after the change.', oneProfile) },
  }),
  async run({ agents }: AgentWriting, { params, body, headers }) {
    const change = { ...decodeAgentFields(body), ...decodeApproval(headers) };
    return { agent: encodeProfile(await agents.update(params.agent_id, change)) };
  },
});

/** In the order of the documentation. */
export const PROFILE_OPERATIONS: readonly AnyOperation<AgentWriting>[] = [
  spawnProfile,
  listProfiles,
  getProfile,
  changeProfile,
  removeProfile,
  setStatus,
  setPermissions,
];
