/**
 * What a program of others sees of our environment, which holds keys of providers: the names on the list and nothing
 * else.
 */
export function childEnvironment(
  own: Readonly<Record<string, string | undefined>>,
  names: readonly string[],
): Record<string, string> {
  const environment: Record<string, string> = {};
  for (const name of names) {
    const value = own[name];
    // A value that begins so is a shell function, and was once a way to run code in the child.
    if (value !== undefined && !value.startsWith('()')) environment[name] = value;
  }
  return environment;
}
