import { parseFrontMatter } from '../inventory/parse-front-matter.ts';
import type { SkillBundle } from './skill-bundle.ts';
import { SKILL_FILE } from './skill-file-name.ts';
import type { SkillFile } from './skill-files.ts';
import { MAX_DESCRIPTION_CHARS } from './skill-spec.ts';

/** Every file of a bundle, its path relative to the bundle's root: SKILL.md first, the rest by path. */
export function listBundleFiles({ root, files, directories }: SkillBundle): SkillFile[] {
  const prefix = `${root}/`;
  const inner = (path: string) => (path.startsWith(prefix) ? path.slice(prefix.length) : path);
  const texts = Object.entries(files).map(([path, content]) => ({ path: inner(path), content }));
  const others = Object.entries(directories).flatMap(([directory, entries]) =>
    entries.map((file) => ({ ...file, path: `${inner(directory)}/${file.path}` })),
  );
  return [...texts, ...others.sort((a, b) => (a.path < b.path ? -1 : 1))];
}

function getSkillText({ root, files }: SkillBundle): string {
  return files[`${root}/${SKILL_FILE}`] ?? '';
}

/** What a model is told to do, without what the skill says about itself. */
export function getInstructions(bundle: SkillBundle): string {
  const text = getSkillText(bundle);
  return (parseFrontMatter(text)?.body ?? text).trim();
}

/** As one plain line of bounded length: it stands in a prompt, among words that are ours. */
export function getDescription(bundle: SkillBundle): string {
  const description = parseFrontMatter(getSkillText(bundle))?.fields.get('description') ?? '';
  const line = description.replace(/[\s\p{Cc}]+/gu, ' ').trim();
  if (line.length <= MAX_DESCRIPTION_CHARS) return line;
  // Ours are never so long; a bundle that somebody else compiled may be.
  return `${line.slice(0, MAX_DESCRIPTION_CHARS - 1).toWellFormed()}…`;
}
