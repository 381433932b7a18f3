import { changeAgent, getAgent, listAgents } from '../../../operations/agents/agents.ts';
import { listCapabilities } from '../../../operations/capabilities/capabilities.ts';
import type { RunSummary } from '../../../operations/runs/run-shapes.ts';
import { listRuns } from '../../../operations/runs/runs.ts';
import type { SessionShape } from '../../../operations/sessions/session-shapes.ts';
import { listTools } from '../../../operations/tools/tools.ts';
import { formatSwitchedOff } from '../commands/switches/tool-switches.ts';
import { formatDate, formatFacts, formatTable } from '../print/layout.ts';
import { toOneLine } from '../print/plain-text.ts';
import type { Style } from '../print/style.ts';
import type { Conversation } from './conversation.ts';
import type { ChatAccess } from './open-chat.ts';
import { SLASH_COMMANDS, type SlashCommand } from './slash-commands.ts';

export interface SlashContext {
  readonly access: ChatAccess;
  readonly conversation: Conversation;
  readonly style: Style;
  readonly columns: () => number;
  say(text: string): void;
  /** Shows where a conversation stands, and follows what is still going on there. */
  goOn(session: SessionShape | undefined): Promise<void>;
  decide(status: 'approved' | 'denied', approvalId: string | undefined): Promise<void>;
  exit(): void;
}

const MAX_SESSIONS = 20;
const MAX_AGENTS = 200;
/** Where a list has room for times. */
const WIDE_COLUMNS = 90;
/** Of a summary; `claw sessions compact` prints it whole. */
const MAX_SUMMARY_LINES = 6;
const RUN_PAGE = 200;
const MAX_RUN_PAGES = 10;
/** Stands for the model of the runtime. */
const DEFAULT_MODEL = 'default';

export async function runSlashCommand(
  context: SlashContext,
  { name }: SlashCommand,
  argument: string | undefined,
): Promise<void> {
  switch (name) {
    case '/help':
      return context.say(formatHelp(context.style));
    case '/new':
      context.conversation.startNew();
      return context.say('a new conversation begins with your next message');
    case '/sessions':
      return context.say(await describeSessions(context));
    case '/resume':
      return resume(context, argument);
    case '/agents':
      return context.say(await describeAgents(context));
    case '/agent':
      return switchAgent(context, argument);
    case '/model':
      return context.say(await useModel(context, argument));
    case '/tools':
      return context.say(await describeTools(context));
    case '/cost':
      return context.say(await describeCost(context));
    case '/compact':
      return context.say(await compact(context));
    case '/approve':
      return context.decide('approved', argument);
    case '/deny':
      return context.decide('denied', argument);
    default:
      return context.exit();
  }
}

function formatHelp(style: Style): string {
  const commands = SLASH_COMMANDS.map(({ usage, summary }) => [usage, summary] as const);
  const lines = [
    'Anything else goes to the agent; /tool NAME {…} calls a tool directly.',
    'A line that ends in \\ goes on in the next; """ begins and ends a text of several lines.',
    'Ctrl-C cancels what is going on, or clears the line, or ends the chat. Ctrl-D ends it.',
  ];
  return [formatFacts(commands, style), ...lines].join('\n');
}

async function describeSessions({ conversation, style, columns }: SlashContext): Promise<string> {
  const sessions = await conversation.list(MAX_SESSIONS);
  if (sessions.length === 0) return '(no conversations yet)';
  const isWide = columns() >= WIDE_COLUMNS;
  const room = Math.max(16, columns() - (isWide ? 64 : 43));
  const rows = sessions.map((session, at) => [
    session.session_id === conversation.sessionId ? `* ${at + 1}` : `  ${at + 1}`,
    session.session_id,
    ...(isWide ? [formatDate(session.updated_at)] : []),
    toOneLine(session.title || '(no messages yet)', room),
  ]);
  return `${formatTable(rows)}\n${style.dim('/resume NUMBER, or ID, goes on with one of them')}`;
}

/** By id, by the beginning of one, or by its number in the list. */
async function resume(context: SlashContext, given: string | undefined): Promise<void> {
  const { conversation } = context;
  if (given === undefined) return context.say(await describeSessions(context));
  const sessions = await conversation.list(MAX_SESSIONS);
  const numbered = /^\d{1,2}$/.test(given) ? sessions[Number(given) - 1] : undefined;
  const begun = sessions.filter(({ session_id: id }) => id.startsWith(given));
  const chosen = numbered ?? (begun.length === 1 ? begun[0] : undefined);
  await context.goOn(await conversation.resume(chosen?.session_id ?? given));
}

async function describeAgents({ access, conversation }: SlashContext): Promise<string> {
  const { agents } = await access.ask(listAgents, { query: { limit: MAX_AGENTS } });
  const current = await conversation.findAgent();
  return formatTable(
    agents.map(({ agent_id: id, name, role, model }) => [
      `${id === current ? '*' : ' '} ${id}`,
      toOneLine(name, 40),
      toOneLine(role, 60),
      toOneLine(model ?? '', 60),
    ]),
  );
}

async function switchAgent(context: SlashContext, id: string | undefined): Promise<void> {
  const { conversation, say } = context;
  if (id === undefined) return say(`${await conversation.findAgent()} answers here`);
  const session = await conversation.switchAgent(id);
  say(`${id} answers from now on`);
  await context.goOn(session);
}

async function useModel({ access, conversation }: SlashContext, given?: string): Promise<string> {
  const agentId = await conversation.findAgent();
  if (given === undefined) {
    const { model } = await access.ask(getAgent, { params: { agent_id: agentId } });
    return model === null
      ? `${agentId} speaks with ${await access.describeModel()}, the model of the runtime`
      : `${agentId} speaks with ${model}`;
  }
  const model = given === DEFAULT_MODEL ? null : given;
  await access.ask(changeAgent, { headers: {}, params: { agent_id: agentId }, body: { model } });
  return `${agentId} speaks with ${model ?? 'the model of the runtime'} from the next message on, with everybody`;
}

async function describeTools(context: SlashContext): Promise<string> {
  const { access, conversation, columns, style } = context;
  const agentId = await conversation.findAgent();
  const [{ granted }, { tools }] = await Promise.all([
    access.ask(listCapabilities, { params: { agent_id: agentId } }),
    access.ask(listTools, {}),
  ]);
  if (granted.length === 0) return `${agentId} may use no tools`;
  const rows = granted.map((name) => {
    const tool = tools.find((known) => known.name === name);
    const circuit = tool?.circuit_breaker.status ?? 'closed';
    const effect = tool?.off ? 'off' : (tool?.effect ?? '');
    return [toOneLine(name, columns()), effect, circuit === 'closed' ? '' : circuit];
  });
  const off = formatSwitchedOff(tools, style);
  return [formatTable(rows), ...off].join('\n');
}

async function describeCost({ access, conversation, style }: SlashContext): Promise<string> {
  const runs = await listAllRuns(access, conversation);
  if (runs.length === 0) return '(nothing was said yet)';
  const sum = (of: (run: RunSummary) => number) => runs.reduce((total, run) => total + of(run), 0);
  const isKnown = runs.every(({ usage }) => usage.cost_usd !== null);
  return formatFacts(
    [
      ['runs', String(runs.length)],
      ['tool calls', String(sum((run) => run.tool_calls))],
      ['tokens in', sumTokens(runs.map(({ usage }) => usage.input_tokens))],
      ['tokens out', sumTokens(runs.map(({ usage }) => usage.output_tokens))],
      ['cost', isKnown ? `$${sum(({ usage }) => usage.cost_usd ?? 0).toFixed(4)}` : 'unknown'],
    ],
    style,
  );
}

function sumTokens(counts: readonly (number | null)[]): string {
  const known = counts.filter((count) => count !== null);
  const sum = known.reduce((total, count) => total + count, 0);
  return known.length === counts.length ? String(sum) : `at least ${sum}`;
}

async function compact({ conversation, style, columns }: SlashContext): Promise<string> {
  const compacted = await conversation.compact();
  const count = compacted?.folded_messages ?? 0;
  if (compacted === undefined || count === 0) return '(nothing new to compact)';
  const room = Math.max(16, columns() - 1);
  const lines = compacted.summary.split('\n');
  const shown = lines.slice(0, MAX_SUMMARY_LINES).map((line) => toOneLine(line, room));
  const rest = lines.length > shown.length ? [`… (${lines.length - shown.length} more lines)`] : [];
  const done = `${count} message${count === 1 ? '' : 's'} folded; the agent hears a summary in their place`;
  return [done, ...[...shown, ...rest].map((line) => style.dim(line))].join('\n');
}

async function listAllRuns(access: ChatAccess, { sessionId }: Conversation): Promise<RunSummary[]> {
  if (sessionId === undefined) return [];
  const all: RunSummary[] = [];
  let cursor: string | undefined;
  for (let page = 0; page < MAX_RUN_PAGES; page += 1) {
    const query = { session_id: sessionId, limit: RUN_PAGE, cursor };
    const { runs, next_cursor: next } = await access.ask(listRuns, { query });
    all.push(...runs);
    if (next === null) break;
    cursor = next;
  }
  return all;
}
