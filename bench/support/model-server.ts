// A provider that speaks OpenAI's API, a process of its own: it answers at the pace that it is asked for.
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { decodePace, type Pace, stamp } from './token-stamps.ts';

/** Tokens that are due go out together this often; single ones would be the provider's own limit. */
const TICK_MS = 5;
const WORDS = ['a report ', 'of each ', 'file and ', 'its line ', 'in order, '];

interface Answer extends Pace {
  readonly response: ServerResponse;
  readonly beginsAtMs: number;
  sent: number;
}

const answers = new Set<Answer>();

function encode(delta: object, finishReason: string | null = null): string {
  const choices = [{ index: 0, delta, finish_reason: finishReason }];
  const chunk = {
    id: 'chatcmpl-1',
    object: 'chat.completion.chunk',
    created: 1,
    model: 'paced',
    choices,
  };
  return `data: ${JSON.stringify(chunk)}\n\n`;
}

const USAGE = `data: ${JSON.stringify({
  id: 'chatcmpl-1',
  object: 'chat.completion.chunk',
  created: 1,
  model: 'paced',
  choices: [],
  usage: {
    prompt_tokens: 100,
    completion_tokens: 100,
    total_tokens: 200,
    prompt_tokens_details: { cached_tokens: 64 },
  },
})}\n\ndata: [DONE]\n\n`;

function isStamped({ tokens, stampEvery }: Pace, index: number): boolean {
  return index === tokens - 1 || index % stampEvery === 0;
}

function send(answer: Answer, nowMs: number): void {
  const { tokens, perSecond, beginsAtMs, response } = answer;
  const elapsedMs = nowMs - beginsAtMs;
  if (elapsedMs < 0) return;
  const due = Math.min(tokens, 1 + Math.floor((elapsedMs * perSecond) / 1000));
  let text = '';
  for (; answer.sent < due; answer.sent += 1) {
    const word = WORDS[answer.sent % WORDS.length] ?? '';
    text += encode({ content: isStamped(answer, answer.sent) ? stamp() : word });
  }
  if (text !== '') response.write(text);
  if (answer.sent < tokens) return;
  answers.delete(answer);
  response.end(encode({}, 'stop') + USAGE);
}

setInterval(() => {
  const nowMs = performance.now();
  for (const answer of answers) send(answer, nowMs);
}, TICK_MS);

interface ChatBody {
  readonly messages: readonly { readonly role: string; readonly content: unknown }[];
}

const server = createServer((request, response) => {
  const chunks: Buffer[] = [];
  request.on('data', (chunk: Buffer) => chunks.push(chunk));
  request.on('end', () => {
    const { messages } = JSON.parse(Buffer.concat(chunks).toString()) as ChatBody;
    const asked = messages.findLast(({ role }) => role === 'user')?.content;
    const pace = decodePace(JSON.stringify(asked));
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.write(encode({ role: 'assistant', content: '' }));
    const answer = { ...pace, response, beginsAtMs: performance.now() + pace.delayMs, sent: 0 };
    answers.add(answer);
    response.once('close', () => answers.delete(answer));
  });
});
server.listen(0, '127.0.0.1', () => {
  const { port } = server.address() as AddressInfo;
  console.log(`http://127.0.0.1:${port}`);
});
