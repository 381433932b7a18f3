import type { LanguageModelV3Prompt } from '@ai-sdk/provider';
import type { Message, ModelRequest } from '../core/loop/model.ts';
import { textCallAdvice } from '../core/loop/system-prompt.ts';
import { describeResult, OPENING } from './to-prompt.ts';

type Turn = { readonly role: 'user' | 'assistant'; text: string };

/**
 * The conversation for a model without tool calls: tools are explained in the system text, calls are fenced blocks
 * and results are what the user says next. Turns of one side are joined, since chat templates of such models often
 * insist that sides alternate.
 */
export function toTextPrompt(request: ModelRequest): LanguageModelV3Prompt {
  const turns: Turn[] = [];
  for (const message of request.messages) {
    const turn = toTurn(message);
    const last = turns.at(-1);
    if (turn.text === '') continue;
    if (last?.role === turn.role) last.text += `\n\n${turn.text}`;
    else turns.push(turn);
  }
  if (turns[0]?.role === 'assistant') turns.unshift({ role: 'user', text: OPENING });
  const system = toSystem(request);
  return [
    ...(system === '' ? [] : [{ role: 'system' as const, content: system }]),
    ...turns.map(({ role, text }) => ({ role, content: [{ type: 'text' as const, text }] })),
  ];
}

function toTurn(message: Message): Turn {
  switch (message.role) {
    case 'user':
      return { role: 'user', text: message.text };
    case 'tool':
      return { role: 'user', text: describeResult(message) };
    case 'assistant': {
      const calls = message.toolCalls.map(
        ({ callId, tool, input }) =>
          `\`\`\`tool\n${JSON.stringify({ tool_name: tool, arguments: input, id: callId })}\n\`\`\``,
      );
      return { role: 'assistant', text: [message.text, ...calls].filter(Boolean).join('\n\n') };
    }
  }
}

/** The loop tells models that it knows to be without tool calls; one found out in this very call was not told yet. */
function toSystem(request: ModelRequest): string {
  if (request.tools.length === 0) return request.system;
  const advice = textCallAdvice(request.tools);
  return request.system.includes(advice) ? request.system : `${request.system}\n\n${advice}`.trim();
}
