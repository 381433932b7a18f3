import { MAX_SPEC_VERSION, SPEC_ID_PATTERN } from '../../../../core/skills/spec-fields.ts';
import { naming, parseError } from '../../program/errors.ts';

export function parseSkillArgument(id: string | undefined, command: string): string {
  if (id !== undefined && SPEC_ID_PATTERN.test(id)) return id;
  throw parseError(`${JSON.stringify(id?.slice(0, 140) ?? '')} is not the id of a skill`, {
    target: command,
    hint: 'ids are 3 to 128 letters, digits, dots, colons, dashes and underscores',
  });
}

export function parseVersionArgument(text: string | undefined, command: string): number {
  const version = /^[1-9]\d{0,9}$/.test(text ?? '') ? Number(text) : 0;
  if (version >= 1 && version <= MAX_SPEC_VERSION) return version;
  throw parseError(`${JSON.stringify(text?.slice(0, 20) ?? '')} is not a version`, {
    target: command,
    hint: 'versions are whole numbers from 1',
  });
}

const LIST_HINT = 'claw skills list shows what there is';

/** Says which skill was looked for when there is none. */
export function namingSkill<T>(id: string, version: number, lookup: Promise<T>): Promise<T> {
  const name = `${id} ${version}`;
  return naming(
    { thing: 'skill_spec', name, hint: LIST_HINT },
    naming({ thing: 'skill_release', name, hint: LIST_HINT }, lookup),
  );
}
