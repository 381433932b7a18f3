import type { FastifyReply, FastifyRequest } from 'fastify';
import { RuntimeError } from '../../core/errors.ts';
import {
  getSession,
  SESSION_COOKIE_OPERATIONS,
} from '../../operations/sign-ins/dashboard-session.ts';
import { addOperation } from '../http/add-operations.ts';
import { encodeDottedError } from '../http/answers/dotted-errors.ts';
import { readSessionCookie } from '../http/session-cookie.ts';
import type { Surface } from '../http/surface.ts';
import { type CookieDeps, createCookieAccess } from './cookie-access.ts';
import { addPageRoutes } from './page-routes.ts';

export interface DashboardDeps extends CookieDeps {
  /** Where the build has put the pages; it need not be there. */
  readonly pagesFolder: string;
}

/** `/dashboard`: the pages, and the way to sign in to them. */
export function createDashboardSurface(deps: DashboardDeps): Surface {
  return {
    name: 'dashboard',
    prefix: '/dashboard',
    encodeError: encodeDottedError,
    // Signing in is asked of everybody here; the rest is the same for everybody.
    authenticate: 'public',
    async routes(app) {
      app.addHook('preHandler', greetStranger);
      for (const operation of SESSION_COOKIE_OPERATIONS) {
        await addOperation(app, operation, (request, reply) =>
          createCookieAccess(deps, request, reply),
        );
      }
      addPageRoutes(app, deps.pagesFolder);
    },
  };
}

/** A browser that comes for the first time has tried nothing: it is told so, and not counted among those who failed. */
async function greetStranger(request: FastifyRequest, reply: FastifyReply) {
  const { method, routeOptions } = request;
  if (routeOptions.url !== getSession.path || method === 'POST') return;
  if (readSessionCookie(request) !== undefined) return;
  const { status, body } = encodeDottedError(
    new RuntimeError(
      'unauthenticated',
      'nobody is signed in here: open the link that `claw dashboard` prints, or paste the token',
    ),
  );
  return reply.code(status).send(body);
}
