import type { Completions } from '../../core/completions/completions.ts';
import type { EmbedTexts } from '../../core/completions/embed-texts.ts';
import { addOperation } from '../http/add-operations.ts';
import { untilGone } from '../http/streams/until-gone.ts';
import type { Authenticate, Surface } from '../http/surface.ts';
import { addChatRoute, addResponsesRoute } from './completion-routes.ts';
import { createEmbeddings } from './embeddings.ts';
import { encodeOpenAiError, openAiErrorEnvelope } from './errors.ts';
import { listModels } from './models.ts';

export interface OpenAiDeps {
  readonly completions: Completions;
  readonly embedTexts: EmbedTexts;
  readonly authenticate: Authenticate;
  /** What bodies may have elsewhere. */
  readonly maxBodyBytes: number;
}

/** Whole conversations travel here with every call: two million characters, and what JSON makes of them. */
const MIN_BODY_BYTES = 8 * 1024 * 1024;

/**
 * OpenAI's API for programs that speak it. Its paths stand among those of `/v1`, so each is a surface: what is not
 * theirs stays in the hands, and the words, of `/v1`.
 */
export function createOpenAiSurfaces(deps: OpenAiDeps): readonly Surface[] {
  const { completions, embedTexts } = deps;
  const routes: Readonly<Record<string, Surface['routes']>> = {
    '/v1/chat/completions': (app, kit) => addChatRoute(app, { completions, kit }),
    '/v1/responses': (app, kit) => addResponsesRoute(app, { completions, kit }),
    '/v1/models': (app) => addOperation(app, listModels, () => ({ completions })),
    '/v1/embeddings': (app) =>
      addOperation(app, createEmbeddings, (_, reply) => ({ embedTexts, signal: untilGone(reply) })),
  };
  return Object.entries(routes).map(([prefix, add]) => ({
    name: 'openai',
    prefix,
    encodeError: encodeOpenAiError,
    errorEnvelope: openAiErrorEnvelope,
    authenticate: deps.authenticate,
    maxBodyBytes: Math.max(deps.maxBodyBytes, MIN_BODY_BYTES),
    routes: add,
  }));
}
