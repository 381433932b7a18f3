import { randomBytes } from 'node:crypto';
import type { Clock } from '../clock.ts';
import { digestSecret, isSecretOf } from '../secrets/secret-digest.ts';

/** What a link to the dashboard carries. Good for one sign-in. */
export interface SignInCode {
  readonly code: string;
  readonly expiresAtMs: number;
}

export interface SignInCodes {
  mint(): SignInCode;
  /** Uses it up. Undefined when it is not open; else a function that opens it again, for a sign-in that failed. */
  take(code: string): (() => void) | undefined;
}

const CODE_BYTES = 24;
export const CODE_MINUTES = 10;
const CODE_LIFE_MS = CODE_MINUTES * 60_000;
/** The oldest is closed for one more: whoever asks for links has no use for the old ones. */
export const MAX_OPEN_CODES = 8;

interface OpenCode {
  readonly digest: Buffer;
  readonly expiresAtMs: number;
}

/** In memory: a server that starts again makes a new link. */
export function createSignInCodes(clock: Pick<Clock, 'nowMs'>): SignInCodes {
  let open: readonly OpenCode[] = [];

  const listOpen = () => open.filter(({ expiresAtMs }) => expiresAtMs > clock.nowMs());
  const add = (one: OpenCode) => {
    open = [...listOpen(), one].slice(-MAX_OPEN_CODES);
  };

  return {
    mint() {
      const code = randomBytes(CODE_BYTES).toString('base64url');
      const expiresAtMs = clock.nowMs() + CODE_LIFE_MS;
      add({ digest: digestSecret(code), expiresAtMs });
      return { code, expiresAtMs };
    },

    take(code) {
      const taken = listOpen().filter(({ digest }) => isSecretOf(digest, code));
      open = listOpen().filter((one) => !taken.includes(one));
      const [one] = taken;
      return one && (() => add(one));
    },
  };
}
