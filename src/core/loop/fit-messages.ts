import { countChars } from '../sessions/cut-text.ts';
import { isAnswer, type Message } from './model.ts';

/**
 * The newest messages of a long conversation: all that no answer has been given to, and of what was before as much as
 * fits, from a message of the user on. A call and its results go together, since providers refuse one without the
 * other, and some refuse a conversation that the user does not begin.
 */
export function fitMessages(messages: readonly Message[], maxChars: number): readonly Message[] {
  let start = messages.findLastIndex(isAnswer) + 1;
  let chars = 0;
  for (let index = start - 1; index >= 0; index -= 1) {
    const message = messages[index];
    if (message === undefined) break;
    chars += charsOf(message);
    if (chars > maxChars) break;
    if (message.role === 'user') start = index;
  }
  return messages.slice(start);
}

function charsOf(message: Message): number {
  if (message.role !== 'assistant') return countChars(message.text);
  return countChars(message.text) + countChars(JSON.stringify(message.toolCalls));
}
