import type { SkillShape } from '../../../../../src/operations/skills/skill-shapes.ts';
import { type State, StateBadge } from '../../../kit/state-badge.tsx';

type SpecState = NonNullable<SkillShape['state']>;

const STATES: Readonly<Record<SpecState, State>> = {
  draft: 'off',
  validated: 'wait',
  published: 'ok',
  deprecated: 'off',
};

/** Null for a release whose spec is not here. */
export function SpecBadge({ state }: { readonly state: SkillShape['state'] }) {
  if (state === null) return <StateBadge state="ok">installed</StateBadge>;
  return <StateBadge state={STATES[state]}>{state}</StateBadge>;
}

type Release = NonNullable<SkillShape['release']>;

const SIGNATURES: Readonly<Record<Release['signature'], readonly [State, string]>> = {
  valid: ['ok', 'signature holds'],
  untrusted: ['wait', 'key not trusted'],
  altered: ['bad', 'altered'],
};

/** Only a release with a valid signature is used. */
export function TrustBadge({ release }: { readonly release: SkillShape['release'] }) {
  if (release === null) return <span className="text-muted">not released</span>;
  const [state, words] = SIGNATURES[release.signature];
  return <StateBadge state={state}>{words}</StateBadge>;
}

export function toSkillPath({ skill_id, version }: Pick<SkillShape, 'skill_id' | 'version'>) {
  return `/skills/of/${encodeURIComponent(skill_id)}/${version}`;
}
