import { chmod } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { toStatePaths } from '../../../src/config/state-root/state-paths.ts';
import { leaveAuditMark, leaveBackupMark } from '../../../src/config/state-root/upkeep-marks.ts';
import { type ApiServer, openApiServer } from './open-api-server.ts';

const CHECKLIST = '/api/security/checklist';
const TIME = expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/);
const STRONG = 'k3J9-vQ2x7Lm0pTz-strong';

interface Check {
  readonly id: string;
  readonly status: string;
  readonly message: string;
  readonly recovery_action: string;
}

interface Body {
  readonly overall_status: string;
  readonly remote_access: object;
  readonly checks: readonly Check[];
  readonly helper_commands: { readonly tailscale: readonly string[] };
}

/** Asked with a token of the test's own. */
async function ask(server: ApiServer, token: string, language?: string) {
  const headers = {
    authorization: `Bearer ${token}`,
    ...(language === undefined ? {} : { 'accept-language': language }),
  };
  const answer = await fetch(`${server.url}${CHECKLIST}`, { headers });
  return { answer, body: (await answer.json()) as Body };
}

const find = ({ checks }: Body, id: string) => checks.find((check) => check.id === id);

test('says how a fresh installation stands, with commands for its real port', async () => {
  const server = await openApiServer({ env: { API_BEARER_TOKEN: STRONG } });

  const { answer, body } = await ask(server, STRONG);

  expect([
    answer.status,
    answer.headers.get('content-language'),
    answer.headers.get('vary'),
  ]).toEqual([200, 'en', expect.stringContaining('accept-language')]);
  expect(body).toEqual({
    generated_at: TIME,
    overall_status: 'review_required',
    remote_access: { provider: 'none' },
    checks: [
      {
        id: 'auth_token_not_default',
        status: 'pass',
        message: 'The bearer token is none of the well-known defaults.',
        recovery_action:
          'Set API_BEARER_TOKEN to a strong value, or unset it to use the generated one.',
      },
      {
        id: 'openclaw_local_only',
        status: 'pass',
        message: 'No OpenClaw gateway is connected.',
        recovery_action: 'Keep OPENCLAW_WS_URL on localhost or 127.0.0.1; elsewhere only over wss.',
      },
      {
        id: 'remote_provider_configured',
        status: 'warn',
        message: 'No way in from outside is set up: the server can only be used on this machine.',
        recovery_action:
          'Set REMOTE_ACCESS_PROVIDER to tailscale, cloudflare or proxy once one of the helper commands runs.',
      },
      {
        id: 'remote_url_secure',
        status: 'warn',
        message: 'The https address for remote access is not known.',
        recovery_action:
          'Set TAILSCALE_FUNNEL_URL / CLOUDFLARE_TUNNEL_URL to the https address that the tunnel shows.',
      },
      {
        id: 'voice_keys_ready',
        status: 'pass',
        message: 'Voice has the keys it needs (speech to text: local, text to speech: local).',
        recovery_action:
          'Store the key with claw secrets set provider/NAME/api_key, or choose the provider local.',
      },
      {
        id: 'api_rate_limit_configured',
        status: 'pass',
        message: 'At most 600 requests and 20 failed sign-ins are taken in a minute.',
        recovery_action:
          'Set API_RATE_LIMIT_MAX, API_RATE_LIMIT_WINDOW_MS and api.auth_failures_per_minute to what callers need.',
      },
      {
        id: 'auth_token_strong',
        status: 'pass',
        message: 'The bearer token is long and varied enough.',
        recovery_action: 'Make one with: openssl rand -base64 32',
      },
      {
        id: 'bind_address_local',
        status: 'pass',
        message: 'The server listens on 127.0.0.1, which only this machine reaches.',
        recovery_action:
          'Keep server.bind_address at 127.0.0.1 and put a tunnel or a proxy with TLS in front.',
      },
      {
        id: 'secret_files_private',
        status: 'pass',
        message: 'Nobody else may read the keys, the token and the database.',
        recovery_action: 'Keep files at mode 600 and folders at 700.',
      },
      {
        id: 'sandbox_ready',
        status: 'pass',
        message: 'No sandbox is set up, and agents can run no commands.',
        recovery_action:
          'Install bubblewrap 0.8 or Docker and set sandbox.active and sandbox.provider; claw doctor tells what is missing.',
      },
      {
        id: 'shell_restricted',
        status: 'pass',
        message: 'The shell is off.',
        recovery_action:
          'List the commands that agents need in shell.allowed_commands, the rest in shell.ask_commands, or run claw disable shell.',
      },
      {
        id: 'network_restricted',
        status: 'pass',
        message: 'The network is off.',
        recovery_action:
          'Name the hosts that agents need in network.allowed_domains, set network.allow_localhosts to false, or run claw disable network.',
      },
      {
        id: 'tool_reliability_on',
        status: 'pass',
        message: 'Tool calls are guarded (mode all).',
        recovery_action:
          'Set tool_reliability.mode to all, and leave TOOL_RELIABILITY_ENABLED unset.',
      },
      {
        id: 'approvals_required',
        status: 'pass',
        message:
          'A person is asked before a run that saw untrusted input and secret data acts outward.',
        recovery_action:
          'Set policy.rule_of_two to true and let policy.rules allow single tools only.',
      },
      {
        id: 'audit_verified',
        status: 'warn',
        message: 'The records were never verified.',
        recovery_action: 'Run claw audit verify, at best every day.',
      },
      {
        id: 'budgets_set',
        status: 'warn',
        message: 'Nothing limits what models may cost.',
        recovery_action:
          'Set one with claw costs set-budget, or set costs.default_project_budget_usd.',
      },
      {
        id: 'backup_recent',
        status: 'warn',
        message: 'No backup was ever made.',
        recovery_action:
          'Run claw backup FILE at least once a week, and keep the file on another machine.',
      },
      {
        id: 'node_supported',
        status: 'pass',
        message: `Node ${process.versions.node} is supported.`,
        recovery_action: 'Run claw with Node 24; 20.11 is the oldest that works.',
      },
    ],
    helper_commands: {
      tailscale: ['tailscale up', `tailscale funnel ${server.port}`],
      cloudflare: [`cloudflared tunnel --url http://127.0.0.1:${server.port}`],
    },
  });
});

test('says it in Spanish to those who like Spanish better', async () => {
  const env = { API_BEARER_TOKEN: 'dev-token', OPENCLAW_WS_URL: 'ws://127.0.0.1:18789' };
  const server = await openApiServer({ env });

  const { answer, body } = await ask(server, 'dev-token', 'fr, es-MX;q=0.9, en;q=0.5');

  expect([answer.status, answer.headers.get('content-language')]).toEqual([200, 'es']);
  expect(body.checks.slice(0, 2)).toEqual([
    {
      id: 'auth_token_not_default',
      status: 'warn',
      message: 'Se esta usando token por defecto (dev-token).',
      recovery_action: 'Define API_BEARER_TOKEN con un valor fuerte.',
    },
    {
      id: 'openclaw_local_only',
      status: 'pass',
      message: 'OpenClaw sigue en red local privada.',
      recovery_action: 'Mantener OPENCLAW_WS_URL en localhost o 127.0.0.1.',
    },
  ]);
});

test('is ready for remote access when everything is in order', async () => {
  const env = {
    API_BEARER_TOKEN: STRONG,
    REMOTE_ACCESS_PROVIDER: 'tailscale',
    TAILSCALE_FUNNEL_URL: 'https://clawos.usuario.ts.net',
  };
  const config = {
    server: { allowed_hosts: ['clawos.usuario.ts.net'] },
    costs: { default_project_budget_usd: 20 },
    tool_reliability: { mode: 'all' },
  };
  const server = await openApiServer({ env, config });
  const paths = toStatePaths(server.root);
  await leaveBackupMark(paths, { atMs: Date.now(), file: 'pincer.backup' });
  const headers = { authorization: `Bearer ${STRONG}`, 'content-type': 'application/json' };
  await fetch(`${server.url}/api/admin/audit/verify`, { method: 'POST', headers, body: '{}' });

  const { body } = await ask(server, STRONG);

  expect(body.checks.filter(({ status }) => status !== 'pass')).toEqual([]);
  expect([body.overall_status, body.remote_access]).toEqual([
    'ready_for_remote_access',
    { provider: 'tailscale', public_url: 'https://clawos.usuario.ts.net' },
  ]);
});

const PAID_VOICE = { voice: { stt_provider: 'openai', tts_provider: 'elevenlabs' } };

test('a weak token fails where the world can come in, and so do open ways and altered records', async () => {
  const env = {
    API_BEARER_TOKEN: 'dev-token',
    REMOTE_ACCESS_PROVIDER: 'cloudflare',
    CLOUDFLARE_TUNNEL_URL: 'http://claw.example.com',
    OPENCLAW_WS_URL: 'ws://gateway.example.com:18789',
  };
  const server = await openApiServer({ env, config: PAID_VOICE });
  await leaveAuditMark(toStatePaths(server.root), { atMs: Date.now(), faults: 2 });
  await chmod(join(server.root, '.openclawssy', 'pincer.db'), 0o644);

  const { body } = await ask(server, 'dev-token');

  const failed = body.checks.filter(({ status }) => status === 'fail').map(({ id }) => id);
  expect(failed).toEqual([
    'auth_token_not_default',
    'openclaw_local_only',
    'remote_url_secure',
    'auth_token_strong',
    'audit_verified',
  ]);
  expect(find(body, 'voice_keys_ready')).toMatchObject({
    status: 'warn',
    message: 'Voice lacks keys: OPENAI_API_KEY, ELEVENLABS_API_KEY.',
  });
  expect(find(body, 'secret_files_private')).toMatchObject({
    status: 'warn',
    recovery_action: `Run: chmod 600 ${join(server.root, '.openclawssy', 'pincer.db')}`,
  });
  expect(body.overall_status).toBe('review_required');
});

test('a key in the secret store is as good as one in the environment', async () => {
  const server = await openApiServer({
    env: { API_BEARER_TOKEN: STRONG },
    config: PAID_VOICE,
  });
  await server.runtime.secrets.put('provider/openai/api_key', 'sk-0123456789abcdef');
  await server.runtime.secrets.put('provider/elevenlabs/api_key', 'el-0123456789abcdef');

  const { body } = await ask(server, STRONG);

  expect(find(body, 'voice_keys_ready')?.status).toBe('pass');
  expect(JSON.stringify(body)).not.toMatch(/0123456789abcdef/);
});

test('is for the operator alone, and takes no parameters', async () => {
  const server = await openApiServer();

  const anonymous = await server.call(CHECKLIST, { anonymous: true });
  const asked = await server.call(`${CHECKLIST}?verbose=1`);

  expect([anonymous.status, asked.status]).toEqual([401, 400]);
});
