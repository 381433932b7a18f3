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

const HOW_TO_SET = [
  'I am the offline model (offline/rules): no language model is connected.',
  'I follow a few rules: list files, read a file, search for text, write "text" to a file, tell the time, and /tool <name> <json>.',
  'For real answers set CLAW_MODEL=<provider>/<name> and its key (OPENAI_API_KEY, ANTHROPIC_API_KEY or OPENROUTER_API_KEY), or start a local Ollama.',
].join('\n');

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
  const results = request.messages.slice(lastUser + 1).filter(isToolResult);
  // Results are always answered, never followed by another call: rules cannot learn from a failure and would loop.
  if (results.length > 0) return { text: describeResults(results) };
  const message = request.messages[lastUser];
  return message ? answerMessage(message.text, request) : { text: HOW_TO_SET };
}

function answerMessage(text: string, request: ModelRequest): Answer {
  const wish = understandRequest(text);
  switch (wish.kind) {
    case 'unclear':
      return { text: HOW_TO_SET };
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
    return 'I cannot remember or recall: no memory tool is available to this agent.';
  }
  const names = request.tools.map((offered) => offered.name).join(', ');
  return `The tool ${tool} is not available here. Available: ${names || 'none'}.`;
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
