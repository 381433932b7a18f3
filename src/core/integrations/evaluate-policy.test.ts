import { expect, test } from 'vitest';
import { evaluatePolicy, type PolicyFacts } from './evaluate-policy.ts';
import type { Authority } from './parse-authority.ts';

const AUTHORITY: Authority = {
  authorizationId: 'auth_1',
  authorizationMode: 'system',
  budget: {
    maxTotalSats: undefined,
    spentSats: undefined,
    reservedSats: undefined,
    remainingSats: undefined,
  },
  isWriteApproved: true,
  hasConsent: true,
  denial: undefined,
};

const FACTS: PolicyFacts = {
  manifest: {
    manifestVersion: 'comms.integration.v1',
    integrationId: 'resend.primary',
    provider: 'resend',
    status: 'active',
    toolPack: 'comms.v1',
    capabilities: ['send_email'],
    keyId: 'intsec_resend_1',
    policy: {
      writes: 'enforce',
      maxRequestsPerMinute: 2,
      defaultRepository: undefined,
      defaultSender: undefined,
      needsConsent: true,
      suppression: 'enforce',
    },
  },
  operation: { name: 'send_email', isWrite: true },
  authority: AUTHORITY,
  recentCalls: 1,
  isSuppressed: false,
  key: 'usable',
};

test('allows what nobody objects to', () => {
  expect(evaluatePolicy(FACTS)).toMatchObject({
    decision: 'allowed',
    reasonCode: 'policy_allowed.default',
  });
});

test('names the first objection, in a fixed order', () => {
  const { manifest } = FACTS;
  let facts: PolicyFacts = {
    manifest: { ...manifest, status: 'error' },
    operation: FACTS.operation,
    authority: {
      ...AUTHORITY,
      authorizationId: undefined,
      authorizationMode: 'root',
      budget: { ...AUTHORITY.budget, remainingSats: 0 },
      isWriteApproved: false,
      hasConsent: false,
      denial: 'loop_detected.no_progress',
    },
    recentCalls: 2,
    isSuppressed: true,
    key: 'missing',
  };
  const authority = (change: Partial<Authority>) => ({
    authority: { ...facts.authority, ...change },
  });
  const reasons: string[] = [];
  const remedies: (() => Partial<PolicyFacts>)[] = [
    () => ({ manifest }),
    () => authority({ denial: undefined }),
    () => authority({ authorizationId: 'auth_1' }),
    () => authority({ authorizationMode: 'deny' }),
    () => authority({ authorizationMode: undefined }),
    () => authority({ budget: AUTHORITY.budget }),
    () => ({ recentCalls: 1 }),
    () => ({ isSuppressed: false }),
    () => authority({ hasConsent: true }),
    () => authority({ isWriteApproved: true }),
    () => ({ key: 'usable' }),
  ];

  for (const remedy of remedies) {
    reasons.push(evaluatePolicy(facts).reasonCode);
    facts = { ...facts, ...remedy() };
  }

  expect(reasons).toEqual([
    'policy_denied.explicit_deny',
    'loop_detected.no_progress',
    'policy_denied.authorization_missing',
    'policy_denied.invalid_authorization_mode',
    'policy_denied.explicit_deny',
    'policy_denied.budget_exhausted',
    'policy_denied.budget_exhausted',
    'policy_denied.suppressed_recipient',
    'policy_denied.consent_required',
    'policy_denied.explicit_deny',
    'policy_denied.explicit_deny',
  ]);
  expect(evaluatePolicy(facts).decision).toBe('allowed');
});

test('only notes what a manifest wants audited', () => {
  const policy = {
    ...FACTS.manifest.policy,
    writes: 'audit_only',
    suppression: 'audit_only',
  } as const;
  const authority = { ...AUTHORITY, isWriteApproved: false };

  const evaluation = evaluatePolicy({
    ...FACTS,
    manifest: { ...FACTS.manifest, policy },
    authority,
    isSuppressed: true,
  });

  expect(evaluation.decision).toBe('allowed');
});

test('hashes the grounds of a decision and not the moment', () => {
  const { evaluationHash } = evaluatePolicy(FACTS);

  expect(evaluatePolicy({ ...FACTS, recentCalls: 0 }).evaluationHash).toBe(evaluationHash);
  const other = { ...AUTHORITY, authorizationId: 'auth_2' };
  expect(evaluatePolicy({ ...FACTS, authority: other }).evaluationHash).not.toBe(evaluationHash);
});
