import type { Message, ToolRequest } from './model.ts';

/**
 * Models repeat ids, within an answer and from one to the next, and leave them out. Results are matched by id, also
 * those that a client sends late, so each call gets one that the conversation does not know yet.
 */
export function withNewIds(
  calls: readonly ToolRequest[],
  messages: readonly Message[],
): ToolRequest[] {
  if (calls.length === 0) return [];
  const seen = new Set<string>();
  for (const message of messages) {
    if (message.role === 'tool') seen.add(message.callId);
    if (message.role === 'assistant') for (const { callId } of message.toolCalls) seen.add(callId);
  }
  return calls.map((call, index) => {
    const base = call.callId === '' ? `tool-call-${index + 1}` : call.callId;
    let callId = base;
    for (let suffix = 2; seen.has(callId); suffix += 1) callId = `${base}-${suffix}`;
    seen.add(callId);
    return { ...call, callId };
  });
}
