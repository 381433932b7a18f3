import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { RuntimeError } from '../../src/core/errors.ts';
import { DEFAULT_AGENT_ID, type RunId } from '../../src/core/ids.ts';
import type { JsonObject } from '../../src/core/json.ts';
import { OPERATOR, toOwner } from '../../src/core/principal.ts';
import { PRINCIPALS_FOLDER, toPrincipalFolder } from '../../src/core/principal-folder.ts';
import type { TestRuntime } from '../support/open-test-runtime.ts';
import { ADA, driveThread, GRACE } from './thread-rig.ts';

export const USER = toOwner(ADA);
export const GUEST = toOwner(GRACE);
export const OWNERS = [OPERATOR, USER, GUEST];

/** What a call came to: its output, or the code it was refused with. */
type Outcome =
  | { readonly output: JsonObject; readonly code?: undefined; readonly message?: undefined }
  | { readonly code: string; readonly message: string; readonly output?: undefined };

/** One thing of each kind for each owner, and calls of any tool for each. */
export interface PrincipalRig {
  readonly runtime: TestRuntime;
  /** By owner: a run at rest, or queued and never begun. */
  readonly runs: ReadonlyMap<string, RunId>;
  readonly sessions: ReadonlyMap<string, string>;
  call(viewer: string, tool: string, input?: JsonObject): Promise<Outcome>;
  /** Owners whose thing the call with their input came through for. */
  seen(
    viewer: string,
    tool: string,
    inputOf: (owner: string) => JsonObject,
  ): Promise<readonly string[]>;
  /** Every way to write a path to an owner's file. */
  pathsOf(owner: string, name: string): readonly string[];
  put(owner: string, name: string, text: string): Promise<void>;
  text(owner: string, name: string): Promise<string | undefined>;
}

export async function openPrincipalRig(runtime: TestRuntime): Promise<PrincipalRig> {
  const runs = new Map<string, RunId>();
  const sessions = new Map<string, string>();
  for (const principal of [ADA, GRACE]) {
    const run = await driveThread(runtime, principal).create();
    runs.set(toOwner(principal), run.id);
    sessions.set(toOwner(principal), String(run.sessionId));
  }
  const place = { channel: 'http', userId: 'someone', roomId: 'here', agentId: DEFAULT_AGENT_ID };
  sessions.set(OPERATOR, (await runtime.sessions.open(place)).session.id);
  runs.set(OPERATOR, (await runtime.ask('hello')).id);

  const workspace = runtime.loaded.workspaceDir;
  const folderOf = (owner: string) =>
    owner === OPERATOR ? workspace : join(workspace, PRINCIPALS_FOLDER, toPrincipalFolder(owner));
  let calls = 0;

  async function call(viewer: string, name: string, input: JsonObject = {}): Promise<Outcome> {
    const tool = runtime.registry.find(name);
    if (!tool) throw new Error(`there is no tool ${name}`);
    calls += 1;
    const ctx = {
      runId: `run_call_${calls}` as RunId,
      agentId: DEFAULT_AGENT_ID,
      principal: viewer,
      callId: `call_${calls}`,
      signal: new AbortController().signal,
    };
    try {
      return { output: await tool.execute(tool.input.parse(tool.repair(input)), ctx) };
    } catch (thrown) {
      if (!(thrown instanceof RuntimeError)) throw thrown;
      return { code: thrown.code, message: thrown.message };
    }
  }

  return {
    runtime,
    runs,
    sessions,
    call,

    async seen(viewer, tool, inputOf) {
      const found: string[] = [];
      for (const owner of OWNERS) {
        const { code } = await call(viewer, tool, inputOf(owner));
        if (code === undefined) found.push(owner);
        else if (code !== 'not_found') throw new Error(`${tool} answered ${code} to ${viewer}`);
      }
      return found;
    },

    pathsOf(owner, name) {
      const inside = join(PRINCIPALS_FOLDER, toPrincipalFolder(owner), name);
      return owner === OPERATOR
        ? [name, `../../${name}`, join(workspace, name)]
        : [name, inside, `../${toPrincipalFolder(owner)}/${name}`, join(folderOf(owner), name)];
    },

    async put(owner, name, text) {
      const path = join(folderOf(owner), name);
      await mkdir(dirname(path), { recursive: true });
      await writeFile(path, text);
    },

    text: (owner, name) => readFile(join(folderOf(owner), name), 'utf8').catch(() => undefined),
  };
}
