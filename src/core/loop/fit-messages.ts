import type { Message } from './model.ts';

/**
 * The newest messages of a long conversation: all from the last message of the user on, and of what was before as much
 * as fits. A call and its results go together, since providers refuse one without the other.
 */
export function fitMessages(messages: readonly Message[], maxChars: number): readonly Message[] {
  const newest = messages.findLastIndex((message) => message.role === 'user');
  let start = Math.max(0, newest);
  let chars = 0;
  for (let index = start - 1; index >= 0; index -= 1) {
    const message = messages[index];
    if (message === undefined) break;
    chars += charsOf(message);
    if (chars > maxChars) break;
    // Results without their call are no beginning.
    if (message.role !== 'tool') start = index;
  }
  return messages.slice(start);
}

function charsOf(message: Message): number {
  if (message.role !== 'assistant') return message.text.length;
  return message.text.length + JSON.stringify(message.toolCalls).length;
}
