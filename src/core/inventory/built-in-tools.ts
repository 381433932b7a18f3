import { FAMILIAR_TOOL_NAMES } from './familiar-names.ts';
import type { ToolEntry } from './inventory-entry.ts';

/**
 * The built-in tools as their definitions describe them, for questions that must be answered without loading a tool.
 * A test compares this list with the registry of a running runtime.
 */
const DECLARED = [
  {
    name: 'agent.handoff',
    aliases: [],
    responsibility: 'Hand work over to another agent of this runtime.',
    effect: 'write',
    sourceHint: 'src/toolbox/handoffs/agent-handoff.ts',
  },
  {
    name: 'agent.list',
    aliases: [],
    responsibility: 'List the agents of this runtime with their roles.',
    effect: 'read',
    sourceHint: 'src/toolbox/runs/agent-list.ts',
  },
  {
    name: 'agent.message.inbox',
    aliases: [],
    responsibility: 'Take messages that other agents left for you, oldest first.',
    effect: 'write',
    sourceHint: 'src/toolbox/mail/message-inbox.ts',
  },
  {
    name: 'agent.message.send',
    aliases: [],
    responsibility: 'Leave a message for another agent of this runtime.',
    effect: 'write',
    sourceHint: 'src/toolbox/mail/message-send.ts',
  },
  {
    name: 'artifact.read',
    aliases: [],
    responsibility: 'Read on in an output that was too large to be shown whole.',
    effect: 'read',
    sourceHint: 'src/toolbox/runs/artifact-read.ts',
  },
  {
    name: 'code.search',
    aliases: [],
    responsibility: 'Search the text files of the workspace for a regular expression.',
    effect: 'read',
    sourceHint: 'src/toolbox/files/code-search.ts',
  },
  {
    name: 'decision.log',
    aliases: [],
    responsibility:
      "Put a decision and its reasons on record in the run's log, where people and later readers find it.",
    effect: 'write',
    sourceHint: 'src/toolbox/runs/decision-log.ts',
  },
  {
    name: 'fs.append',
    aliases: [],
    responsibility:
      'Add text to the end of a file in the workspace, creating the file if it is missing.',
    effect: 'write',
    sourceHint: 'src/toolbox/files/fs-append.ts',
  },
  {
    name: 'fs.delete',
    aliases: [],
    responsibility: 'Delete a file of the workspace, or a directory when recursive is true.',
    effect: 'write',
    sourceHint: 'src/toolbox/files/fs-delete.ts',
  },
  {
    name: 'fs.edit',
    aliases: [],
    responsibility: 'Change a part of a text file in the workspace.',
    effect: 'write',
    sourceHint: 'src/toolbox/files/fs-edit.ts',
  },
  {
    name: 'fs.glob',
    aliases: [],
    responsibility: 'Find files of the workspace by name.',
    effect: 'read',
    sourceHint: 'src/toolbox/files/fs-glob.ts',
  },
  {
    name: 'fs.list',
    aliases: [],
    responsibility: 'List one directory of the workspace, sorted by name and not recursive.',
    effect: 'read',
    sourceHint: 'src/toolbox/files/fs-list.ts',
  },
  {
    name: 'fs.move',
    aliases: ['fs.rename'],
    responsibility: 'Move or rename a file or directory within the workspace.',
    effect: 'write',
    sourceHint: 'src/toolbox/files/fs-move.ts',
  },
  {
    name: 'fs.read',
    aliases: [],
    responsibility: 'Read a text file in the workspace.',
    effect: 'read',
    sourceHint: 'src/toolbox/files/fs-read.ts',
  },
  {
    name: 'fs.write',
    aliases: [],
    responsibility: 'Write a text file in the workspace, replacing it whole if it exists.',
    effect: 'write',
    sourceHint: 'src/toolbox/files/fs-write.ts',
  },
  {
    name: 'github.add_issue_comment',
    aliases: [],
    responsibility: 'Comment on an issue or pull request of a GitHub repository.',
    effect: 'write',
    sourceHint: 'src/toolbox/integrations/github-tools.ts',
  },
  {
    name: 'github.get_issue',
    aliases: [],
    responsibility: 'Read an issue of a GitHub repository.',
    effect: 'read',
    sourceHint: 'src/toolbox/integrations/github-tools.ts',
  },
  {
    name: 'github.get_pull_request',
    aliases: [],
    responsibility: 'Read a pull request of a GitHub repository.',
    effect: 'read',
    sourceHint: 'src/toolbox/integrations/github-tools.ts',
  },
  {
    name: 'http.request',
    aliases: ['net.fetch'],
    responsibility: 'Make an HTTP request to an allowed host.',
    effect: 'write',
    sourceHint: 'src/toolbox/http/http-request.ts',
  },
  {
    name: 'knowledge.add',
    aliases: [],
    responsibility: 'Put a fact on record for this project: subject, relation and object.',
    effect: 'write',
    sourceHint: 'src/toolbox/knowledge/knowledge-add.ts',
  },
  {
    name: 'knowledge.find',
    aliases: [],
    responsibility: 'Look up facts that hold now in this project, newest first.',
    effect: 'read',
    sourceHint: 'src/toolbox/knowledge/knowledge-find.ts',
  },
  {
    name: 'memory.pin',
    aliases: [],
    responsibility: 'Pin a memory, so that every project sees it first.',
    effect: 'write',
    sourceHint: 'src/toolbox/memory/memory-pin.ts',
  },
  {
    name: 'memory.search',
    aliases: [],
    responsibility: 'Look up what is remembered, by words and by meaning.',
    effect: 'read',
    sourceHint: 'src/toolbox/memory/memory-search.ts',
  },
  {
    name: 'memory.write',
    aliases: [],
    responsibility:
      'Remember something for later runs: what the user wants remembered, a decision, a lasting fact.',
    effect: 'write',
    sourceHint: 'src/toolbox/memory/memory-write.ts',
  },
  {
    name: 'metrics.get',
    aliases: [],
    responsibility:
      'Figures over the newest runs: how many have which status, and for each tool its calls, errors and durations.',
    effect: 'read',
    sourceHint: 'src/toolbox/runs/metrics-get.ts',
  },
  {
    name: 'resend.send_email',
    aliases: [],
    responsibility: 'Send an e-mail through Resend.',
    effect: 'write',
    sourceHint: 'src/toolbox/integrations/send-email.ts',
  },
  {
    name: 'run.cancel',
    aliases: [],
    responsibility: 'Cancel another run.',
    effect: 'write',
    sourceHint: 'src/toolbox/runs/run-cancel.ts',
  },
  {
    name: 'run.get',
    aliases: [],
    responsibility: 'Look at one run: its message, status, answer, error, usage and times.',
    effect: 'read',
    sourceHint: 'src/toolbox/runs/run-get.ts',
  },
  {
    name: 'run.list',
    aliases: [],
    responsibility:
      'List runs of this runtime, newest first, also of other agents, as far as you may see them.',
    effect: 'read',
    sourceHint: 'src/toolbox/runs/run-list.ts',
  },
  {
    name: 'scheduler.add',
    aliases: [],
    responsibility:
      'Schedule work for yourself: a message that is sent to you over and over or at one moment.',
    effect: 'write',
    sourceHint: 'src/toolbox/schedule/scheduler-add.ts',
  },
  {
    name: 'scheduler.list',
    aliases: [],
    responsibility: 'List your own scheduled jobs by id, with the next time each is due.',
    effect: 'read',
    sourceHint: 'src/toolbox/schedule/scheduler-list.ts',
  },
  {
    name: 'scheduler.pause',
    aliases: [],
    responsibility: 'Pause one of your own scheduled jobs, or all of them when id is left out.',
    effect: 'write',
    sourceHint: 'src/toolbox/schedule/scheduler-switch.ts',
  },
  {
    name: 'scheduler.remove',
    aliases: [],
    responsibility: 'Remove one of your own scheduled jobs for good.',
    effect: 'write',
    sourceHint: 'src/toolbox/schedule/scheduler-remove.ts',
  },
  {
    name: 'scheduler.resume',
    aliases: [],
    responsibility: 'Resume one of your own paused jobs, or all of them when id is left out.',
    effect: 'write',
    sourceHint: 'src/toolbox/schedule/scheduler-switch.ts',
  },
  {
    name: 'secrets.list',
    aliases: [],
    responsibility: 'List the names of the secrets you may use, never their values.',
    effect: 'read',
    sourceHint: 'src/toolbox/secrets/secrets-list.ts',
  },
  {
    name: 'session.close',
    aliases: [],
    responsibility:
      'Close one of your own conversations: it takes no new messages, and what was said in it stays.',
    effect: 'write',
    sourceHint: 'src/toolbox/sessions/session-close.ts',
  },
  {
    name: 'session.list',
    aliases: [],
    responsibility: 'List your own conversations, last updated first.',
    effect: 'read',
    sourceHint: 'src/toolbox/sessions/session-list.ts',
  },
  {
    name: 'shell.exec',
    aliases: ['bash.exec', 'terminal.exec', 'terminal.run'],
    responsibility: 'Run a command in the workspace, inside a sandbox without network.',
    effect: 'write',
    sourceHint: 'src/toolbox/shell/shell-exec.ts',
  },
  {
    name: 'skill.read',
    aliases: [],
    responsibility: 'Read a skill: instructions for a kind of task, published by the operator.',
    effect: 'read',
    sourceHint: 'src/toolbox/skills/skill-read.ts',
  },
  {
    name: 'time.now',
    aliases: [],
    responsibility: 'The current time in UTC, as RFC 3339 text and as seconds since 1970.',
    effect: 'read',
    sourceHint: 'src/toolbox/time/time-now.ts',
  },
] as const satisfies readonly Pick<
  ToolEntry,
  'name' | 'aliases' | 'responsibility' | 'effect' | 'sourceHint'
>[];

/** By name. */
export const BUILT_IN_TOOLS: readonly ToolEntry[] = DECLARED.map((tool) => ({
  kind: 'tool',
  ...tool,
  aliases: [...tool.aliases, ...(FAMILIAR_TOOL_NAMES[tool.name] ?? [])],
  origin: 'builtin',
}));
