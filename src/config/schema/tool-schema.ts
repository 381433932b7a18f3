import { z } from 'zod';
import { DEFAULT_RELIABILITY } from '../../core/reliability/settings.ts';
import { DAY_MS, HOUR_MS, MIB, whole } from './schema-bounds.ts';
import { toSnakeCase } from './to-snake-case.ts';

/** Sections of the config about tools: who may use which, how far they reach, and what guards their calls. */
const FIRST_TOOLS = [
  'fs.*',
  'code.search',
  'artifact.read',
  'time.now',
  'run.list',
  'run.get',
  'agent.list',
  'metrics.get',
  'decision.log',
  'session.list',
  'session.close',
  'agent.message.send',
  'agent.message.inbox',
  'scheduler.*',
  'secrets.list',
  'skill.read',
  'memory.search',
  'memory.write',
  'http.request',
  'shell.exec',
  'mcp__*',
];
const TOOL_PATTERN = /^(\*|[a-zA-Z][a-zA-Z0-9_.-]{0,127}\*?)$/;
const toolPattern = z
  .string()
  .regex(TOOL_PATTERN, 'must be a tool name such as fs.read, or a prefix such as fs.*');

export const tools = z
  .strictObject({
    granted: z
      .array(toolPattern)
      .max(1000)
      .default(FIRST_TOOLS)
      .describe(
        'Tools that agents may use, by name or prefix; any other call is denied. The network and the shell have switches of their own beside this.',
      ),
    granted_to_principals: z
      .array(toolPattern)
      .max(1000)
      .default([])
      .describe(
        'Tools that runs for users and guests of /internal/v1 may use beside the built-in ones that keep them apart, as in mcp__maps__*. Such a tool does not know whom it works for.',
      ),
    default_timeout_ms: whole(1, DAY_MS)
      .default(30_000)
      .describe('Time for a tool call that asks for none.'),
    max_timeout_ms: whole(1, DAY_MS)
      .default(900_000)
      .describe('Longest time a tool call may ask for.'),
    max_output_bytes: whole(1024, 16 * MIB)
      .default(65_536)
      .describe('Output kept in the event log per call; more goes to an artifact file.'),
  })
  .prefault({})
  .refine((value) => value.default_timeout_ms <= value.max_timeout_ms, {
    path: ['default_timeout_ms'],
    error: 'must not be above tools.max_timeout_ms',
  });

export const policy = z
  .strictObject({
    mode: z
      .enum(['read-only', 'workspace-write', 'full'])
      .default('full')
      .describe('How far any tool may reach, whatever is granted.'),
    rules: z
      .array(
        z.strictObject({
          tool: toolPattern.describe('Tool name, or a prefix ending in *.'),
          decision: z.enum(['allow', 'ask', 'deny']).describe('What to do with such a call.'),
          where: z
            .strictObject({
              field: z.string().min(1).max(128).describe('Argument to look at.'),
              prefix: z.string().max(4096).optional().describe('What it begins with.'),
              equals: z.string().max(4096).optional().describe('What it is; instead of prefix.'),
            })
            .refine(({ prefix, equals }) => (prefix === undefined) !== (equals === undefined), {
              error: 'must have either prefix or equals',
            })
            .optional()
            .describe('Only calls with such an argument.'),
        }),
      )
      .max(1000)
      .default([])
      .describe(
        'Rules about calls; the strictest that speaks about a call counts, but a narrower allow answers an ask.',
      ),
    approval_ttl_ms: whole(1000, 30 * DAY_MS)
      .default(HOUR_MS)
      .describe('How long a question to a person stays open; unanswered, the call is denied.'),
    rule_of_two: z
      .boolean()
      .default(true)
      .describe(
        'Ask a person before a run that has seen untrusted input and secret data acts outward.',
      ),
  })
  .prefault({});

export const network = z
  .strictObject({
    enabled: z.boolean().default(false).describe('Let http.request reach the network at all.'),
    allowed_domains: z
      .array(z.string().min(1).max(255).regex(/^\S+$/, 'must not contain spaces'))
      .max(1000)
      .default([])
      .describe('Hosts it may reach, subdomains included; entries may name a port.'),
    allow_localhosts: z
      .boolean()
      .default(false)
      .describe('Let it reach loopback addresses. Private addresses stay out of reach.'),
    principal_secrets: z
      .array(z.string().min(1).max(128))
      .max(1000)
      .default([])
      .describe(
        'Secrets that http.request may send in runs for users and guests of /internal/v1, by name. Runs of the operator may send any but the keys of models.',
      ),
    idempotency_key_domains: z
      .array(z.string().min(1).max(255).regex(/^\S+$/, 'must not contain spaces'))
      .max(1000)
      .default([])
      .describe(
        'Hosts that honour Idempotency-Key: a write to them may be sent again with the same key.',
      ),
  })
  .prefault({});

const commandPatterns = z.array(z.string().min(1).max(1024)).max(1000).default([]);

export const shell = z
  .strictObject({
    enable_exec: z
      .boolean()
      .default(false)
      .describe('Let agents run commands; needs an active sandbox.'),
    allowed_commands: commandPatterns.describe(
      'Commands that may run, by their first words; every part of a line must be listed. One that is narrower than those of ask_commands is not asked about.',
    ),
    ask_commands: commandPatterns.describe('Commands that a person is asked about.'),
    denied_commands: commandPatterns.describe('Commands that never run.'),
  })
  .prefault({});

export const sandbox = z
  .strictObject({
    active: z.boolean().default(false).describe('Run commands in a sandbox.'),
    provider: z
      .enum(['none', 'bwrap', 'docker'])
      .default('none')
      .describe('Which one: bubblewrap, or a container.'),
    docker_image: z
      .string()
      .min(1)
      .max(255)
      .default('debian:stable-slim')
      .describe('Image of the docker provider.'),
  })
  .prefault({})
  .refine((value) => !value.active || value.provider !== 'none', {
    path: ['provider'],
    error: 'must be bwrap or docker when sandbox.active is true',
    params: { fix: 'set sandbox.provider to bwrap or docker, or sandbox.active to false' },
  });

type OverrideGroup = 'breaker' | 'retry' | 'idempotency';

/** Only the shape: names and bounds are the reliability layer's own, and `toReliabilityOverrides` asks it. */
const overridesOf = (group: OverrideGroup) =>
  z
    .record(z.string(), z.union([z.number(), z.string()], { error: 'must be a number or a word' }))
    .optional()
    .describe(`Any of ${listDefaults(group)}.`);

export const toolReliability = z
  .strictObject({
    mode: z
      .enum(['off', 'shadow', 'read_only', 'all'])
      .default('off')
      .describe(
        'Retries, circuit breakers and deduplication of tool calls. The first start writes all. TOOL_RELIABILITY_ENABLED overrides it at any time.',
      ),
    keep_breakers: z
      .boolean()
      .default(true)
      .describe('Keep the state of circuit breakers over a restart.'),
    overrides: z
      .record(
        toolPattern.meta({ title: 'tool' }),
        z.strictObject({
          breaker: overridesOf('breaker'),
          retry: overridesOf('retry'),
          idempotency: overridesOf('idempotency'),
        }),
      )
      .default({})
      .describe(
        'Other numbers for some tools, by name or prefix; docs/reliability.md explains them.',
      ),
  })
  .prefault({});

/** What is in an entry is checked when it is used: one that is wrong must not keep the others from working. */
export const mcpServers = z
  .record(z.string(), z.record(z.string(), z.unknown()))
  .default({})
  .describe(
    'External MCP servers by name; docs/mcp.md lists the fields of an entry. In camel case, as in every other MCP client.',
  );

function listDefaults(group: OverrideGroup): string {
  return Object.entries(DEFAULT_RELIABILITY[group])
    .map(([name, value]) => `${toSnakeCase(name)} (${value})`)
    .join(', ');
}
