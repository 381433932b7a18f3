import { resolve } from 'node:path';
import type { FieldProblem } from '../core/config-editor.ts';
import { RuntimeError } from '../core/errors.ts';
import { isJsonObject } from '../core/json.ts';
import { readConfigFile } from './config-file.ts';
import type { Environment } from './environment.ts';
import { resolveConfig } from './load-config.ts';
import { toStatePaths } from './state-root/state-paths.ts';

export interface ConfigCheck {
  /** Absolute. */
  readonly file: string;
  /** A state root without a file has the defaults, which are valid. */
  readonly isThere: boolean;
  readonly problems: readonly FieldProblem[];
}

export interface CheckRequest {
  readonly root: string;
  readonly env: Environment;
  /** Another file than the one of the state root. It is looked at alone, without the environment. */
  readonly file?: string | undefined;
}

/** Everything that would keep a server from starting with this file. Throws `not_found` for a named file that is not there. */
export async function checkConfigFile({
  root,
  env,
  file: named,
}: CheckRequest): Promise<ConfigCheck> {
  const file = named === undefined ? toStatePaths(root).configFile : resolve(named);
  try {
    const config = await readConfigFile(file);
    if (config === undefined && named !== undefined) throw fileNotFound(file);
    await resolveConfig(config ?? {}, { root, env: named === undefined ? env : {} });
    return { file, isThere: config !== undefined, problems: [] };
  } catch (error) {
    if (!(error instanceof RuntimeError) || error.code !== 'config_invalid') throw error;
    return { file, isThere: true, problems: toFieldProblems(error) };
  }
}

function toFieldProblems({ message, details = {} }: RuntimeError): FieldProblem[] {
  const { problems, field, variable } = details;
  if (Array.isArray(problems)) return problems.flatMap(toFieldProblem);
  if (typeof field !== 'string' || field === '') return [{ path: '', message }];
  // Whoever set a variable has to hear its name; a file is named beside the problem.
  const at = variable === undefined ? message.indexOf(`${field} `) + field.length + 1 : 0;
  return [{ path: field, message: message.slice(at) }];
}

function toFieldProblem(one: unknown): FieldProblem[] {
  if (!isJsonObject(one)) return [];
  const { field, problem, fix } = one;
  return [{ path: String(field), message: `${String(problem)}; to fix: ${String(fix)}` }];
}

function fileNotFound(file: string): RuntimeError {
  return new RuntimeError('not_found', `file ${file} does not exist`, {
    details: { thing: 'file', name: file },
  });
}
