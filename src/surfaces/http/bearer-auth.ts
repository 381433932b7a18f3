import { digestSecret, isSecretOf } from '../../core/secrets/secret-digest.ts';
import { refuseCaller } from './answers/refuse-caller.ts';
import type { RateLimiter } from './rate-limiter.ts';
import type { Authenticate } from './surface.ts';

const REALM = 'pincer';
const AUTHORIZATION = /^([A-Za-z0-9-]+)(?: +(\S+))? *$/;

export interface BearerAuthOptions {
  readonly token: string;
  /** Counts failures by client address. */
  readonly failures: RateLimiter;
  /** Also takes the token as the password of HTTP Basic, so that a browser can open a page. */
  readonly acceptsBasic?: boolean;
}

/**
 * The right token always passes, also from an address with many failures: on a loopback address one broken client
 * would otherwise lock everybody out.
 */
export function createBearerAuth(options: BearerAuthOptions): Authenticate {
  const expected = digestSecret(options.token);
  const caller = { id: `token:${expected.toString('hex').slice(0, 16)}` };
  const challenge = `${options.acceptsBasic ? 'Basic' : 'Bearer'} realm="${REALM}"`;

  return (request) => {
    const given = readToken(request.headers.authorization, options.acceptsBasic ?? false);
    if ('token' in given && isSecretOf(expected, given.token)) return caller;
    const message = 'token' in given ? 'invalid bearer token' : given.problem;
    return refuseCaller(options.failures, request.ip, { message, challenge });
  };
}

type GivenToken = { readonly token: string } | { readonly problem: string };

function readToken(header: string | undefined, acceptsBasic: boolean): GivenToken {
  if (header === undefined || header === '') return { problem: 'missing bearer token' };
  const [, scheme, credentials] = AUTHORIZATION.exec(header) ?? [];
  switch (scheme?.toLowerCase()) {
    case 'bearer':
      return credentials === undefined
        ? { problem: 'missing bearer token' }
        : { token: credentials };
    case 'basic':
      if (!acceptsBasic) return { problem: 'invalid authorization scheme' };
      return { token: passwordOf(credentials ?? '') };
    default:
      return { problem: 'invalid authorization scheme' };
  }
}

function passwordOf(credentials: string): string {
  const text = Buffer.from(credentials, 'base64').toString('utf8');
  return text.slice(text.indexOf(':') + 1);
}
