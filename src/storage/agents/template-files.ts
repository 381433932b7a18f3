import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { type AgentFiles, MAX_SOUL_CHARS } from '../../core/agents/agent-files.ts';
import type { Logger } from '../../core/log.ts';
import { errnoOf } from '../../platform/errno-of.ts';
import { readOwnFile, statOwnFile } from './read-own-file.ts';

const TEMPLATE_NAME = /^[a-z0-9][a-z0-9_-]{0,63}$/;
const MAX_TEMPLATES = 200;
const SUFFIX = '.md';

/** Personalities that somebody wrote: `souls/templates/<name>.md`. */
export function openTemplateFiles(
  root: string,
  logger: Pick<Logger, 'warn'>,
): Pick<AgentFiles, 'findTemplate' | 'listTemplates'> {
  const folder = join(root, 'souls', 'templates');
  return {
    async findTemplate(name) {
      if (!TEMPLATE_NAME.test(name)) return undefined;
      const path = join(folder, `${name}${SUFFIX}`);
      if (statOwnFile(path) === undefined) return undefined;
      const { content, problem = TOO_LONG } = await readOwnFile(root, path);
      if (content !== undefined && content.length <= MAX_SOUL_CHARS) return content;
      logger.warn({ path: `souls/templates/${name}.md` }, `a template is not used: ${problem}`);
      return undefined;
    },

    async listTemplates() {
      const names = [...(await listNames(folder))]
        .filter((name) => name.endsWith(SUFFIX))
        .map((name) => name.slice(0, -SUFFIX.length));
      return names
        .filter((name) => TEMPLATE_NAME.test(name))
        .sort()
        .slice(0, MAX_TEMPLATES);
    },
  };
}

export const TOO_LONG = `it has more than ${MAX_SOUL_CHARS} characters`;

/** None of a folder that is not there. */
export async function listNames(folder: string): Promise<ReadonlySet<string>> {
  try {
    return new Set(await readdir(folder));
  } catch (thrown) {
    if (errnoOf(thrown) === 'ENOENT') return new Set();
    throw thrown;
  }
}
