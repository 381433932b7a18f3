import { mkdir, readdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import { openTempRoot } from '../../test/support/temp-root.ts';
import { RuntimeError } from '../core/errors.ts';
import { DEFAULT_AGENT_ID, type RunId } from '../core/ids.ts';
import type { JsonObject } from '../core/json.ts';
import { OPERATOR } from '../core/principal.ts';
import type { Tool, ToolContext } from '../core/tools/tool.ts';
import { createPathGuard, type PathGuard } from './files/paths/path-guard.ts';

export const SECRET = 'outside: nobody may read this';

/** A workspace in a directory of its own, with things beside it that tools must neither see nor change. */
export interface TestWorkspace {
  readonly root: string;
  readonly outside: string;
  readonly guard: PathGuard;
  /** The same workspace under the checks of systems without `/proc`. */
  readonly portableGuard: PathGuard;
  put(path: string, content?: string | Uint8Array): Promise<void>;
  link(path: string, target: string): Promise<void>;
  text(path: string): Promise<string>;
  /** Every name in the workspace; what is behind links is not. */
  names(): Promise<readonly string[]>;
  /** Everything outside the workspace, by name and content. */
  readOutside(): Promise<Record<string, string>>;
  remove(): Promise<void>;
}

export async function openTestWorkspace(): Promise<TestWorkspace> {
  const base = await openTempRoot();
  const root = join(base.path, 'workspace');
  const outside = join(base.path, 'outside');
  const config = { root, reserved: [join(root, 'vault'), join(base.path, 'state')] };
  await mkdir(join(root, 'vault'), { recursive: true });
  await mkdir(join(root, '.openclawssy'));
  await mkdir(join(outside, 'sub'), { recursive: true });
  for (const path of ['outside/secret.txt', 'outside/sub/secret.txt', 'workspace-2.txt']) {
    await writeFile(join(base.path, path), SECRET);
  }
  for (const path of ['vault/key.txt', '.openclawssy/config.json']) {
    await writeFile(join(root, path), SECRET);
  }
  return {
    root,
    outside,
    guard: createPathGuard(config),
    portableGuard: createPathGuard({ ...config, portable: true }),

    async put(path, content = '') {
      await mkdir(dirname(join(root, path)), { recursive: true });
      await writeFile(join(root, path), content);
    },

    link: (path, target) => symlink(target, join(root, path)),
    text: (path) => readFile(join(root, path), 'utf8'),
    async names() {
      const entries = await readdir(root, { recursive: true, withFileTypes: true });
      return entries.map(({ parentPath, name }) => relative(root, join(parentPath, name))).sort();
    },

    readOutside: () => readTree([outside, join(root, 'vault'), join(root, '.openclawssy')]),
    remove: () => base.remove(),
  };
}

async function readTree(directories: readonly string[]): Promise<Record<string, string>> {
  const files: Record<string, string> = {};
  for (const directory of directories) {
    for (const entry of await readdir(directory, { recursive: true, withFileTypes: true })) {
      const path = join(entry.parentPath, entry.name);
      files[path] = entry.isFile() ? await readFile(path, 'utf8') : '';
    }
  }
  return files;
}

/** As the pipeline does: mend, validate, run. */
export async function callTool(
  tool: Tool,
  input: JsonObject,
  signal: AbortSignal = new AbortController().signal,
): Promise<JsonObject> {
  const ctx: ToolContext = {
    runId: 'run_test' as RunId,
    agentId: DEFAULT_AGENT_ID,
    principal: OPERATOR,
    callId: 'call-1',
    signal,
  };
  return tool.execute(tool.input.parse(tool.repair(input)), ctx);
}

/** The messages with which a tool's schema refuses an input; empty when it accepts it. */
export function inputErrors(tool: Tool, input: JsonObject): readonly string[] {
  const parsed = tool.input.safeParse(tool.repair(input));
  return parsed.success ? [] : parsed.error.issues.map((issue) => issue.message);
}

export interface Failure {
  readonly code: string;
  readonly message: string;
  readonly details: unknown;
}

export async function failureOf(call: Promise<unknown>): Promise<Failure> {
  try {
    await call;
  } catch (error) {
    if (!(error instanceof RuntimeError)) throw error;
    return { code: error.code, message: error.message, details: error.details };
  }
  throw new Error('the call did not fail');
}
