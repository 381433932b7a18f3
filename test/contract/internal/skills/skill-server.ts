import { assembleSkills } from '../../../../src/assembly/assemble-skills.ts';
import type { Skills } from '../../../../src/core/skills/skills.ts';
import { type InternalServer, openInternalServer } from '../test-internal-server.ts';

export interface SkillServer extends InternalServer {
  readonly skills: Skills;
}

export async function openSkillServer(): Promise<SkillServer> {
  const made: { skills?: Skills } = {};
  const server = await openInternalServer({
    deps(runtime) {
      const { skills } = assembleSkills(runtime);
      made.skills = skills;
      return { specRegistry: skills.registry, skillReleases: skills.releases };
    },
  });
  if (made.skills === undefined) throw new Error('the server was opened without skills');
  return { ...server, skills: made.skills };
}

/** The contract's own examples. */
export const TOOL_SPEC = {
  tool_id: 'github.custom',
  version: 1,
  tool_pack: 'coding.v1',
  name: 'GitHub Custom',
  description: 'Custom coding skill tool',
  execution_kind: 'http',
  integration_manifest: {
    manifest_version: 'coding.integration.v1',
    integration_id: 'github.custom',
    provider: 'github',
    status: 'active',
    tool_pack: 'coding.v1',
    capabilities: ['get_issue', 'get_pull_request'],
    secrets_ref: { provider: 'laravel', key_id: 'intsec_github_custom' },
    policy: { write_operations_mode: 'enforce', max_requests_per_minute: 120 },
  },
  commercial: { pricing_model: 'free', currency: 'BTC_SATS' },
};

export const SKILL_SPEC = {
  skill_id: 'github-coding-custom',
  version: 1,
  name: 'GitHub Coding Custom',
  description: 'Custom coding workflow skill',
  instructions_markdown: 'Use coding tools for issue workflows.',
  allowed_tools: [{ tool_id: 'github.custom', version: 1 }],
  compatibility: { runtime: 'openagents-runtime' },
  commercial: { pricing_model: 'free', currency: 'BTC_SATS' },
};

export const TOOL_SPECS = '/skills/tool-specs';
export const SKILL_SPECS = '/skills/skill-specs';
export const PUBLISH = `${SKILL_SPECS}/github-coding-custom/1/publish`;
export const RELEASE = '/skills/releases/github-coding-custom/1';

/** Both examples stored as the contract has them. */
export async function storeExamples(server: SkillServer): Promise<void> {
  await server.post(TOOL_SPECS, { state: 'validated', tool_spec: TOOL_SPEC });
  await server.post(SKILL_SPECS, { state: 'validated', skill_spec: SKILL_SPEC });
}
