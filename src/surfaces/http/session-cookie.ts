import type { FastifyReply, FastifyRequest } from 'fastify';

const NAME = 'pincer_session';
const COOKIE = new RegExp(`(?:^|;)\\s*${NAME}=([^;\\s]+)`);

export function readSessionCookie({
  headers,
}: Pick<FastifyRequest, 'headers'>): string | undefined {
  return COOKIE.exec(headers.cookie ?? '')?.[1];
}

export interface SetCookie {
  readonly value: string;
  readonly maxAgeSeconds: number;
}

/** Out of reach of scripts and of other sites; over https, it never travels otherwise. */
export function setSessionCookie(
  request: FastifyRequest,
  reply: FastifyReply,
  { value, maxAgeSeconds }: SetCookie,
): void {
  const secure = request.protocol === 'https' ? '; Secure' : '';
  const flags = `HttpOnly; SameSite=Strict; Path=/; Max-Age=${maxAgeSeconds}${secure}`;
  reply.header('set-cookie', `${NAME}=${value}; ${flags}`);
}

export function clearSessionCookie(request: FastifyRequest, reply: FastifyReply): void {
  setSessionCookie(request, reply, { value: '', maxAgeSeconds: 0 });
}
