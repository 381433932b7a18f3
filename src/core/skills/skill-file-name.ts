/** The file that makes a folder a skill, in the Agent Skills format. */
export const SKILL_FILE = 'SKILL.md';
