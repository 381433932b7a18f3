import type { FastifyReply, FastifyRequest } from 'fastify';
import { RuntimeError } from '../../core/errors.ts';
import { pathOf } from '../http/path-of.ts';
import type { SurfaceApp } from '../http/surface.ts';
import { chooseEncoding } from './choose-encoding.ts';
import { createPageFiles, type PageFile, SUFFIXES } from './page-files.ts';
import { NOT_BUILT_PAGE, NOT_BUILT_POLICY, PAGE_HEADERS } from './page-headers.ts';

const HOME = '/dashboard/';
/** Named after what is in them: they never change. */
const HASHED = 'assets/';
const FOR_EVER = 'public, max-age=31536000, immutable';

const OPTIONS = { config: { quiet: true }, schema: { hide: true } };

interface Exchange {
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
}

/** The built pages. They need no token: what they show, they ask for with the cookie. */
export function addPageRoutes(app: SurfaceApp, folder: string): void {
  const files = createPageFiles(folder);

  app.get('', { ...OPTIONS, prefixTrailingSlash: 'no-slash' }, async (_request, reply) =>
    reply.redirect(HOME),
  );

  app.get('/', { ...OPTIONS, prefixTrailingSlash: 'slash' }, async (request, reply) =>
    sendIndex({ request, reply }, folder, await files.findIndex()),
  );

  app.get<{ Params: { '*': string } }>('/*', OPTIONS, async (request, reply) => {
    const path = request.params['*'];
    const file = await files.find(path);
    if (file) return sendFile({ request, reply }, folder, file);
    if (path.startsWith(HASHED)) throw noSuchFile(request);
    return sendIndex({ request, reply }, folder, await files.findIndex());
  });
}

/** Every place of the pages has an address: the page itself knows what to show there. */
function sendIndex(exchange: Exchange, folder: string, index: PageFile | undefined) {
  if (index) return sendFile(exchange, folder, index);
  return exchange.reply
    .code(503)
    .type('text/html; charset=utf-8')
    .header('content-security-policy', NOT_BUILT_POLICY)
    .send(NOT_BUILT_PAGE);
}

async function sendFile({ request, reply }: Exchange, folder: string, file: PageFile) {
  const { send } = await import('@fastify/send');
  const encoding = chooseEncoding(request.headers['accept-encoding'], file.encodings);
  const path = encoding === undefined ? file.path : file.path + SUFFIXES[encoding];
  const options = { root: folder, index: false, acceptRanges: false, cacheControl: false } as const;
  const sent = await send(request.raw, `/${encodeURI(path)}`, options);
  if (sent.type !== 'file' && sent.statusCode !== 304) throw noSuchFile(request);
  return reply
    .code(sent.statusCode)
    .headers({ ...sent.headers, ...PAGE_HEADERS, vary: 'accept-encoding' })
    .headers(encoding === undefined ? {} : { 'content-encoding': encoding })
    .header('cache-control', file.path.startsWith(HASHED) ? FOR_EVER : 'no-cache')
    .type(typeOf(send.mime.getType(file.path)))
    .send(sent.stream);
}

function typeOf(found: string | null): string {
  const type = found ?? 'application/octet-stream';
  return /^text\/|javascript$|json$|\+xml$/.test(type) ? `${type}; charset=utf-8` : type;
}

function noSuchFile({ url }: FastifyRequest): RuntimeError {
  return new RuntimeError('not_found', `there is no file ${pathOf(url).slice(0, 200)}`, {
    details: {
      thing: 'file',
      recovery_action: 'Load the page again: it may have been built anew.',
    },
  });
}
