/** What a program needs to find its parts and its user; nothing in here is a credential. */
const INHERITED = [
  'PATH',
  'HOME',
  'USER',
  'LOGNAME',
  'SHELL',
  'TERM',
  'LANG',
  'LC_ALL',
  'TZ',
  'TMPDIR',
  // Windows needs these to start any program at all.
  'SystemRoot',
  'ComSpec',
  'PATHEXT',
  'TEMP',
  'TMP',
  'APPDATA',
  'LOCALAPPDATA',
  'USERPROFILE',
];

/** An allow-list: our own environment holds keys of providers that no server of others may see. */
export function childEnvironment(
  own: Readonly<Record<string, string | undefined>>,
  allowed: readonly string[],
  given: Readonly<Record<string, string>>,
): Record<string, string> {
  const environment: Record<string, string> = {};
  for (const name of [...INHERITED, ...allowed]) {
    const value = own[name];
    // A value that begins so is a shell function, and was once a way to run code in the child.
    if (value !== undefined && !value.startsWith('()')) environment[name] = value;
  }
  return { ...environment, ...given };
}
