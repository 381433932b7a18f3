const INHERITED = ['PATH', 'HOME'];

/** An allow-list: our own environment holds keys that no program of others may see. */
export function childEnvironment(
  own: Readonly<Record<string, string | undefined>>,
  allowed: readonly string[],
): Record<string, string> {
  const environment: Record<string, string> = {};
  for (const name of [...INHERITED, ...allowed]) {
    const value = own[name];
    // A value that begins so is a shell function, and was once a way to run code in the child.
    if (value !== undefined && !value.startsWith('()')) environment[name] = value;
  }
  return environment;
}
