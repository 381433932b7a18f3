import { expire, patch, put, remove } from '../store/change.ts';
import { collection } from '../store/collection.ts';
import { find, list } from '../store/need.ts';
import type { Tables } from '../store/tables.ts';
import { answer, defineWrite } from '../store/write.ts';
import type { EndOthers, Lifetime, NewSignIn, SignIn, SignInStore } from './sign-in.ts';

export const SIGN_INS = collection<SignIn>()('sign_ins', 'id');

/** Of one token. A person has a few browsers; a program has the token. */
export const MAX_SIGN_INS = 100;
/** With each new one so many that are over are deleted, of whichever token. */
const MAX_EXPIRED_BY_ADD = 20;

type Named = Pick<SignIn, 'id' | 'tokenTag'>;

const lockOf = ({ tokenTag }: Pick<SignIn, 'tokenTag'>) => [`sign_ins ${tokenTag}`];
const listOf = (tokenTag: string) => list(SIGN_INS, { of: { tokenTag }, limit: MAX_SIGN_INS });

const add = defineWrite({
  name: 'sign_ins.add',
  locks: (signIn: NewSignIn) => lockOf(signIn),
  needs: ({ tokenTag }) => ({ others: listOf(tokenTag) }),
  decide({ others }, { idleMs, maxMs, ...given }, nowMs) {
    const expiresAtMs = nowMs + Math.min(idleMs, maxMs);
    const signIn = { ...given, createdAtMs: nowMs, lastSeenAtMs: nowMs, expiresAtMs };
    const [longestUnseen] = others.toSorted((a, b) => a.lastSeenAtMs - b.lastSeenAtMs);
    const isFull = others.length >= MAX_SIGN_INS;
    const past = { by: 'expiresAtMs', untilMs: nowMs, max: MAX_EXPIRED_BY_ADD } as const;
    return {
      value: signIn,
      changes: [
        ...(isFull && longestUnseen ? [remove(SIGN_INS, { id: longestUnseen.id })] : []),
        expire(SIGN_INS, past),
        put(SIGN_INS, signIn),
      ],
    };
  },
});

const touch = defineWrite({
  name: 'sign_ins.touch',
  locks: (seen: Named & Lifetime) => lockOf(seen),
  needs: ({ id }) => ({ known: find(SIGN_INS, { id }) }),
  decide({ known }, { id, idleMs, maxMs }, nowMs) {
    if (!known || known.expiresAtMs <= nowMs) return answer(undefined);
    const fields = {
      // A clock that was set back makes nothing unseen.
      lastSeenAtMs: Math.max(known.lastSeenAtMs, nowMs),
      expiresAtMs: Math.min(nowMs + idleMs, known.createdAtMs + maxMs),
    };
    return { value: { ...known, ...fields }, changes: [patch(SIGN_INS, { id }, fields)] };
  },
});

const end = defineWrite({
  name: 'sign_ins.end',
  locks: (named: Named) => lockOf(named),
  needs: ({ id }) => ({ known: find(SIGN_INS, { id }) }),
  decide({ known }, { id, tokenTag }) {
    if (known?.tokenTag !== tokenTag) return answer(false);
    return { value: true, changes: [remove(SIGN_INS, { id })] };
  },
});

const endOthers = defineWrite({
  name: 'sign_ins.end_others',
  locks: (others: EndOthers) => lockOf(others),
  needs: ({ tokenTag }) => ({ known: listOf(tokenTag) }),
  decide({ known }, { keep }) {
    const ended = known.map(({ id }) => id).filter((id) => id !== keep);
    return { value: ended, changes: ended.map((id) => remove(SIGN_INS, { id })) };
  },
});

export const SIGN_IN_WRITES = { add, touch, end, endOthers };

export function createSignInStore({ load, write }: Tables): SignInStore {
  return {
    add: (signIn) => write(add, signIn),
    find: (id) => load(find(SIGN_INS, { id })),
    list: (tokenTag) => load(listOf(tokenTag)),
    touch: (seen) => write(touch, seen),
    end: (named) => write(end, named),
    endOthers: (others) => write(endOthers, others),
  };
}
