import type { RunId } from '../../core/ids.ts';
import type { Message } from '../../core/loop/model.ts';
import type { TurnPrompt } from '../../core/replay/read-prompt.ts';
import type { PromptMessageShape, TurnPromptShape } from './log-shapes.ts';

export function encodePrompt(runId: RunId, prompt: TurnPrompt): TurnPromptShape {
  return {
    run_id: runId,
    turn: prompt.turn,
    seq: prompt.seq,
    provider: prompt.provider,
    model: prompt.model,
    mode: prompt.mode,
    system: prompt.system,
    messages: prompt.messages.map(encodeMessage),
    tools_offered: prompt.toolCount,
    tool_names: [...prompt.toolNames],
  };
}

function encodeMessage(message: Message): PromptMessageShape {
  const { role, text } = message;
  switch (message.role) {
    case 'user':
      return { role, text };
    case 'assistant':
      return {
        role,
        text,
        tool_calls: message.toolCalls.map(({ callId, tool, input }) => ({
          tool_call_id: callId,
          tool,
          arguments: input,
        })),
      };
    case 'tool':
      return { role, text, tool: message.tool, tool_call_id: message.callId, ok: message.ok };
  }
}
