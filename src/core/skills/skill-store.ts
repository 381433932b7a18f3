/** ToolSpecs, SkillSpecs and their immutable releases. */
export type SkillStore = object;
