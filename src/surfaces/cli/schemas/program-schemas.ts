import { approval } from '../../http/admin-shapes.ts';
import { runSummary, runTrace } from '../../http/run-shapes.ts';
import { auditVerdict, configSaved, configVerdict, status } from '../../http/runtime-shapes.ts';
import { via } from './admin-schemas.ts';
import type { CommandSchema } from './command-schema.ts';
import {
  anyObject,
  anything,
  count,
  flag,
  list,
  type Members,
  object,
  oneOf,
  orNull,
  text,
  texts,
} from './json-schema.ts';
import { toMembers, toSchema } from './shape-members.ts';

const { error: runError = {}, ...optionalOfRun } = toMembers(runSummary).optional;
/** `error` is the envelope's own. */
const run = {
  fields: toMembers(runSummary).fields,
  optional: { ...optionalOfRun, run_error: runError },
};
const { fields: runFields } = run;

function pick(members: Members, ...names: string[]): Members {
  return Object.fromEntries(Object.entries(members).filter(([name]) => names.includes(name)));
}

function omit(members: Members, ...names: string[]): Members {
  return Object.fromEntries(Object.entries(members).filter(([name]) => !names.includes(name)));
}

const {
  started_at: startedAt = {},
  uptime_seconds: uptime = {},
  queue = {},
} = toMembers(status).fields;
const saved = { field: text, ...omit(toMembers(configSaved).fields, 'ok'), via };
const switched: CommandSchema = {
  fields: {
    name: oneOf('shell', 'network'),
    enabled: flag,
    consequences: texts,
    warnings: texts,
    ...omit(toMembers(configSaved).fields, 'ok'),
    via,
  },
};
const commandOfHelp = object({ name: text, summary: text, group: text });
const optionOfHelp = object({ name: text, value: orNull(text), summary: text });

const answered = pick(
  runFields,
  'agent_id',
  'status',
  'stop_reason',
  'output',
  'usage',
  'tool_calls',
  'provider',
  'model',
  'duration_ms',
);

export const PROGRAM_SCHEMAS: Readonly<Record<string, CommandSchema>> = {
  init: {
    fields: {
      root: text,
      root_from: oneOf('flag', 'environment', 'working_directory', 'above'),
      workspace: text,
      created: texts,
      existing: texts,
      warnings: texts,
      next_steps: texts,
    },
  },
  serve: {
    fields: {
      url: text,
      pid: count,
      root: text,
      model: text,
      storage: text,
      token_file: orNull(text),
      token_variable: orNull(text),
      created: texts,
      warnings: texts,
    },
  },
  ask: { fields: { run_id: text, ...answered, via }, optional: { approval_id: text } },
  // An answer, what a slash command said, or nothing after a conversation on a terminal.
  chat: {
    fields: {},
    optional: {
      run_id: text,
      session_id: orNull(text),
      approval_id: text,
      ...answered,
      response: text,
      via,
    },
  },
  'runs list': {
    fields: {
      runs_count: count,
      runs: list(object(run.fields, run.optional)),
      next_cursor: orNull(text),
      via,
    },
  },
  'runs show': {
    fields: {
      ...run.fields,
      trace: toSchema(runTrace),
      open_approval: orNull(toSchema(approval)),
      via,
    },
    optional: run.optional,
  },
  'runs watch': { fields: { ...run.fields, events_count: count, via }, optional: run.optional },
  'runs cancel': {
    fields: {
      ...pick(run.fields, 'id', 'status'),
      cancel_requested: flag,
      idempotent_replay: flag,
      via,
    },
  },
  'config get': {
    fields: { via },
    optional: { config: anyObject, field: text, value: anything },
  },
  'config set': { fields: saved },
  'config unset': { fields: saved },
  'enable shell': switched,
  'enable network': switched,
  'disable shell': switched,
  'disable network': switched,
  'config validate': {
    fields: { file: text, exists: flag, ...toMembers(configVerdict).fields },
  },
  'secrets list': { fields: { keys_count: count, keys: texts, via } },
  'secrets set': { fields: { name: text, stored: flag, via } },
  'secrets delete': { fields: { name: text, deleted: flag, via } },
  'secrets rotate': {
    fields: {
      rotated: count,
      master_key_from: oneOf('environment', 'file'),
      next_steps: texts,
      via,
    },
  },
  'audit verify': { fields: omit(toMembers(auditVerdict).fields, 'complete') },
  recover: {
    fields: {
      way: oneOf('from_audit', 'accept_loss'),
      lost_runs_count: count,
      settled_runs_count: count,
      settled_events_count: count,
      failures: list(object({ run_id: text, message: text })),
    },
  },
  doctor: {
    fields: {
      root: text,
      has_failures: flag,
      summary: object({ total: count, ok: count, warnings: count, failures: count }),
      checks: list(
        object({ name: text, status: oneOf('ok', 'warn', 'fail'), summary: text }, { fix: text }),
      ),
    },
  },
  status: {
    fields: {
      running: flag,
      url: orNull(text),
      ...omit(toMembers(status).fields, 'runs', 'started_at', 'uptime_seconds', 'queue'),
      started_at: orNull(startedAt),
      uptime_seconds: orNull(uptime),
      queue: orNull(queue),
      via,
    },
  },
  completion: { fields: { shell: oneOf('bash', 'zsh', 'fish'), script: text } },
  schema: {
    fields: {},
    optional: {
      name: text,
      found: { const: true },
      schema: anyObject,
      schemas_count: count,
      schemas: list(object({ name: text, file: text })),
    },
  },
  version: { fields: { name: text, version: text, node_version: text, platform: text } },
  help: {
    fields: { usage: text },
    optional: {
      commands: list(commandOfHelp),
      options: list(optionOfHelp),
      name: text,
      summary: text,
      description: text,
      examples: texts,
      exit_status: list(object({ code: count, meaning: text })),
      see_also: texts,
    },
  },
};
