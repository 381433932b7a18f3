import type { SignInId } from '../ids.ts';

/** A browser that the operator signed in with. Whoever reads it can't act as that browser: the secret is not in it. */
export interface SignIn {
  readonly id: SignInId;
  /** Of the secret in the browser's cookie. */
  readonly secretDigest: string;
  /** Which token it stands for: with another one it is over. */
  readonly tokenTag: string;
  readonly userAgent: string;
  readonly address: string;
  readonly createdAtMs: number;
  /** To the minute. */
  readonly lastSeenAtMs: number;
  readonly expiresAtMs: number;
}

export type NewSignIn = Omit<SignIn, 'createdAtMs' | 'lastSeenAtMs' | 'expiresAtMs'> & Lifetime;

export interface Lifetime {
  /** Unused for this long it is over. */
  readonly idleMs: number;
  /** After this long it is over in any case. */
  readonly maxMs: number;
}

export interface SignInStore {
  /** Where there are as many as may be, the one that was not seen for longest makes room. */
  add(signIn: NewSignIn): Promise<SignIn>;
  find(id: SignInId): Promise<SignIn | undefined>;
  /** Oldest first, those that are over among them until a new one is added. */
  list(tokenTag: string): Promise<SignIn[]>;
  /** Seen now, which lets it last longer. Undefined when it is gone or over. */
  touch(seen: Pick<SignIn, 'id' | 'tokenTag'> & Lifetime): Promise<SignIn | undefined>;
  /** False when there is none. */
  end(signIn: Pick<SignIn, 'id' | 'tokenTag'>): Promise<boolean>;
  /** All of a token, but for one. Answers with those that it ended. */
  endOthers(others: EndOthers): Promise<SignInId[]>;
}

export interface EndOthers {
  readonly tokenTag: string;
  readonly keep: SignInId | undefined;
}
