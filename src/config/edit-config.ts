import { isDeepStrictEqual } from 'node:util';
import type { Clock } from '../core/clock.ts';
import type { ConfigEditor, ConfigSaved } from '../core/config-editor.ts';
import { RuntimeError } from '../core/errors.ts';
import { isJsonObject, type JsonObject } from '../core/json.ts';
import type { Logger } from '../core/log.ts';
import { findDepthProblems, findDocumentProblems } from './check-document.ts';
import { readConfigFile, writeConfigFile } from './config-file.ts';
import { type ConfigProblem, configInvalid } from './config-problem.ts';
import { describeConfig } from './describe-config.ts';
import { blankSecrets, dropBlankKeys } from './document-secrets.ts';
import { createEditQueue, type TryLock } from './edit-queue.ts';
import type { LiveConfig } from './live-config.ts';
import { type ConfigSources, resolveConfig } from './load-config.ts';
import { applyMergePatch, mergeDocument } from './merge-document.ts';
import { findStruckOut, keepMcpSecrets, restoreMcpSecrets } from './restore-mcp-secrets.ts';
import { type ConfigInput, configSchema } from './schema/schema.ts';

export interface ConfigEditorDeps {
  /** As the running configuration was loaded from. */
  readonly sources: ConfigSources;
  readonly live: LiveConfig;
  /** Of the file, between processes. */
  readonly tryLock: TryLock;
  readonly clock: Clock;
  readonly logger: Logger;
  /** Told after every change that is in force: whoever sleeps by the old settings has to look again. */
  readonly onSaved?: () => void;
}

/** Makes a new document of the stored one. */
type Edit = (stored: JsonObject) => JsonObject;

export function createConfigEditor(deps: ConfigEditorDeps): ConfigEditor {
  const { paths } = deps.live.current();
  const queue = createEditQueue(deps);

  async function readStored(): Promise<JsonObject> {
    try {
      return ((await readConfigFile(paths.configFile)) ?? {}) as JsonObject;
    } catch (cause) {
      if (!(cause instanceof RuntimeError) || cause.code !== 'config_invalid') throw cause;
      // Somebody is editing it by hand. What they wrote must not be lost, even if it is wrong.
      throw new RuntimeError('conflict', `the file on disk is not valid: ${cause.message}`, {
        cause,
        details: { ...cause.details },
      });
    }
  }

  async function save(edit: Edit): Promise<ConfigSaved> {
    const stored = await readStored();
    const document = edit(stored);
    const problems = findProblems(document, stored);
    if (problems.length > 0) throw refused(problems);
    const next = await resolveConfig(document as ConfigInput, deps.sources);
    if (!isDeepStrictEqual(document, stored)) await writeConfigFile(paths.root, document);
    const saved = deps.live.apply(next);
    deps.onSaved?.();
    const { applied, restartRequired: restart_required, overridden } = saved;
    deps.logger.info({ applied, restart_required, overridden }, 'configuration saved');
    return saved;
  }

  function findProblems(document: JsonObject, stored: JsonObject): readonly ConfigProblem[] {
    const problems = findDocumentProblems(document, paths);
    if (problems.length > 0) return problems;
    return findStruckOut(document['mcpServers'], stored['mcpServers']);
  }

  return {
    async read() {
      return blankSecrets(configSchema.parse(await readStored()));
    },

    describe: async () => describeConfig(deps.live),

    async validate(document) {
      const tooDeep = findDepthProblems(document);
      if (tooDeep.length > 0) return tooDeep.map(toFieldProblem);
      const stored = await readStored();
      return findProblems(replaceFields(stored, document), stored).map(toFieldProblem);
    },

    async replace(document) {
      assertShallow(document);
      return queue.run(() => save((stored) => replaceFields(stored, document)));
    },

    async patch(change) {
      assertShallow(change);
      return queue.run(() => save((stored) => patchFields(stored, change)));
    },

    amend: (toChange) => queue.run(() => save((stored) => patchFields(stored, toChange(stored)))),
  };
}

function replaceFields(stored: JsonObject, given: JsonObject): JsonObject {
  const merged = mergeDocument(stored, dropBlankKeys(given));
  if (!isJsonObject(given['mcpServers'])) return merged;
  return withMcpServers(merged, stored, (servers, old) =>
    keepMcpSecrets(restoreMcpSecrets(servers, old), old),
  );
}

function patchFields(stored: JsonObject, change: JsonObject): JsonObject {
  const merged = applyMergePatch(stored, dropBlankKeys(change));
  return withMcpServers(merged, stored, restoreMcpSecrets);
}

function withMcpServers(
  document: JsonObject,
  stored: JsonObject,
  restore: (servers: JsonObject, old: JsonObject) => JsonObject,
): JsonObject {
  const [servers, old = {}] = [document['mcpServers'], stored['mcpServers']];
  if (!isJsonObject(servers) || !isJsonObject(old)) return document;
  return { ...document, mcpServers: restore(servers, old) };
}

function assertShallow(document: JsonObject): void {
  const problems = findDepthProblems(document);
  if (problems.length > 0) throw refused(problems);
}

function refused(problems: readonly ConfigProblem[]): RuntimeError {
  const details = { field_errors: problems.map(toFieldProblem) };
  return configInvalid({ text: 'the configuration', details }, problems);
}

function toFieldProblem({ field, problem, fix }: ConfigProblem) {
  return { path: field, message: `${problem}; to fix: ${fix}` };
}
