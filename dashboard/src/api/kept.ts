/** What this browser remembers between visits. Never a token: only places, drafts and tastes. */
const PREFIX = 'pincer.';

/** Messages on their way. Whether there are any is known without the code that sends them. */
export const OUTBOX_KEY = 'outbox';

export function readKept(name: string): string | undefined {
  try {
    return localStorage.getItem(PREFIX + name) ?? undefined;
  } catch {
    // A browser that keeps nothing still works.
    return undefined;
  }
}

export function keep(name: string, value: string | undefined): void {
  try {
    if (value === undefined || value === '') localStorage.removeItem(PREFIX + name);
    else localStorage.setItem(PREFIX + name, value);
  } catch {
    // Full, or forbidden: what was typed is still on the page.
  }
}
