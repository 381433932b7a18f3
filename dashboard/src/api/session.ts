import { decodeWireError } from '../../../src/operations/wire-error.ts';
import { Unreachable } from './send.ts';
import { noteServerTime } from './server-time.ts';
import { session } from './session-state.ts';
import { onTabMessage, tellTabs } from './tabs.ts';

interface SessionBody {
  readonly sign_in_id: string;
  readonly csrf_token: string;
  readonly version: string;
}

type Credential = { readonly code: string } | { readonly token: string };

/** On load: by the code in the address, which is taken out of it at once, or by the cookie of before. */
export async function openSession(): Promise<void> {
  onTabMessage(({ kind }) => {
    if (kind === 'signed_in') void resume();
    if (kind === 'signed_out') session.set({ state: 'out' });
  });
  const code = takeCode();
  if (code !== undefined && (await signIn({ code }))) return;
  await resume();
}

/** Whether it worked; what stood in the way is the session's `problem`. */
export async function signIn(credential: Credential): Promise<boolean> {
  try {
    enter(await request('POST', credential));
    tellTabs({ kind: 'signed_in' });
    return true;
  } catch (error) {
    const problem = error instanceof Error ? error.message : String(error);
    const { state } = session.get();
    session.set({ ...session.get(), state: state === 'ended' ? 'ended' : 'out', problem });
    return false;
  }
}

export async function signOut(): Promise<void> {
  await request('DELETE');
  session.set({ state: 'out' });
  tellTabs({ kind: 'signed_out' });
}

/** Tries the cookie. A server that does not answer leaves everything as it is. */
async function resume(): Promise<void> {
  try {
    enter(await request('GET'));
  } catch (error) {
    if (error instanceof Unreachable) {
      if (session.get().state === 'unknown') setTimeout(() => void resume(), 1_000);
      return;
    }
    const { state, problem } = session.get();
    const next = state === 'in' || state === 'ended' ? 'ended' : 'out';
    session.set({ ...session.get(), state: next, ...(problem === undefined ? {} : { problem }) });
  }
}

function enter(body: SessionBody | undefined): void {
  if (body === undefined) return;
  session.set({
    state: 'in',
    signInId: body.sign_in_id,
    csrfToken: body.csrf_token,
    serverVersion: body.version,
  });
}

function takeCode(): string | undefined {
  const [, code] = /^#code=([\w-]+)$/.exec(location.hash) ?? [];
  if (code !== undefined) history.replaceState(null, '', location.pathname + location.search);
  return code;
}

async function request(
  method: 'GET' | 'POST' | 'DELETE',
  body?: Credential,
): Promise<SessionBody | undefined> {
  const csrf = session.get().csrfToken;
  const response = await fetch('/dashboard/session', {
    method,
    credentials: 'same-origin',
    cache: 'no-store',
    headers: {
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...(csrf === undefined ? {} : { 'x-pincer-csrf': csrf }),
    },
    body: body === undefined ? null : JSON.stringify(body),
  }).catch((cause: unknown) => {
    throw new Unreachable(cause);
  });
  noteServerTime(response.headers.get('date'));
  const text = await response.text();
  const answer: unknown = text === '' ? undefined : JSON.parse(text);
  if (!response.ok) throw decodeWireError(response.status, answer);
  return answer as SessionBody | undefined;
}
