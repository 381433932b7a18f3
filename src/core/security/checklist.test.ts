import { expect, test } from 'vitest';
import { CHECK_IDS, type CheckId, judgeSecurity } from './checklist.ts';
import type { FoundFile } from './judge-files.ts';
import type { SecurityFacts } from './security-facts.ts';

const NOW_MS = Date.UTC(2026, 5, 1);
const DAY_MS = 86_400_000;

/** An installation that passes every check. */
const SOUND: SecurityFacts = {
  tokenWeakness: undefined,
  server: {
    host: '127.0.0.1',
    port: 3000,
    allowedHosts: ['claw.example.ts.net'],
    maxRequests: 600,
    windowMs: 60_000,
    maxAuthFailures: 20,
  },
  remote: { provider: 'tailscale', publicUrl: 'https://claw.example.ts.net' },
  openclawUrl: undefined,
  voice: { stt: 'local', tts: 'local', missingKeys: [], unknown: [] },
  files: [],
  sandbox: { provider: 'bwrap', probe: { available: true, version: '0.11', weaknesses: [] } },
  shell: { isEnabled: true, allowed: ['git status'], asked: ['*'], denied: [] },
  network: { isEnabled: true, domains: ['example.com'], reachesLocalhost: false },
  reliability: 'all',
  approvals: { hasRuleOfTwo: true, blanketTools: ['fs.read'] },
  audit: { atMs: NOW_MS - DAY_MS, faults: 0 },
  hasBudget: true,
  backup: { atMs: NOW_MS - DAY_MS, file: 'x.backup' },
  nodeVersion: '24.1.0',
};

const file = (part: Partial<FoundFile>): FoundFile => ({
  path: '/root/token',
  needs: 'read',
  isSecret: true,
  mode: 0o600,
  isFolder: false,
  isUsable: true,
  ...part,
});

const { server, remote } = SOUND;

/** What makes which check say what; all others stay as they are. */
const CASES: readonly (readonly [CheckId, 'pass' | 'warn' | 'fail', Partial<SecurityFacts>])[] = [
  ['openclaw_local_only', 'pass', { openclawUrl: 'ws://[::1]:18789' }],
  ['openclaw_local_only', 'warn', { openclawUrl: 'wss://gateway.example.com' }],
  ['openclaw_local_only', 'fail', { openclawUrl: 'ws://127.0.0.1.example.com' }],
  ['openclaw_local_only', 'fail', { openclawUrl: 'not a url' }],
  ['remote_url_secure', 'warn', { remote: { ...remote, publicUrl: undefined } }],
  ['remote_url_secure', 'fail', { remote: { ...remote, publicUrl: 'http://claw.example.ts.net' } }],
  ['remote_url_secure', 'warn', { server: { ...server, allowedHosts: [] } }],
  [
    'voice_keys_ready',
    'warn',
    { voice: { ...SOUND.voice, stt: 'openai', missingKeys: ['OPENAI_API_KEY'] } },
  ],
  ['voice_keys_ready', 'warn', { voice: { ...SOUND.voice, unknown: ['STT_PROVIDER=mock'] } }],
  ['api_rate_limit_configured', 'warn', { server: { ...server, maxRequests: 6_001 } }],
  ['api_rate_limit_configured', 'warn', { server: { ...server, windowMs: 1_000 } }],
  ['api_rate_limit_configured', 'warn', { server: { ...server, maxAuthFailures: 101 } }],
  ['auth_token_strong', 'fail', { tokenWeakness: 'short' }],
  ['auth_token_strong', 'fail', { tokenWeakness: 'monotonous' }],
  ['bind_address_local', 'warn', { server: { ...server, host: '0.0.0.0' } }],
  ['secret_files_private', 'pass', { files: [file({}), file({ isSecret: false, mode: 0o640 })] }],
  ['secret_files_private', 'warn', { files: [file({ mode: 0o640 })] }],
  ['secret_files_private', 'fail', { files: [file({ isUsable: false })] }],
  [
    'sandbox_ready',
    'warn',
    {
      sandbox: { provider: 'bwrap', probe: { available: true, version: '0.6', weaknesses: ['x'] } },
    },
  ],
  [
    'sandbox_ready',
    'fail',
    { sandbox: { provider: 'docker', probe: { available: false, reason: 'no daemon' } } },
  ],
  ['sandbox_ready', 'pass', { sandbox: undefined, shell: { ...SOUND.shell, isEnabled: false } }],
  ['sandbox_ready', 'fail', { sandbox: undefined }],
  ['shell_restricted', 'warn', { shell: { ...SOUND.shell, allowed: ['*'], asked: [] } }],
  ['shell_restricted', 'pass', { shell: { ...SOUND.shell, allowed: ['*'] } }],
  ['network_restricted', 'warn', { network: { ...SOUND.network, domains: ['*:443'] } }],
  ['network_restricted', 'warn', { network: { ...SOUND.network, reachesLocalhost: true } }],
  [
    'network_restricted',
    'pass',
    { network: { isEnabled: false, domains: ['*'], reachesLocalhost: true } },
  ],
  ['tool_reliability_on', 'warn', { reliability: 'off' }],
  ['tool_reliability_on', 'warn', { reliability: 'shadow' }],
  ['tool_reliability_on', 'pass', { reliability: 'read_only' }],
  ['approvals_required', 'warn', { approvals: { hasRuleOfTwo: false, blanketTools: [] } }],
  ['approvals_required', 'warn', { approvals: { hasRuleOfTwo: true, blanketTools: ['*'] } }],
  ['audit_verified', 'warn', { audit: undefined }],
  ['audit_verified', 'warn', { audit: { atMs: NOW_MS - 8 * DAY_MS, faults: 0 } }],
  ['audit_verified', 'fail', { audit: { atMs: NOW_MS, faults: 1 } }],
  ['budgets_set', 'warn', { hasBudget: false }],
  ['backup_recent', 'warn', { backup: undefined }],
  ['backup_recent', 'pass', { backup: { atMs: NOW_MS - 7 * DAY_MS, file: 'x' } }],
  ['backup_recent', 'warn', { backup: { atMs: NOW_MS - 7 * DAY_MS - 1, file: 'x' } }],
  ['node_supported', 'fail', { nodeVersion: '20.10.9' }],
  ['node_supported', 'pass', { nodeVersion: '20.11.0' }],
];

test('a sound installation passes every check and may be opened', () => {
  const { checks, isReady } = judgeSecurity(SOUND, NOW_MS);

  expect(checks.filter(({ status }) => status !== 'pass')).toEqual([]);
  expect([isReady, checks.map(({ id }) => id)]).toEqual([true, CHECK_IDS]);
});

test.each(CASES)('%s says %s of %j', (id, status, change) => {
  const { checks, isReady } = judgeSecurity({ ...SOUND, ...change }, NOW_MS);

  const others = checks.filter((check) => check.status !== 'pass' && check.id !== id);
  expect([checks.find((check) => check.id === id)?.status, others, isReady]).toEqual([
    status,
    [],
    status === 'pass',
  ]);
});

test('a sandbox that waits for a restart is told apart from none', () => {
  const messageOf = (facts: SecurityFacts) =>
    judgeSecurity(facts, NOW_MS).checks.find(({ id }) => id === 'sandbox_ready')?.message.en;

  const waiting = messageOf({ ...SOUND, sandbox: undefined });
  const none = messageOf({
    ...SOUND,
    sandbox: undefined,
    shell: { ...SOUND.shell, isEnabled: false },
  });

  expect([waiting, none]).toEqual([
    'A sandbox is set up, but the server started without it: agents can run no commands yet.',
    'No sandbox is set up, and agents can run no commands.',
  ]);
});

test('a token that everybody knows is a failure only where others can come in', () => {
  const weak: SecurityFacts = { ...SOUND, tokenWeakness: 'known' };
  const alone = { ...weak, remote: { provider: 'none' as const, publicUrl: undefined } };
  const bound = { ...alone, server: { ...server, host: '192.168.1.2' } };
  const statusOf = (facts: SecurityFacts) => judgeSecurity(facts, NOW_MS).checks[0]?.status;

  expect([weak, alone, bound].map(statusOf)).toEqual(['fail', 'warn', 'fail']);
});

test('every text is there in both languages, and they differ', () => {
  const facts = [SOUND, ...CASES.map(([, , change]) => ({ ...SOUND, ...change }))];

  for (const { checks } of facts.map((one) => judgeSecurity(one, NOW_MS))) {
    for (const { id, message, recoveryAction } of checks) {
      for (const { en, es } of [message, recoveryAction]) {
        expect([id, en.length > 10, es.length > 10, en !== es]).toEqual([id, true, true, true]);
      }
    }
  }
});
