import type { AdminServer } from '../admin/test-admin-server.ts';
import { TOKEN } from '../v1/http-client.ts';

export const SESSION = '/dashboard/session';
export const SIGN_INS = '/api/admin/sign-ins';

export interface Browser {
  readonly cookie: string;
  readonly signInId: string;
  readonly csrf: string;
  /** For what only looks. */
  readonly looking: { readonly anonymous: true; readonly headers: Record<string, string> };
  /** For what changes something. */
  readonly acting: { readonly anonymous: true; readonly headers: Record<string, string> };
}

/** Signs in as a page does, with the token unless it is given a code. */
export async function signIn(
  server: Pick<AdminServer, 'post'>,
  body: object = { token: TOKEN },
): Promise<Browser> {
  const answer = await server.post(SESSION, body, { anonymous: true });
  if (answer.status !== 200) throw new Error(`not signed in: ${answer.text}`);
  const session = answer.body as { readonly sign_in_id: string; readonly csrf_token: string };
  const [cookie = ''] = answer.headers['set-cookie']?.[0]?.split(';') ?? [];
  const csrf = session.csrf_token;
  return {
    ...{ cookie, csrf, signInId: session.sign_in_id },
    looking: { anonymous: true, headers: { cookie } },
    acting: { anonymous: true, headers: { cookie, 'x-pincer-csrf': csrf } },
  };
}

export const refusal = (message: string, code = 'auth.unauthorized') => ({
  error: { code, message },
});
