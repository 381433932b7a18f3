import { RuntimeError } from '../../core/errors.ts';
import type {
  Message,
  Model,
  ModelPart,
  ModelRequest,
  ToolRequest,
  Usage,
} from '../../core/loop/model.ts';
import { describeResults } from './describe-results.ts';
import { understandRequest } from './understand-request.ts';

interface Answer {
  readonly text: string;
  readonly call?: ToolRequest;
}

/** Pieces a text is streamed in: enough for readers of streams to see one. */
const DELTAS = 4;

const WHAT_I_AM = 'I am the offline model (offline/rules): no language model is connected.';
const HOW_TO_SET =
  'For real answers set CLAW_MODEL=<provider>/<name> and its key (OPENAI_API_KEY, ANTHROPIC_API_KEY or OPENROUTER_API_KEY), or start a local Ollama.';

const UNCLEAR = [
  WHAT_I_AM,
  'I follow rules for plain requests: list, read, write, append to, rename, delete and search files, tell the time, remind you, list runs and tools; /tool <name> <json> calls any tool. Say help for examples.',
  HOW_TO_SET,
].join('\n');

/** Each of these is tested to do what it says. */
export const EXAMPLES = [
  'list the files in docs',
  'read notes.txt',
  'write hello world to notes.txt',
  'append buy milk to shopping.txt',
  'rename a.txt to b.txt',
  'delete notes.txt',
  'find TODO in src',
  'find all .md files',
  'what time is it in Berlin?',
  'remind me in 5 minutes to stretch',
  'list my reminders',
  'list my runs',
  'which tools do you have?',
  '/tool fs.list {"path": "."}',
];

const HELP = [
  WHAT_I_AM,
  `I understand requests such as these:\n${EXAMPLES.map((example) => `- ${example}`).join('\n')}`,
  'Text and names in quotes are taken exactly. What I am not sure about, I ask.',
  HOW_TO_SET,
].join('\n\n');

/** A small agent without network and key: the same request always gets the same answer. */
export function createOfflineModel(): Model {
  return {
    provider: 'offline',
    name: 'rules',
    toolCalls: 'native',
    async *stream(request, signal): AsyncGenerator<ModelPart> {
      const answer = decide(request);
      for (const delta of split(answer.text)) {
        if (signal.aborted) throw new RuntimeError('cancelled', 'the model call was aborted');
        yield { type: 'text', delta };
      }
      if (answer.call) yield { type: 'tool_call', call: answer.call };
      const reason = answer.call ? 'tool_calls' : 'stop';
      yield { type: 'finish', reason, usage: countUsage(request, answer) };
    },
  };
}

function decide(request: ModelRequest): Answer {
  const lastUser = request.messages.findLastIndex((message) => message.role === 'user');
  const since = request.messages.slice(lastUser + 1);
  const results = since.filter(isToolResult);
  // Results are always answered, never followed by another call: rules cannot learn from a failure and would loop.
  if (results.length > 0) {
    const calls = since.flatMap((one) => (one.role === 'assistant' ? one.toolCalls : []));
    const question = request.messages[lastUser]?.text ?? '';
    return { text: describeResults(results, { question, calls }) };
  }
  const message = request.messages[lastUser];
  return message ? answerMessage(message.text, request) : { text: UNCLEAR };
}

function answerMessage(text: string, request: ModelRequest): Answer {
  const wish = understandRequest(text);
  switch (wish.kind) {
    case 'unclear':
      return { text: UNCLEAR };
    case 'help':
      return { text: HELP };
    case 'tools':
      return { text: listTools(request) };
    case 'say':
      return { text: wish.text };
    case 'malformed':
      return { text: `/tool ${wish.tool} needs a JSON object, as in /tool fs.list {"path": "."}` };
    case 'call':
      if (!request.tools.some((tool) => tool.name === wish.tool)) {
        return { text: refuse(wish.tool, request) };
      }
      return {
        text: '',
        call: { callId: `offline-${request.messages.length}`, tool: wish.tool, input: wish.input },
      };
  }
}

function refuse(tool: string, request: ModelRequest): string {
  if (tool.startsWith('memory.')) {
    return 'I cannot remember or recall: no memory tool is available to this agent. A file can: append <fact> to notes.txt';
  }
  const names = request.tools.map((offered) => offered.name).join(', ');
  return `The tool ${tool} is not available here. Available: ${names || 'none'}.`;
}

/** Enough of a description to choose by. */
const MAX_DESCRIPTION_CHARS = 100;

function listTools({ tools }: ModelRequest): string {
  if (tools.length === 0) return 'I have no tools here.';
  const lines = tools.map(({ name, description }) => {
    const [first = ''] = description.split(/(?<=\.)\s/);
    const text =
      first.length > MAX_DESCRIPTION_CHARS ? `${first.slice(0, MAX_DESCRIPTION_CHARS)}…` : first;
    return text === '' ? `- ${name}` : `- ${name}: ${text}`;
  });
  return `I have these tools:\n${lines.join('\n')}\n\nCall one with /tool <name> <json>, as in /tool fs.list {"path": "."}`;
}

function split(text: string): string[] {
  // By code points: half a character must not stand alone in a stored delta.
  const chars = [...text];
  const size = Math.max(1, Math.ceil(chars.length / DELTAS));
  const deltas: string[] = [];
  for (let from = 0; from < chars.length; from += size) {
    deltas.push(chars.slice(from, from + size).join(''));
  }
  return deltas;
}

function isToolResult(message: Message): message is Extract<Message, { role: 'tool' }> {
  return message.role === 'tool';
}

/** Words stand in for tokens: close enough to exercise budgets, and the same every time. */
function countUsage(request: ModelRequest, answer: Answer): Usage {
  const input = [request.system, ...request.messages.map((message) => message.text)];
  const output = [answer.text, answer.call ? JSON.stringify(answer.call) : ''];
  return { inputTokens: countWords(input), outputTokens: countWords(output) };
}

function countWords(texts: readonly string[]): number {
  return texts.reduce((sum, text) => sum + (text.match(/\S+/g)?.length ?? 0), 0);
}
