import { defined } from '../../core/defined.ts';
import { call, type Understand } from './wish.ts';

const HELP =
  /^(?:\?+|help(?:\s+me)?|commands|what\s+can\s+(?:you|i)\s+(?:do|ask|say|type)(?:\s+(?:here|you))?|what\s+do\s+you\s+(?:understand|do)|how\s+do\s+i\s+use\s+(?:this|you|it)|how\s+does\s+(?:this|it)\s+work)$/i;
const TOOLS =
  /^(?:(?:list|show|what|which|tell|give)\s+(?:me\s+)?(?:are\s+)?)?(?:(?:all|the|your|my|available|of)\s+)*tools(?:\s+(?:do|can|are|have|may)\b.{0,40})?$/i;

/** What the model says about itself. */
export const understandSelf: Understand = ({ bare }) => {
  if (HELP.test(bare)) return { kind: 'help' };
  return TOOLS.test(bare) ? { kind: 'tools' } : undefined;
};

const TIME =
  /^(?:(?:tell|give|show)\s+me\s+|do\s+you\s+know\s+)?(?:what(?:'s|s|\s+is)?\s+)?(?:the\s+|today's\s+)?(?:current\s+|local\s+|exact\s+)?(?:time|date|day|today)(?:\s+(?:is\s+it|it\s+is|is\s+today))?(?:\s+(?:today|now|right\s+now|here))?(?:\s+in\s+.{1,60})?$/i;

export const understandTime: Understand = ({ bare }) =>
  TIME.test(bare) && !/^(?:day|today)$/i.test(bare) ? call('time.now', {}) : undefined;

const STATUS = '(failed|completed|cancelled|running|queued|waiting)';
const RUNS = new RegExp(
  `^(?:list|show|display|give|what|which|see|get)\\s+(?:me\\s+)?(?:(?:all|the|my|our|your|last|latest|recent|newest|previous|past|(\\d{1,3})|${STATUS})\\s+)*runs?(?:\\s+(?:are\\s+there|do\\s+i\\s+have|(?:have\\s+|are\\s+|were\\s+|is\\s+)?${STATUS}))?$`,
  'i',
);
const ONE_RUN =
  /^(?:show|get|open|see|look\s+at)\s+(?:me\s+)?(?:the\s+)?run\s+(run_[A-Za-z0-9_-]{1,120})$/i;
const LISTED: Readonly<Record<string, string>> = {
  sessions: 'session.list',
  conversations: 'session.list',
  chats: 'session.list',
  agents: 'agent.list',
  secrets: 'secrets.list',
};
const LIST =
  /^(?:list|show|what|which|see)\s+(?:me\s+)?(?:(?:all|the|my|our|names\s+of)\s+)*(sessions|conversations|chats|agents|secrets)(?:\s+(?:are\s+there|do\s+(?:i|you)\s+have|are\s+stored))?$/i;
const MAX_RUNS = 200;

export const understandRecords: Understand = ({ bare }) => {
  const one = ONE_RUN.exec(bare)?.[1];
  if (one !== undefined) return call('run.get', { run_id: one });
  const runs = RUNS.exec(bare);
  if (runs) {
    const [, limit, before, behind] = runs;
    const status = (before ?? behind)?.toLowerCase();
    return call('run.list', {
      ...(limit === undefined ? {} : { limit: Math.min(Math.max(Number(limit), 1), MAX_RUNS) }),
      ...defined({ status }),
    });
  }
  const tool = LISTED[LIST.exec(bare)?.[1]?.toLowerCase() ?? ''];
  return tool === undefined ? undefined : call(tool, {});
};

const REMEMBER = /^remember(?:\s+that)?:?\s+([\s\S]+)$/i;
const RECALL = /^(?:recall|what\s+do\s+you\s+(?:remember|know)\s+about)\s+(.+)$/i;

export const understandMemory: Understand = ({ body, bare }) => {
  const fact = REMEMBER.exec(body)?.[1];
  if (fact !== undefined) return call('memory.write', { content: fact.trim() });
  const query = RECALL.exec(bare)?.[1];
  return query === undefined ? undefined : call('memory.search', { query: query.trim() });
};
