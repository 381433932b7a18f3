/** Where programs are looked up, inside and outside; never the server's own PATH, which may name anything. */
export const SYSTEM_PATH = '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin';

/**
 * All that a command sees of an environment. The home is the empty private `/tmp`: a home in the workspace would let
 * a written file (`.bash_profile`, `.gitconfig`) choose what an allowed command runs.
 */
export const SANDBOX_ENVIRONMENT: Readonly<Record<string, string>> = {
  PATH: SYSTEM_PATH,
  HOME: '/tmp',
  TMPDIR: '/tmp',
  USER: 'agent',
  LOGNAME: 'agent',
  SHELL: '/bin/sh',
  LANG: 'C.UTF-8',
  TERM: 'dumb',
};
