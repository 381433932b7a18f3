import { basename } from 'node:path';
import { defined } from '../../../core/defined.ts';
import { quoteForShell } from '../print/quote-for-shell.ts';
import type { Style } from '../print/style.ts';
import { defineCommand } from '../program/command.ts';
import type { CliContext, RunningServer } from '../program/context.ts';

interface Serving {
  readonly server: RunningServer;
  readonly root: string;
  readonly version: string;
}

export const serve = defineCommand({
  usage: '[--host H] [--port P] [--model M] [--log-level LEVEL]',
  description:
    'Creates what is missing under the state root, listens, and executes runs until it is stopped. Ctrl-C or SIGTERM\n' +
    'stops it in order: runs get a moment to end, the rest goes on with the next start. A second one stops it at once.\n' +
    'In JSON one document is printed when the server listens, and nothing is logged.',
  args: { min: 0, max: 0 },
  options: {
    host: {
      kind: 'text',
      value: 'H',
      summary: 'address to listen on (CLAW_HOST; default 127.0.0.1)',
    },
    port: {
      kind: 'text',
      value: 'P',
      summary: 'port, 0 for any free one (CLAW_PORT; default 3000)',
    },
    model: { kind: 'text', value: 'M', summary: 'provider/name of the model (CLAW_MODEL)' },
    'log-level': {
      kind: 'text',
      value: 'LEVEL',
      summary: 'debug, info, warn, error or silent (LOG_LEVEL)',
    },
  },
  examples: [
    'claw serve',
    'claw serve --port 0 --model offline/rules',
    'claw serve --root ~/agents',
  ],
  handlesInterrupt: true,
  namesRoot: true,
  async run({ options }, { root, parts, live }): Promise<Serving> {
    const { host, port, model, 'log-level': logLevel } = options;
    const server = await parts.serve({
      root,
      isSilent: !live.isText,
      ...defined({ host, port, model, logLevel }),
    });
    return { server, root, version: parts.version };
  },
  fields: ({ server, root }) => ({
    url: server.url,
    pid: process.pid,
    root,
    model: server.model,
    storage: server.engine,
    token_file: 'file' in server.tokenIn ? server.tokenIn.file : null,
    token_variable: 'variable' in server.tokenIn ? server.tokenIn.variable : null,
    created: server.created,
    warnings: server.warnings,
  }),
  text: describeServer,
  linger: ({ server }, context) => untilStopped(server, context),
});

async function untilStopped(server: RunningServer, context: CliContext): Promise<void> {
  const { signal, live } = context;
  if (!signal.aborted) {
    await new Promise<void>((resolve) =>
      signal.addEventListener('abort', () => resolve(), { once: true }),
    );
  }
  live.note('stopping: runs get a moment to end (once more stops at once)');
  await server.close();
  live.note('stopped');
}

function describeServer({ server, root, version }: Serving, style: Style): string {
  const { url, model } = server;
  const isOffline = model.startsWith('offline/');
  const token =
    'file' in server.tokenIn ? server.tokenIn.file : `the value of ${server.tokenIn.variable}`;
  return [
    `${style.bold(`Pincer ${version}`)} listens on ${style.cyan(url)}`,
    '',
    `  dashboard   ${style.cyan(server.createDashboardLink())}`,
    '              signs one browser in, once, within ten minutes; claw dashboard makes another link',
    `  state root  ${root}`,
    `  workspace   ${server.workspaceDir}`,
    `  model       ${model}${isOffline ? ' (no real model: set CLAW_MODEL or a provider key)' : ''}`,
    `  token       ${token}`,
    `  API         ${url}/docs (a browser asks: any user name, and the token as the password)`,
    ...server.warnings.map((warning) => `  ${style.yellow('warning')}     ${warning}`),
    '',
    'Talk with your agent, in a second terminal:',
    '',
    ...clawExample(root).map((line) => `  ${line}`),
    '',
    'Or send a message over HTTP, then follow the run with the id you get:',
    '',
    ...curlExample(server).map((line) => `  ${line}`),
    '',
    `${style.dim('Ctrl-C stops it.')}`,
  ].join('\n');
}

/** Where it was not started by its name, as after `npm start`, the shell is told the name first. */
function clawExample(root: string): string[] {
  const program = process.argv[1] ?? '';
  const alias = quoteForShell(`node ${quoteForShell(program)}`);
  return [
    ...(basename(program) === 'claw' ? [] : [`alias claw=${alias}`]),
    `cd ${quoteForShell(root)} && claw`,
  ];
}

function curlExample({ url, tokenIn }: RunningServer): string[] {
  const token =
    'file' in tokenIn ? `$(cat ${quoteForShell(tokenIn.file)})` : `$${tokenIn.variable}`;
  return [
    `TOKEN="${token}"`,
    `curl -s ${url}/v1/runs -H "Authorization: Bearer $TOKEN" -H 'Content-Type: application/json' \\`,
    `  -d '{"agent_id":"agent_default","message":"What time is it?"}'`,
    `curl -N ${url}/v1/runs/RUN_ID/events -H "Authorization: Bearer $TOKEN"`,
  ];
}
