import {
  type AddIssueComment,
  addIssueCommentInput,
  type GetIssue,
  type GetPullRequest,
  getIssueInput,
  getPullRequestInput,
} from '../../core/integrations/operation-inputs.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../../core/json.ts';
import { defineTool, type Tool, type ToolContext } from '../../core/tools/tool.ts';
import { callService, type ServiceRequest } from './call-service.ts';
import { findService, MAX_SERVICE_TIMEOUT_MS, type ServiceDeps } from './find-service.ts';

const HEADERS = { accept: 'application/vnd.github+json', 'x-github-api-version': '2022-11-28' };

const COMMON = {
  // What GitHub refuses for one operation it will refuse for the next.
  circuit: 'github',
  traits: ['untrusted_input', 'outward_effect'],
  limits: { timeoutMs: MAX_SERVICE_TIMEOUT_MS },
  source: 'src/toolbox/integrations/github-tools.ts',
} as const;

export function createGithubTools(deps: ServiceDeps): readonly Tool[] {
  async function call(request: ServiceRequest, ctx: ToolContext): Promise<JsonObject> {
    const service = await findService(deps, 'github', ctx);
    return (await callService({ ...service, headers: HEADERS }, request, ctx)).body;
  }
  return [createGetIssue(call), createGetPullRequest(call), createAddIssueComment(call)];
}

type Call = (request: ServiceRequest, ctx: ToolContext) => Promise<JsonObject>;

function createGetIssue(call: Call): Tool {
  return defineTool<GetIssue, JsonObject>({
    ...COMMON,
    name: 'github.get_issue',
    description: 'Read an issue of a GitHub repository.',
    effect: 'read',
    traits: ['untrusted_input'],
    input: getIssueInput,
    summarize: ({ repository, issue_number }) => `read ${repository}#${issue_number}`,
    execute: async ({ repository, issue_number }, ctx) =>
      pick(
        await call({ method: 'GET', path: issuePath(repository, issue_number) }, ctx),
        ISSUE_FIELDS,
      ),
  });
}

function createGetPullRequest(call: Call): Tool {
  return defineTool<GetPullRequest, JsonObject>({
    ...COMMON,
    name: 'github.get_pull_request',
    description: 'Read a pull request of a GitHub repository.',
    effect: 'read',
    traits: ['untrusted_input'],
    input: getPullRequestInput,
    summarize: ({ repository, pull_number }) => `read ${repository}#${pull_number}`,
    async execute({ repository, pull_number }, ctx) {
      const path = `${repositoryPath(repository)}/pulls/${pull_number}`;
      const pull = await call({ method: 'GET', path }, ctx);
      return { ...pick(pull, PULL_FIELDS), head: branch(pull['head']), base: branch(pull['base']) };
    },
  });
}

function createAddIssueComment(call: Call): Tool {
  return defineTool<AddIssueComment, JsonObject>({
    ...COMMON,
    name: 'github.add_issue_comment',
    description: 'Comment on an issue or pull request of a GitHub repository.',
    effect: 'write',
    input: addIssueCommentInput,
    summarize: ({ repository, issue_number }) => `commented on ${repository}#${issue_number}`,
    async execute({ repository, issue_number, body }, ctx) {
      const path = `${issuePath(repository, issue_number)}/comments`;
      return pick(await call({ method: 'POST', path, body: { body } }, ctx), COMMENT_FIELDS);
    },
  });
}

function repositoryPath(repository: string): string {
  return `/repos/${repository.split('/').map(encodeURIComponent).join('/')}`;
}

function issuePath(repository: string, number: number): string {
  return `${repositoryPath(repository)}/issues/${number}`;
}

const SHARED_FIELDS = ['id', 'html_url', 'created_at', 'updated_at', 'user', 'body'] as const;
const ISSUE_FIELDS = [
  ...SHARED_FIELDS,
  ...['number', 'title', 'state', 'state_reason', 'locked', 'labels', 'assignees'],
  ...['milestone', 'comments', 'closed_at'],
];
const PULL_FIELDS = [
  ...ISSUE_FIELDS,
  ...['draft', 'merged', 'merged_at', 'mergeable', 'mergeable_state', 'merge_commit_sha'],
  ...['requested_reviewers', 'review_comments', 'commits', 'additions', 'deletions'],
  'changed_files',
];
const COMMENT_FIELDS = [...SHARED_FIELDS, 'issue_url'];

/** A body longer than this is cut, and says so: the whole answer stays within a tool's bound. */
const MAX_BODY_CHARS = 16_000;
const MAX_ITEMS = 50;

/** What people look at. GitHub's own answer is mostly addresses of itself. */
function pick(source: JsonObject, fields: readonly string[]): JsonObject {
  const picked: Record<string, JsonValue> = {};
  for (const field of fields) {
    const value = source[field];
    if (value !== undefined) picked[field] = plain(value);
  }
  const { body } = picked;
  if (typeof body === 'string' && body.length > MAX_BODY_CHARS) {
    return { ...picked, body: body.slice(0, MAX_BODY_CHARS), body_truncated: true };
  }
  return picked;
}

/** People by login, labels by name, milestones by title. */
function plain(value: JsonValue): JsonValue {
  if (Array.isArray(value)) return value.slice(0, MAX_ITEMS).map(plain);
  if (!isJsonObject(value)) return value;
  return value['login'] ?? value['name'] ?? value['title'] ?? null;
}

function branch(value: JsonValue | undefined): JsonValue {
  if (!isJsonObject(value)) return null;
  const { ref = null, sha = null, label = null } = value;
  return { ref, sha, label };
}
