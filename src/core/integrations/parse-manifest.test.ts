import { expect, test } from 'vitest';
import { BUILT_IN_MANIFESTS } from './built-in-manifests.ts';
import { parseManifest } from './parse-manifest.ts';

const GITHUB = {
  manifest_version: 'coding.integration.v1',
  integration_id: 'github.custom',
  provider: 'github',
  status: 'active',
  tool_pack: 'coding.v1',
  capabilities: ['get_issue', 'get_pull_request'],
  secrets_ref: { provider: 'laravel', key_id: 'intsec_github_custom' },
  policy: { write_operations_mode: 'enforce', max_requests_per_minute: 120 },
};

const RESEND = {
  manifest_version: 'comms.integration.v1',
  integration_id: 'resend.custom',
  provider: 'resend',
  status: 'active',
  tool_pack: 'comms.v1',
  capabilities: ['send', 'record_delivery_event'],
  secrets_ref: { provider: 'laravel', key_id: 'intsec_resend_1' },
  policy: { consent_required: true, suppression_mode: 'audit_only', max_send_per_minute: 60 },
};

const pathsOf = (value: unknown) => {
  const parsed = parseManifest(value);
  return parsed.outcome === 'valid' ? 'valid' : parsed.problems.map(({ path }) => path);
};

test('leaves members alone that no pack knows', () => {
  expect(pathsOf({ ...GITHUB, extension_id: 'github.custom', metadata: {} })).toBe('valid');
});

test("takes the contract's manifest", () => {
  expect(parseManifest(GITHUB)).toEqual({
    outcome: 'valid',
    manifest: {
      manifestVersion: 'coding.integration.v1',
      integrationId: 'github.custom',
      provider: 'github',
      status: 'active',
      toolPack: 'coding.v1',
      capabilities: ['get_issue', 'get_pull_request'],
      keyId: 'intsec_github_custom',
      policy: {
        writes: 'enforce',
        maxRequestsPerMinute: 120,
        defaultRepository: undefined,
        defaultSender: undefined,
        needsConsent: false,
        suppression: 'enforce',
      },
    },
  });
});

test('wants approval of mails unless the manifest says otherwise', () => {
  const parsed = parseManifest(RESEND);

  expect(parsed.outcome === 'valid' && parsed.manifest.policy).toEqual({
    writes: 'enforce',
    maxRequestsPerMinute: 60,
    defaultRepository: undefined,
    defaultSender: undefined,
    needsConsent: true,
    suppression: 'audit_only',
  });
});

test('takes those that are built in', () => {
  expect(BUILT_IN_MANIFESTS.map(({ toolId, manifest }) => [toolId, pathsOf(manifest)])).toEqual([
    ['github.primary', 'valid'],
    ['resend.primary', 'valid'],
  ]);
});

test.each<[unknown, string[]]>([
  [undefined, ['tool_pack']],
  [{ ...GITHUB, tool_pack: 'shell.v1' }, ['tool_pack']],
  [{ ...GITHUB, integration_id: 'a b' }, ['integration_id']],
  [{ ...GITHUB, status: 'paused' }, ['status']],
  [{ ...GITHUB, capabilities: ['get_issue'] }, ['capabilities']],
  [{ ...GITHUB, capabilities: [...GITHUB.capabilities, 'get_issue'] }, ['capabilities']],
  [{ ...GITHUB, capabilities: [...GITHUB.capabilities, 'merge'] }, ['capabilities.2']],
  [
    { ...GITHUB, secrets_ref: { provider: 'vault', key_id: 'ab' } },
    ['secrets_ref.provider', 'secrets_ref.key_id'],
  ],
  [
    { ...GITHUB, policy: { ...GITHUB.policy, max_requests_per_minute: 10_001 } },
    ['policy.max_requests_per_minute'],
  ],
  [
    { ...GITHUB, policy: { ...GITHUB.policy, default_repository: 'acme' } },
    ['policy.default_repository'],
  ],
  [{ ...GITHUB, policy: { ...GITHUB.policy, allowed_repositories: ['acme/site'] } }, ['policy']],
  [{ ...RESEND, policy: { ...RESEND.policy, consent_requird: true } }, ['policy']],
  [{ ...RESEND, capabilities: ['record_delivery_event'] }, ['capabilities']],
  [{ ...RESEND, policy: {} }, ['policy.max_requests_per_minute']],
])('says where %j is wrong', (manifest, paths) => {
  expect(pathsOf(manifest)).toEqual(paths);
});
