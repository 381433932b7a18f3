import { RuntimeError } from '../../../src/core/errors.ts';
import { readJson, toError, Unreachable } from './send.ts';
import { noteServerTime } from './server-time.ts';
import { endedState, session } from './session-state.ts';
import { onTabMessage, tellTabs } from './tabs.ts';

interface SessionBody {
  readonly sign_in_id: string;
  readonly csrf_token: string;
  readonly version: string;
}

const ANSWER_MS = 15_000;

type Credential = { readonly code: string } | { readonly token: string };

/** On load: by the code in the address, which is taken out of it at once, or by the cookie of before. */
export async function openSession(): Promise<void> {
  onTabMessage(({ kind }) => {
    if (kind === 'signed_in') void resumeSession();
    if (kind === 'signed_out') session.set({ state: 'out' });
  });
  const code = takeCode();
  if (code !== undefined && (await signIn({ code }))) return;
  await resumeSession();
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

/**
 * Asks who is signed in by the cookie, and which version answers. False: no server does, and everything stays as it is.
 */
export async function resumeSession(): Promise<boolean> {
  const before = session.get().state;
  try {
    const body = await request('GET');
    // Whoever signed out meanwhile stays out.
    if (session.get().state === before || before !== 'in') enter(body);
  } catch (error) {
    if (!(error instanceof RuntimeError) || error.retryable) {
      if (session.get().state === 'unknown') setTimeout(() => void resumeSession(), 1_000);
      return false;
    }
    session.set({ ...session.get(), state: endedState() });
  }
  return true;
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
    signal: AbortSignal.timeout(ANSWER_MS),
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
  if (!response.ok) throw await toError(response);
  return (await readJson(response)) as SessionBody | undefined;
}
