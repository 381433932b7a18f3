import { mkdir, writeFile } from 'node:fs/promises';
import { silentLogger } from '../../../src/core/log.ts';
import { openServer, type Server, type ServerOptions } from '../../../src/server.ts';
import { atEnd } from '../../support/at-end.ts';
import { putFreshState } from '../../support/fresh-state.ts';
import { openTempRoot } from '../../support/temp-root.ts';
import type { TestEngine } from '../../support/test-engines.ts';
import { createHttpClient, type HttpClient, TOKEN } from '../v1/http-client.ts';

export interface ApiServer
  extends HttpClient,
    Pick<Server, 'url' | 'runtime' | 'signIns' | 'close'> {
  readonly port: number;
  /** The state root. */
  readonly root: string;
}

export interface ApiServerOptions extends ServerOptions {
  /** Where to keep everything; a fresh SQLite database when absent. */
  readonly engine?: TestEngine;
  /** As in `config.json`. */
  readonly config?: object;
}

/** A whole server with every surface, on a fresh store; it takes the token of the test client. */
export async function openApiServer(options: ApiServerOptions = {}): Promise<ApiServer> {
  const { engine, config, env, ...others } = options;
  const store = (await engine?.openEnv()) ?? {};
  const root = await openTempRoot();
  atEnd(() => root.remove());
  if (!('DATABASE_URL' in store)) await putFreshState(root.path);
  if (config) await writeConfig(root.path, config);
  const server = await openServer({
    root: root.path,
    env: { API_BEARER_TOKEN: TOKEN, ...store, ...env },
    flags: { port: '0' },
    logger: silentLogger,
    // The thread has suites of its own.
    writer: 'inline',
    ...others,
  });
  atEnd(() => server.close());
  const port = Number(new URL(server.url).port);
  return { ...server, ...createHttpClient(port), port, root: root.path };
}

async function writeConfig(root: string, config: object): Promise<void> {
  await mkdir(`${root}/.openclawssy`, { recursive: true, mode: 0o700 });
  await writeFile(`${root}/.openclawssy/config.json`, JSON.stringify(config), { mode: 0o600 });
}
