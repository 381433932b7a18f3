import { createHash } from 'node:crypto';
import { type Clock, toIso } from '../clock.ts';
import type { Ids, SignInId } from '../ids.ts';
import type { Logger } from '../log.ts';
import { digestSecret, isSecretOf } from '../secrets/secret-digest.ts';
import { createSeenSignIns } from './seen-sign-ins.ts';
import {
  createSessionSecret,
  csrfTokenOf,
  formatSession,
  parseSession,
  type SessionSecret,
} from './session-secret.ts';
import type { Lifetime, SignIn, SignInStore } from './sign-in.ts';
import { createSignInCodes, type SignInCode } from './sign-in-codes.ts';

/** Browsers that act as the operator. */
export interface SignIns {
  /** Of a link that signs in once. */
  mintCode(): SignInCode;
  /** Undefined when the credential is wrong, used up or too old. */
  signIn(credential: Credential, visitor: Visitor): Promise<OpenedSession | undefined>;
  /** Who holds this text of a cookie; undefined when that sign-in is over, or never was. */
  find(session: string): Promise<Session | undefined>;
  /** Oldest first. */
  list(): Promise<SignIn[]>;
  /** False when there is none. */
  end(id: SignInId): Promise<boolean>;
  /** All but one, or all. Answers with how many. */
  endOthers(keep: SignInId | undefined): Promise<number>;
  /** Calls back once when this process ends the sign-in; the returned function takes that back. */
  whenEnded(id: SignInId, onEnd: () => void): () => void;
}

export type Credential = { readonly code: string } | { readonly token: string };

export interface Visitor {
  readonly userAgent: string;
  readonly address: string;
}

export interface Session {
  readonly signIn: SignIn;
  /** What our own pages send with all that changes something. */
  readonly csrfToken: string;
}

export interface OpenedSession extends Session {
  /** For the cookie, and for nothing else. */
  readonly secret: string;
  /** When it is over, however much it is used. */
  readonly endsAtMs: number;
}

export interface SignInDeps {
  readonly store: SignInStore;
  readonly clock: Clock;
  readonly ids: Pick<Ids, 'signIn'>;
  readonly logger: Logger;
  /** The bearer token of this server. */
  readonly token: string;
  readonly lifetime: () => Lifetime;
}

const MAX_USER_AGENT_CHARS = 256;
const MAX_ADDRESS_CHARS = 64;

export function createSignIns(deps: SignInDeps): SignIns {
  const { store, clock, logger } = deps;
  const tokenDigest = digestSecret(deps.token);
  const tokenTag = tagOf(deps.token);
  const codes = createSignInCodes(clock);
  const seen = createSeenSignIns(deps);
  const bells = createBells();

  function forget(id: SignInId): void {
    seen.forget(id);
    bells.ring(id);
  }

  return {
    mintCode() {
      const minted = codes.mint();
      logger.info({ expires_at: toIso(minted.expiresAtMs) }, 'a link to the dashboard was made');
      return minted;
    },

    async signIn(credential, visitor) {
      if ('token' in credential) {
        return isSecretOf(tokenDigest, credential.token)
          ? open(deps, tokenTag, visitor)
          : undefined;
      }
      const giveBack = codes.take(credential.code);
      if (giveBack === undefined) return undefined;
      try {
        return await open(deps, tokenTag, visitor);
      } catch (error) {
        giveBack();
        throw error;
      }
    },

    async find(text) {
      const session = parseSession(text);
      const signIn = session && (await seen.get(session.id));
      if (!session || !signIn || !isHeld(signIn, session)) return undefined;
      if (signIn.tokenTag !== tokenTag || signIn.expiresAtMs <= clock.nowMs()) return undefined;
      const touched = await seen.touch(signIn);
      return touched && { signIn: touched, csrfToken: csrfTokenOf(session) };
    },

    async list() {
      const all = await store.list(tokenTag);
      return all.filter(({ expiresAtMs }) => expiresAtMs > clock.nowMs());
    },

    async end(id) {
      const isEnded = await store.end({ id, tokenTag });
      forget(id);
      if (isEnded) logger.info({ sign_in_id: id }, 'signed out');
      return isEnded;
    },

    async endOthers(keep) {
      const ended = await store.endOthers({ tokenTag, keep });
      for (const id of ended) forget(id);
      logger.info({ sign_ins: ended.length }, 'signed out everywhere else');
      return ended.length;
    },

    whenEnded: bells.hang,
  };
}

async function open(deps: SignInDeps, tokenTag: string, visitor: Visitor): Promise<OpenedSession> {
  const session = createSessionSecret(deps.ids.signIn());
  const lifetime = deps.lifetime();
  const signIn = await deps.store.add({
    ...lifetime,
    id: session.id,
    secretDigest: digestSecret(session.secret).toString('hex'),
    tokenTag,
    userAgent: visitor.userAgent.slice(0, MAX_USER_AGENT_CHARS).toWellFormed(),
    address: visitor.address.slice(0, MAX_ADDRESS_CHARS),
  });
  deps.logger.info({ sign_in_id: signIn.id, address: signIn.address }, 'signed in');
  return {
    signIn,
    csrfToken: csrfTokenOf(session),
    secret: formatSession(session),
    endsAtMs: signIn.createdAtMs + lifetime.maxMs,
  };
}

/** Who wants to hear of the end of a sign-in. */
function createBells() {
  const bells = new Map<SignInId, Set<() => void>>();
  return {
    hang(id: SignInId, onEnd: () => void): () => void {
      const all = bells.get(id) ?? new Set();
      bells.set(id, all.add(onEnd));
      return () => {
        all.delete(onEnd);
        if (all.size === 0 && bells.get(id) === all) bells.delete(id);
      };
    },
    ring(id: SignInId): void {
      const all = bells.get(id) ?? [];
      bells.delete(id);
      for (const onEnd of all) onEnd();
    },
  };
}

function isHeld({ secretDigest }: SignIn, { secret }: SessionSecret): boolean {
  return isSecretOf(Buffer.from(secretDigest, 'hex'), secret);
}

/** Tells tokens apart, and is not what their callers are compared with. */
function tagOf(token: string): string {
  return createHash('sha256').update('pincer sign-ins\0').update(token).digest('hex').slice(0, 32);
}
