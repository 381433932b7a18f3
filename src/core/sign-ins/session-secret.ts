import { createHmac, randomBytes } from 'node:crypto';
import type { SignInId } from '../ids.ts';

/** What a browser holds in its cookie: the sign-in by its id, and the secret that proves it. */
export interface SessionSecret {
  readonly id: SignInId;
  readonly secret: string;
}

const SECRET_BYTES = 32;
const SESSION_TEXT = /^(signin_[0-9a-z]{26})\.([A-Za-z0-9_-]{43})$/;

export function createSessionSecret(id: SignInId): SessionSecret {
  return { id, secret: randomBytes(SECRET_BYTES).toString('base64url') };
}

export function formatSession({ id, secret }: SessionSecret): string {
  return `${id}.${secret}`;
}

export function parseSession(text: string): SessionSecret | undefined {
  const [, id, secret] = SESSION_TEXT.exec(text) ?? [];
  if (id === undefined || secret === undefined) return undefined;
  return { id: id as SignInId, secret };
}

/** Made of the secret, which no page can read: a page that knows it was told by us, and nothing more is stored. */
export function csrfTokenOf({ secret }: SessionSecret): string {
  return createHmac('sha256', secret).update('pincer csrf token').digest('base64url');
}
