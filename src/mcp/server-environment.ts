import { childEnvironment } from '../platform/child-environment.ts';

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

/** What a server's program sees: little of ours, what its entry asks for, and what that gives it. */
export function serverEnvironment(
  own: Readonly<Record<string, string | undefined>>,
  allowed: readonly string[],
  given: Readonly<Record<string, string>>,
): Record<string, string> {
  return { ...childEnvironment(own, [...INHERITED, ...allowed]), ...given };
}
