import { parseFrontMatter } from '../inventory/parse-front-matter.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../json.ts';
import { SKILL_FILE } from './skill-file-name.ts';
import { SKILL_DIRECTORIES, type SkillFile } from './skill-files.ts';
import { invalidSpec, specProblem } from './spec-problem.ts';

/** A folder in the Agent Skills format, read from somewhere. */
export interface SkillFolder {
  /** SKILL.md and what lies in its folders, paths relative to the folder. */
  readonly files: readonly SkillFile[];
  /** Names that belong to no part of the format. */
  readonly leftOut: readonly string[];
  /** What an export says about itself: the release with its signature, and the spec that it was made from. */
  readonly exported: JsonObject | undefined;
}

export const EXPORT_FILE = 'skill-release.json';
export const EXPORT_FORMAT = 'pincer.skill_export.v1';

const TOOL = /^([A-Za-z0-9._:-]{3,128})@v([1-9]\d{0,9})$/;
const ENTRY = /^\s+("(?:[^"\\]|\\.)*"|\w[\w ,@/()+.-]*):\s*(.*)$/;

export interface FolderRequest {
  readonly version: number;
  /** The name in its front matter when left out. */
  readonly skillId?: string | undefined;
}

/** The spec that a folder stands for. Whether it is valid is said where specs are. */
export function toSkillSpec(folder: SkillFolder, { version, skillId }: FolderRequest): JsonObject {
  const text = folder.files.find(({ path }) => path === SKILL_FILE)?.content;
  const parsed = text === undefined ? undefined : parseFrontMatter(text);
  if (text === undefined || parsed === undefined) {
    const message =
      text === undefined ? 'is missing' : 'has front matter that is not closed by ---';
    throw invalidSpec([specProblem(SKILL_FILE, message)]);
  }
  const { fields, body } = parsed;
  const name = fields.get('name') ?? '';
  const { tools, others } = readTools(fields.get('allowed-tools') ?? '');
  const metadata = {
    ...readMap(text, 'metadata'),
    // Tools of other programs: kept, since they tell a reader something, and promised to nobody.
    ...(others.length === 0 ? {} : { 'allowed-tools': others.join(' ') }),
  };
  const compatibility = readMap(text, 'compatibility') ?? toNote(fields.get('compatibility'));
  return {
    skill_id: skillId ?? name,
    version,
    name,
    description: fields.get('description') ?? '',
    instructions_markdown: body.trim(),
    ...(fields.get('license') ? { license: fields.get('license') ?? '' } : {}),
    ...(compatibility ? { compatibility } : {}),
    ...(Object.keys(metadata).length === 0 ? {} : { metadata }),
    ...(tools.length === 0 ? {} : { allowed_tools: tools }),
    ...readDirectories(folder.files),
  };
}

function readDirectories(files: readonly SkillFile[]): JsonObject {
  const filled = SKILL_DIRECTORIES.map((directory) => {
    const inside = files.filter(({ path }) => path.startsWith(`${directory}/`));
    const entries = inside.map(({ path, content, encoding }): JsonObject => {
      const inner = path.slice(directory.length + 1);
      return { path: inner, content, ...(encoding === 'base64' ? { encoding } : {}) };
    });
    return [directory, entries] as const;
  });
  return Object.fromEntries(filled.filter(([, entries]) => entries.length > 0));
}

/** A list in YAML, or words between spaces or commas. */
function readTools(text: string): { tools: JsonObject[]; others: string[] } {
  const tools: JsonObject[] = [];
  const others: string[] = [];
  for (const word of text.split(/[\s,[\]"']+/)) {
    if (word === '' || word === '-') continue;
    const [, id, version] = TOOL.exec(word) ?? [];
    if (id === undefined) others.push(word);
    else tools.push({ tool_id: id, version: Number(version) });
  }
  return { tools, others };
}

function toNote(text: string | undefined): JsonObject | undefined {
  return text ? { requirements: text } : undefined;
}

/** One level of a block map: all that the format has. Undefined when the field is no map. */
function readMap(text: string, field: string): JsonObject | undefined {
  const lines = text.split(/\r?\n/);
  const at = lines.findIndex((line) => line.trimEnd() === `${field}:`);
  const end = lines.findIndex((line, index) => index > 0 && line.trimEnd() === '---');
  if (at === -1 || at > end) return undefined;
  const map: Record<string, JsonValue> = {};
  for (const line of lines.slice(at + 1, end)) {
    const [, key, value = ''] = ENTRY.exec(line) ?? [];
    if (key === undefined) break;
    map[String(readScalar(key))] = readScalar(value.trim());
  }
  return Object.keys(map).length === 0 ? undefined : map;
}

/** Quoted as in JSON or in single quotes; numbers, true and false as such; the rest as text. */
function readScalar(text: string): JsonValue {
  const [, single] = /^'((?:[^']|'')*)'$/.exec(text) ?? [];
  if (single !== undefined) return single.replaceAll("''", "'");
  try {
    const value = JSON.parse(text) as JsonValue;
    return isJsonObject(value) || Array.isArray(value) || value === null ? text : value;
  } catch {
    return text.replace(/\s+#.*$/, '');
  }
}
