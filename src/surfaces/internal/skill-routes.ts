import type { FastifyRequest } from 'fastify';
import type { Releases } from '../../core/skills/releases.ts';
import type { SpecRegistry } from '../../core/skills/spec-registry.ts';
import { SPANS } from '../../core/telemetry.ts';
import { answer } from '../http/answers/answers.ts';
import type { SurfaceApp } from '../http/surface.ts';
import { BODY_ERRORS, errorAnswers, SIGNED, SIGNED_ERRORS } from './answers.ts';
import { getUserId } from './principal.ts';
import {
  encodeRelease,
  encodeReleaseReceipt,
  encodeSkillSpec,
  encodeToolSpec,
} from './skill-codec.ts';
import {
  releaseAnswer,
  releaseReceipt,
  skillParams,
  skillSpecBody,
  skillSpecList,
  skillSpecReceipt,
  toolSpecBody,
  toolSpecList,
  toolSpecReceipt,
  userHeaders,
} from './skill-schema.ts';

export interface SkillRouteDeps {
  readonly specRegistry: SpecRegistry;
  readonly skillReleases: Pick<Releases, 'publish' | 'get'>;
}

const COMMON = { tags: ['internal'], security: SIGNED };

const PUT_RULES =
  'State moves forward only: draft, validated, published, deprecated. A draft may be unfinished. Once published, a ' +
  'version never changes: the same content again answers 201 with the state it has, other content is a conflict. An id ' +
  'belongs to whoever made it first; others, and the ids of built-in specs, are forbidden.';

const listToolSpecs = {
  ...COMMON,
  summary: 'List tool specs',
  description: 'Stored ones by id and version, then those built in that no stored one stands for.',
  response: { 200: answer('All of them.', toolSpecList), ...errorAnswers(...SIGNED_ERRORS) },
};

const putToolSpec = {
  ...COMMON,
  summary: 'Store a tool spec',
  description: PUT_RULES,
  headers: userHeaders,
  body: toolSpecBody,
  response: {
    201: answer('It is stored.', toolSpecReceipt),
    ...errorAnswers(...SIGNED_ERRORS, 409, 422, ...BODY_ERRORS),
  },
};

const listSkillSpecs = {
  ...COMMON,
  summary: 'List skill specs',
  description: 'Stored ones by id and version, then those built in that no stored one stands for.',
  response: { 200: answer('All of them.', skillSpecList), ...errorAnswers(...SIGNED_ERRORS) },
};

const putSkillSpec = {
  ...COMMON,
  summary: 'Store a skill spec',
  description: PUT_RULES,
  headers: userHeaders,
  body: skillSpecBody,
  response: {
    201: answer('It is stored.', skillSpecReceipt),
    ...errorAnswers(...SIGNED_ERRORS, 409, 422, ...BODY_ERRORS),
  },
};

const publishSkill = {
  ...COMMON,
  summary: 'Publish a skill',
  description:
    'Compiles a validated spec into an immutable, signed bundle in the Agent Skills format. Publishing again answers ' +
    'with the same release. Only its author may; a built-in skill is the operator’s to publish. A draft, or a deprecated spec that was never released, is a conflict.',
  headers: userHeaders,
  params: skillParams,
  response: {
    201: answer('The release.', releaseReceipt),
    ...errorAnswers(...SIGNED_ERRORS, 404, 409, 422, ...BODY_ERRORS),
  },
};

const getRelease = {
  ...COMMON,
  summary: 'Read a release',
  description:
    'The bundle with its hash, compatibility report and signature, which is checked first: a release that was altered ' +
    'in the store, or that is signed with a key nobody here trusts, is a conflict.',
  params: skillParams,
  response: {
    200: answer('The release.', releaseAnswer),
    ...errorAnswers(...SIGNED_ERRORS, 404, 409),
  },
};

export function addSkillRoutes(app: SurfaceApp, deps: SkillRouteDeps): void {
  const { specRegistry: registry, skillReleases: releases } = deps;
  const read = { config: { span: SPANS.persist } };
  const write = { attachValidation: true, config: { span: SPANS.persist } };

  app.get('/skills/tool-specs', { ...read, schema: listToolSpecs }, async (_, reply) =>
    reply.send({ data: (await registry.list('tool')).map(encodeToolSpec) }),
  );

  app.get('/skills/skill-specs', { ...read, schema: listSkillSpecs }, async (_, reply) =>
    reply.send({ data: (await registry.list('skill')).map(encodeSkillSpec) }),
  );

  app.post('/skills/tool-specs', { ...write, schema: putToolSpec }, async (request, reply) => {
    const by = getSubmitter(request);
    const { state, tool_spec: document } = request.body;
    const spec = await registry.put('tool', { document, state, by });
    const data = { tool_id: spec.id, version: spec.version, state: spec.state };
    return reply.code(201).send({ data });
  });

  app.post('/skills/skill-specs', { ...write, schema: putSkillSpec }, async (request, reply) => {
    const by = getSubmitter(request);
    const { state, skill_spec: document } = request.body;
    const spec = await registry.put('skill', { document, state, by });
    const data = { skill_id: spec.id, version: spec.version, state: spec.state };
    return reply.code(201).send({ data });
  });

  app.post(
    '/skills/skill-specs/:skill_id/:version/publish',
    { ...write, schema: publishSkill },
    async (request, reply) => {
      const by = getSubmitter(request);
      const { skill_id: skillId, version } = request.params;
      const release = await releases.publish({ skillId, version, by });
      return reply.code(201).send(encodeReleaseReceipt(release));
    },
  );

  app.get(
    '/skills/releases/:skill_id/:version',
    { ...read, schema: getRelease },
    async (request, reply) => {
      const { skill_id: skillId, version } = request.params;
      return reply.send(encodeRelease(await releases.get(skillId, version)));
    },
  );
}

/** Who asks comes before what is asked. */
function getSubmitter(request: FastifyRequest): string {
  const userId = getUserId(request);
  if (request.validationError) throw request.validationError;
  return `user:${userId}`;
}
