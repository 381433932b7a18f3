import { AUDIT_COMMANDS } from '../commands/audit/audit-commands.ts';
import { COMMS_COMMANDS } from '../commands/comms/comms-commands.ts';
import { CONFIG_COMMANDS } from '../commands/config/config-commands.ts';
import { COST_COMMANDS } from '../commands/costs/cost-commands.ts';
import { INVENTORY_COMMANDS } from '../commands/inventory/inventory-commands.ts';
import { KILL_SWITCH_COMMANDS } from '../commands/kill-switch/kill-switch-commands.ts';
import { KNOWLEDGE_COMMANDS } from '../commands/knowledge/knowledge-commands.ts';
import { MEMORY_COMMANDS } from '../commands/memory/memory-commands.ts';
import { OPENCLAW_COMMANDS } from '../commands/openclaw/openclaw-commands.ts';
import { PROJECTION_COMMANDS } from '../commands/projection/projection-commands.ts';
import { SCHEDULE_COMMANDS } from '../commands/schedule/schedule-commands.ts';
import { SESSION_COMMANDS } from '../commands/sessions/session-commands.ts';
import { TRANSCRIPT_COMMANDS } from '../commands/sessions/transcript-commands.ts';
import { SKILL_COMMANDS } from '../commands/skills/skill-commands.ts';
import { SWITCH_COMMANDS } from '../commands/switches/switch-commands.ts';
import { VOICE_COMMANDS } from '../commands/voice/voice-commands.ts';
import { SAFETY_COMMANDS } from '../safety-commands.ts';
import { TURN_COMMANDS } from '../turn-commands.ts';
import type { CommandEntry } from './command-entry.ts';

/** In the order of the help. Each command is a chunk of its own: one that is not asked for costs nothing. */
export const COMMAND_TABLE: readonly CommandEntry[] = [
  {
    name: 'init',
    summary: 'Create the state root: config, token, workspace',
    group: 'Start here',
    load: async () => (await import('../commands/init.ts')).init,
  },
  {
    name: 'serve',
    summary: 'Start the server',
    group: 'Start here',
    load: async () => (await import('../commands/serve.ts')).serve,
  },
  {
    name: 'dashboard',
    summary: 'Open the dashboard of the running server in a browser',
    group: 'Start here',
    load: async () => (await import('../commands/dashboard.ts')).dashboard,
  },
  {
    name: 'ask',
    summary: 'Give an agent a message and print its answer',
    group: 'Start here',
    load: async () => (await import('../commands/ask.ts')).ask,
  },
  {
    name: 'chat',
    summary: 'Talk with an agent; claw alone does the same on a terminal',
    group: 'Start here',
    load: async () => (await import('../commands/chat.ts')).chat,
  },
  {
    name: 'runs list',
    summary: 'List runs, newest first',
    group: 'Runs',
    load: async () => (await import('../commands/runs/runs-list.ts')).runsList,
  },
  {
    name: 'runs show',
    summary: 'Show a run: status, answer, tools it used',
    group: 'Runs',
    load: async () => (await import('../commands/runs/runs-show.ts')).runsShow,
  },
  {
    name: 'runs watch',
    summary: 'Follow a run until it ends',
    group: 'Runs',
    load: async () => (await import('../commands/runs/runs-watch.ts')).runsWatch,
  },
  {
    name: 'runs steer',
    summary: 'Tell a run something on its way',
    group: 'Runs',
    load: async () => (await import('../commands/runs/runs-steer.ts')).runsSteer,
  },
  {
    name: 'runs cancel',
    summary: 'Cancel a run',
    group: 'Runs',
    load: async () => (await import('../commands/runs/runs-cancel.ts')).runsCancel,
  },
  {
    name: 'runs replay',
    summary: 'Play a run again from its log, calling nothing',
    group: 'Runs',
    load: async () => (await import('../commands/runs/runs-replay.ts')).runsReplay,
  },
  {
    name: 'runs fork',
    summary: 'Go on from an event of a run, as a new one',
    group: 'Runs',
    load: async () => (await import('../commands/runs/runs-fork.ts')).runsFork,
  },
  {
    name: 'runs diff',
    summary: 'Compare two runs, step by step',
    group: 'Runs',
    load: async () => (await import('../commands/runs/runs-diff.ts')).runsDiff,
  },
  ...TURN_COMMANDS,
  ...SESSION_COMMANDS,
  ...MEMORY_COMMANDS,
  ...TRANSCRIPT_COMMANDS,
  ...SCHEDULE_COMMANDS,
  ...KNOWLEDGE_COMMANDS,
  ...VOICE_COMMANDS,
  ...KILL_SWITCH_COMMANDS,
  ...COST_COMMANDS,
  {
    name: 'approvals list',
    summary: 'List what runs ask a person for',
    group: 'Decide',
    load: async () => (await import('../commands/approvals/approvals-list.ts')).approvalsList,
  },
  {
    name: 'approvals show',
    summary: 'Show an approval with the arguments it is bound to',
    group: 'Decide',
    load: async () => (await import('../commands/approvals/approvals-show.ts')).approvalsShow,
  },
  {
    name: 'approvals approve',
    summary: 'Let one call happen',
    group: 'Decide',
    load: async () => (await import('../commands/approvals/approvals-approve.ts')).approvalsApprove,
  },
  {
    name: 'approvals deny',
    summary: 'Refuse one call; its run goes on without it',
    group: 'Decide',
    load: async () => (await import('../commands/approvals/approvals-deny.ts')).approvalsDeny,
  },
  {
    name: 'effects list',
    summary: 'List calls that changed the world, newest first',
    group: 'Decide',
    load: async () => (await import('../commands/effects/effects-list.ts')).effectsList,
  },
  {
    name: 'effects show',
    summary: 'Show an effect',
    group: 'Decide',
    load: async () => (await import('../commands/effects/effects-show.ts')).effectsShow,
  },
  {
    name: 'effects resolve',
    summary: 'Say what became of an unknown effect',
    group: 'Decide',
    load: async () => (await import('../commands/effects/effects-resolve.ts')).effectsResolve,
  },
  {
    name: 'policy list',
    summary: 'List what an agent may use',
    group: 'Decide',
    load: async () => (await import('../commands/policy/policy-list.ts')).policyList,
  },
  {
    name: 'policy grant',
    summary: 'Grant an agent a tool',
    group: 'Decide',
    load: async () => (await import('../commands/policy/policy-grant.ts')).policyGrant,
  },
  {
    name: 'policy revoke',
    summary: 'Take a tool from an agent',
    group: 'Decide',
    load: async () => (await import('../commands/policy/policy-revoke.ts')).policyRevoke,
  },
  ...SWITCH_COMMANDS,
  {
    name: 'tool list',
    summary: 'List the tools and their circuits',
    group: 'Tools',
    load: async () => (await import('../commands/tool/tool-list.ts')).toolList,
  },
  {
    name: 'tool show',
    summary: 'Show a tool: effect, limits, reliability settings',
    group: 'Tools',
    load: async () => (await import('../commands/tool/tool-show.ts')).toolShow,
  },
  {
    name: 'tool circuit-breaker status',
    summary: 'Show the circuit of a tool',
    group: 'Tools',
    load: async () => (await import('../commands/tool/tool-circuit-breaker.ts')).toolCircuitStatus,
  },
  {
    name: 'tool circuit-breaker open',
    summary: 'Cut a tool off until it is reset',
    group: 'Tools',
    load: async () => (await import('../commands/tool/tool-circuit-breaker.ts')).toolCircuitOpen,
  },
  {
    name: 'tool circuit-breaker reset',
    summary: 'Close the circuit of a tool',
    group: 'Tools',
    load: async () => (await import('../commands/tool/tool-circuit-breaker.ts')).toolCircuitReset,
  },
  {
    name: 'tool idempotency list',
    summary: 'List the idempotency keys of a tool',
    group: 'Tools',
    load: async () =>
      (await import('../commands/tool/tool-idempotency-list.ts')).toolIdempotencyList,
  },
  {
    name: 'tool idempotency flush',
    summary: 'Forget idempotency keys of a tool',
    group: 'Tools',
    load: async () =>
      (await import('../commands/tool/tool-idempotency-flush.ts')).toolIdempotencyFlush,
  },
  {
    name: 'tool reliability report',
    summary: 'What the reliability layer would have done',
    group: 'Tools',
    load: async () =>
      (await import('../commands/tool/tool-reliability-report.ts')).toolReliabilityReport,
  },
  {
    name: 'mcp list',
    summary: 'List external tool servers and their tools',
    group: 'Tools',
    load: async () => (await import('../commands/mcp/mcp-list.ts')).mcpList,
  },
  {
    name: 'mcp approve',
    summary: 'Approve what a tool of an external server says about itself',
    group: 'Tools',
    load: async () => (await import('../commands/mcp/mcp-approve.ts')).mcpApprove,
  },
  {
    name: 'mcp serve',
    summary: 'Serve runs and tools to an MCP client over standard streams',
    group: 'Tools',
    load: async () => (await import('../commands/mcp/mcp-serve.ts')).mcpServe,
  },
  ...OPENCLAW_COMMANDS,
  ...SKILL_COMMANDS,
  ...INVENTORY_COMMANDS,
  ...CONFIG_COMMANDS,
  {
    name: 'secrets list',
    summary: 'List the names of stored secrets',
    group: 'Operate',
    load: async () => (await import('../commands/secrets/secrets-list.ts')).secretsList,
  },
  {
    name: 'secrets set',
    summary: 'Store a secret, read from standard input or typed unseen',
    group: 'Operate',
    load: async () => (await import('../commands/secrets/secrets-set.ts')).secretsSet,
  },
  {
    name: 'secrets delete',
    summary: 'Delete a secret',
    group: 'Operate',
    load: async () => (await import('../commands/secrets/secrets-delete.ts')).secretsDelete,
  },
  {
    name: 'secrets rotate',
    summary: 'Encrypt all secrets under a new master key',
    group: 'Operate',
    load: async () => (await import('../commands/secrets/secrets-rotate.ts')).secretsRotate,
  },
  ...COMMS_COMMANDS,
  ...PROJECTION_COMMANDS,
  ...AUDIT_COMMANDS,
  {
    name: 'recover',
    summary: 'Put back what the database has lost, from the audit files',
    group: 'Operate',
    load: async () => (await import('../commands/recover.ts')).recover,
  },
  ...SAFETY_COMMANDS,
  {
    name: 'doctor',
    summary: 'Check this machine and the state root, with a fix for each finding',
    group: 'Operate',
    load: async () => (await import('../commands/doctor/doctor.ts')).doctor,
  },
  {
    name: 'completion',
    summary: 'Print a completion script for bash, zsh or fish',
    group: 'This program',
    load: async () => (await import('../commands/completion.ts')).completion,
  },
  {
    name: 'schema',
    summary: 'Print the JSON Schema of what a command prints',
    group: 'This program',
    load: async () => (await import('../commands/schema.ts')).schema,
  },
  {
    name: 'version',
    summary: 'Print the version',
    group: 'This program',
    load: async () => (await import('../commands/version.ts')).version,
  },
];

/** Not a command of its own: it reads this table, and works as `--help` after any command too. */
export const HELP_ENTRY = {
  name: 'help',
  summary: 'Explain a command',
  group: 'This program',
} as const;

/** `runs list` … of `runs`; empty for words that begin no command. */
export function listSubcommands(words: string): CommandEntry[] {
  return COMMAND_TABLE.filter(({ name }) => name.startsWith(`${words} `));
}

export function findEntry(name: string): CommandEntry | undefined {
  return COMMAND_TABLE.find((entry) => entry.name === name);
}
