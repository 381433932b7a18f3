import type { ModelRequest } from '../../core/loop/model.ts';

const MESSAGE = '{{message}}';

/** Puts the first message of the request where a script says `{{message}}`: one script, and each run its own files. */
export function createTemplate({ messages }: Pick<ModelRequest, 'messages'>): <T>(value: T) => T {
  const message = messages.find(({ role }) => role === 'user')?.text ?? '';

  function fill(value: unknown): unknown {
    if (typeof value === 'string') return value.replaceAll(MESSAGE, () => message);
    if (Array.isArray(value)) return value.map(fill);
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, fill(item)]));
  }

  return <T>(value: T) => fill(value) as T;
}
