import * as z from 'zod';
import { type IntegrationManifest, isToolPack, TOOL_PACKS } from './manifest.ts';

/** What is wrong with a part of a document, as it goes over the wire. */
export interface ManifestProblem {
  readonly reason_code: string;
  readonly path: string;
  readonly message: string;
}

export type ParsedManifest =
  | { readonly outcome: 'valid'; readonly manifest: IntegrationManifest }
  | { readonly outcome: 'invalid'; readonly problems: readonly ManifestProblem[] };

export const REPOSITORY = /^[A-Za-z0-9_.-]{1,100}\/[A-Za-z0-9_.-]{1,100}$/;
const MAX_PROBLEMS = 20;
const MAX_PER_MINUTE = 10_000;

const id = z
  .string()
  .min(3)
  .max(128)
  .regex(/^[A-Za-z0-9._:-]+$/);
const perMinute = z.int().min(1).max(MAX_PER_MINUTE);
const gate = z.enum(['enforce', 'audit_only']);

const shared = {
  integration_id: id,
  status: z.enum(['active', 'inactive', 'error']),
  // `laravel` is what manifests of the first runtime say; the key lies in our own store either way.
  secrets_ref: z.object({
    provider: z.enum(['laravel', 'pincer']),
    key_id: z.string().min(3).max(256),
  }),
};

const CODING_CAPABILITIES = ['get_issue', 'get_pull_request', 'add_issue_comment'] as const;

const coding = z
  .object({
    ...shared,
    manifest_version: z.literal('coding.integration.v1'),
    provider: z.literal('github'),
    tool_pack: z.literal('coding.v1'),
    capabilities: capabilities(CODING_CAPABILITIES, [['get_issue'], ['get_pull_request']]),
    policy: z.strictObject({
      write_operations_mode: gate,
      max_requests_per_minute: perMinute,
      default_repository: z.string().regex(REPOSITORY, 'must be owner/name').optional(),
    }),
  })
  .transform(({ policy, ...manifest }) => ({
    ...toCommon(manifest),
    policy: {
      writes: policy.write_operations_mode,
      maxRequestsPerMinute: policy.max_requests_per_minute,
      defaultRepository: policy.default_repository,
      defaultSender: undefined,
      needsConsent: false,
      suppression: 'enforce' as const,
    },
  }));

const COMMS_CAPABILITIES = [
  'send_email',
  'send',
  'render_template',
  'upsert_suppression',
  'record_delivery_event',
] as const;

const comms = z
  .object({
    ...shared,
    manifest_version: z.literal('comms.integration.v1'),
    provider: z.literal('resend'),
    tool_pack: z.literal('comms.v1'),
    capabilities: capabilities(COMMS_CAPABILITIES, [['send_email', 'send']]),
    policy: z
      .strictObject({
        consent_required: z.boolean().default(false),
        suppression_mode: gate.default('enforce'),
        write_operations_mode: gate.default('enforce'),
        max_requests_per_minute: perMinute.optional(),
        max_send_per_minute: perMinute.optional(),
        default_sender: z.string().min(3).max(320).optional(),
      })
      .refine((policy) => policy.max_requests_per_minute ?? policy.max_send_per_minute, {
        path: ['max_requests_per_minute'],
        error: 'required, or max_send_per_minute in its place',
      }),
  })
  .transform(({ policy, ...manifest }) => ({
    ...toCommon(manifest),
    policy: {
      writes: policy.write_operations_mode,
      // The lower one, when both are given.
      maxRequestsPerMinute: Math.min(
        policy.max_requests_per_minute ?? MAX_PER_MINUTE,
        policy.max_send_per_minute ?? MAX_PER_MINUTE,
      ),
      defaultRepository: undefined,
      defaultSender: policy.default_sender,
      needsConsent: policy.consent_required,
      suppression: policy.suppression_mode,
    },
  }));

/**
 * Distrusts a manifest of either pack. Members that no pack knows are left alone, except in its policy: a rule that
 * nobody reads is a rule that nobody keeps.
 */
export function parseManifest(value: unknown): ParsedManifest {
  const pack = readPack(value);
  if (!isToolPack(pack)) {
    const message = `must be one of ${TOOL_PACKS.join(', ')}`;
    return { outcome: 'invalid', problems: [manifestProblem('tool_pack', message)] };
  }
  const parsed = (pack === 'coding.v1' ? coding : comms).safeParse(value);
  if (parsed.success) return { outcome: 'valid', manifest: parsed.data };
  const problems = parsed.error.issues
    .slice(0, MAX_PROBLEMS)
    .map((issue) => manifestProblem(issue.path.map(String).join('.'), issue.message));
  return { outcome: 'invalid', problems };
}

export function manifestProblem(path: string, message: string): ManifestProblem {
  return { reason_code: 'manifest_validation.invalid_schema', path, message };
}

function readPack(value: unknown): unknown {
  return typeof value === 'object' && value !== null && 'tool_pack' in value
    ? value.tool_pack
    : undefined;
}

/** Known names, each once, with at least one of every group of `needed`. */
function capabilities<Name extends string>(
  names: readonly Name[],
  needed: readonly (readonly Name[])[],
) {
  return z
    .array(z.enum(names))
    .refine((list) => new Set(list).size === list.length, 'must not repeat')
    .refine(
      (list) => needed.every((group) => group.some((name) => list.includes(name))),
      `must include ${needed.map((group) => group.join(' or ')).join(' and ')}`,
    );
}

interface WireManifest {
  readonly manifest_version: string;
  readonly integration_id: string;
  readonly provider: IntegrationManifest['provider'];
  readonly status: IntegrationManifest['status'];
  readonly tool_pack: IntegrationManifest['toolPack'];
  readonly capabilities: readonly string[];
  readonly secrets_ref: { readonly key_id: string };
}

function toCommon(manifest: WireManifest): Omit<IntegrationManifest, 'policy'> {
  return {
    manifestVersion: manifest.manifest_version,
    integrationId: manifest.integration_id,
    provider: manifest.provider,
    status: manifest.status,
    toolPack: manifest.tool_pack,
    capabilities: manifest.capabilities,
    keyId: manifest.secrets_ref.key_id,
  };
}
