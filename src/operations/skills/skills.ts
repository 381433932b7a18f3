import { OPERATOR } from '../../core/principal.ts';
import {
  deprecateSkill,
  getSkill,
  listSkills,
  type SkillParts,
} from '../../core/skills/list-skills.ts';
import { type AnyOperation, answer, operationsWith } from '../operation.ts';
import { encodeSkillDetail, encodeSkillList } from './skill-codec.ts';

export interface SkillKeeping {
  readonly skills: SkillParts;
}

const define = operationsWith(() => import('./skill-shapes.ts'));

const TAGS = ['skills'];
const SKILL = '/api/admin/skills/:skill_id/:version';

export const listAllSkills = define({
  name: 'skills.list',
  method: 'GET',
  path: '/api/admin/skills',
  effect: 'read',
  summary: 'List skills and tool specs',
  description:
    'All versions of all owners, those that are built in too, and of each release whether its signature holds.',
  tags: TAGS,
  errors: [400, 401, 403, 429, 500, 503],
  wire: ({ skillList }) => ({ answers: { 200: answer('By id and version.', skillList) } }),
  run: async ({ skills }: SkillKeeping) =>
    encodeSkillList(await listSkills(skills), await skills.registry.list('tool')),
});

export const readSkill = define({
  name: 'skills.get',
  method: 'GET',
  path: SKILL,
  effect: 'read',
  summary: 'Read a skill',
  description: 'Its spec, and the files of its release.',
  tags: TAGS,
  errors: [400, 401, 403, 404, 429, 500, 503],
  wire: ({ skillParams, skillDetail }) => ({
    params: skillParams,
    answers: { 200: answer('The skill.', skillDetail) },
  }),
  run: async ({ skills }: SkillKeeping, { params }) => show(skills, params),
});

export const publishSkill = define({
  name: 'skills.publish',
  method: 'POST',
  path: `${SKILL}/publish`,
  effect: 'write',
  isRepeatable: true,
  summary: 'Release a skill',
  description:
    'Compiles and signs it. The first release of a version stays: again answers with it.',
  tags: TAGS,
  errors: [400, 401, 403, 404, 409, 413, 415, 422, 429, 500, 503],
  wire: ({ skillParams, skillDetail }) => ({
    params: skillParams,
    answers: { 200: answer('The skill, released.', skillDetail) },
  }),
  async run({ skills }: SkillKeeping, { params }) {
    await skills.releases.publish({ ...toRef(params), by: OPERATOR });
    return show(skills, params);
  },
});

export const withdrawSkill = define({
  name: 'skills.deprecate',
  method: 'POST',
  path: `${SKILL}/deprecate`,
  effect: 'write',
  isRepeatable: true,
  summary: 'Withdraw a version of a skill',
  description:
    'Agents are told of the newest version that is not deprecated. It stays readable and can not be taken back.',
  tags: TAGS,
  errors: [400, 401, 403, 404, 409, 413, 415, 422, 429, 500, 503],
  wire: ({ skillParams, skillDetail }) => ({
    params: skillParams,
    answers: { 200: answer('The skill, deprecated.', skillDetail) },
  }),
  async run({ skills }: SkillKeeping, { params }) {
    await deprecateSkill(skills, toRef(params));
    return show(skills, params);
  },
});

interface SkillParams {
  readonly skill_id: string;
  readonly version: number;
}

function toRef({ skill_id: skillId, version }: SkillParams) {
  return { skillId, version };
}

async function show(skills: SkillParts, params: SkillParams) {
  return encodeSkillDetail(await getSkill(skills, toRef(params)));
}

/** In the order of the documentation. */
export const SKILL_OPERATIONS: readonly AnyOperation<SkillKeeping>[] = [
  listAllSkills,
  readSkill,
  publishSkill,
  withdrawSkill,
];
