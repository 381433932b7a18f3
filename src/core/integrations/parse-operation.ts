import type * as z from 'zod';
import { defined } from '../defined.ts';
import type { JsonObject } from '../json.ts';
import type { IntegrationManifest, ToolPack } from './manifest.ts';
import {
  addIssueCommentInput,
  getIssueInput,
  getPullRequestInput,
  listRecipients,
  type SendEmail,
  sendEmailInput,
} from './operation-inputs.ts';

/** One operation of a tool pack, checked and ready to be made. */
export interface Operation {
  readonly integrationId: string;
  readonly name: string;
  /** The tool that carries it out. */
  readonly tool: string;
  readonly isWrite: boolean;
  readonly input: JsonObject;
  /** Whom it reaches, for rules about that. */
  readonly recipients: readonly string[];
}

export type ParsedOperation =
  | { readonly outcome: 'valid'; readonly operation: Operation }
  | { readonly outcome: 'invalid'; readonly problems: readonly string[] };

interface Kind {
  readonly tool: string;
  readonly isWrite: boolean;
  readonly schema: z.ZodType;
  /** Any of these in a manifest permits it. */
  readonly capabilities: readonly string[];
}

const SEND: Kind = {
  tool: 'resend.send_email',
  isWrite: true,
  schema: sendEmailInput,
  capabilities: ['send_email', 'send'],
};

const KINDS: Readonly<Record<ToolPack, Readonly<Record<string, Kind>>>> = {
  'coding.v1': {
    get_issue: {
      tool: 'github.get_issue',
      isWrite: false,
      schema: getIssueInput,
      capabilities: ['get_issue'],
    },
    get_pull_request: {
      tool: 'github.get_pull_request',
      isWrite: false,
      schema: getPullRequestInput,
      capabilities: ['get_pull_request'],
    },
    add_issue_comment: {
      tool: 'github.add_issue_comment',
      isWrite: true,
      schema: addIssueCommentInput,
      capabilities: ['add_issue_comment'],
    },
  },
  'comms.v1': { send_email: SEND },
};

/** What a request says about itself, and what is not an argument of its operation. */
const ABOUT = new Set([
  'integration_id',
  'operation',
  'run_id',
  'thread_id',
  'user_id',
  'tool_call_id',
  'write_approved',
  'consent_granted',
]);

const MAX_PROBLEMS = 20;

/** Distrusts a request. What it leaves out is taken from the manifest, where that has it. */
export function parseOperation(
  request: JsonObject,
  manifest: IntegrationManifest,
): ParsedOperation {
  const { integration_id: integrationId, operation: name } = request;
  if (typeof integrationId !== 'string' || integrationId === '') {
    return invalid('request.integration_id is required');
  }
  if (integrationId !== manifest.integrationId) {
    return invalid(`request.integration_id must be ${manifest.integrationId}, as in the manifest`);
  }
  if (typeof name !== 'string' || name === '') return invalid('request.operation is required');
  const kinds = KINDS[manifest.toolPack];
  const kind = Object.hasOwn(kinds, name) ? kinds[name] : undefined;
  if (!kind) return invalid(`request.operation is not supported: ${name.slice(0, 100)}`);
  if (!kind.capabilities.some((one) => manifest.capabilities.includes(one))) {
    return invalid(`request.operation is not among the manifest's capabilities: ${name}`);
  }
  const parsed = kind.schema.safeParse(toArguments(request, manifest));
  if (!parsed.success) return invalid(...parsed.error.issues.map(describe));
  const input = parsed.data as JsonObject;
  const recipients = kind === SEND ? listRecipients(input as unknown as SendEmail) : [];
  const { tool, isWrite } = kind;
  return {
    outcome: 'valid',
    operation: { integrationId, name, tool, isWrite, input, recipients },
  };
}

function toArguments(request: JsonObject, { toolPack, policy }: IntegrationManifest): JsonObject {
  const given = Object.entries(request).filter(([name]) => !ABOUT.has(name));
  const { recipient, ...rest }: JsonObject = Object.fromEntries(given);
  if (toolPack === 'coding.v1') {
    const { defaultRepository } = policy;
    return {
      ...defined({ repository: defaultRepository }),
      ...Object.fromEntries(given),
    };
  }
  return {
    ...defined({ from: policy.defaultSender, to: recipient }),
    ...rest,
  };
}

function invalid(...problems: readonly string[]): ParsedOperation {
  return { outcome: 'invalid', problems: problems.slice(0, MAX_PROBLEMS) };
}

function describe(issue: z.core.$ZodIssue): string {
  if (issue.code === 'unrecognized_keys') return `request.${issue.keys[0]} is unknown`;
  const path = ['request', ...issue.path.map(String)].join('.');
  const isMissing = issue.code === 'invalid_type' && issue.input === undefined;
  return `${path} ${isMissing ? 'is required' : issue.message}`;
}
