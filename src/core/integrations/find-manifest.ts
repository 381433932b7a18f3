import { RuntimeError } from '../errors.ts';
import type { JsonObject } from '../json.ts';
import type { IntegrationManifest, ToolPack } from './manifest.ts';
import { type ManifestProblem, manifestProblem, parseManifest } from './parse-manifest.ts';

/** Names an entry of the registry; `toolId` wins. The latest version when none is given. */
export interface ManifestRef {
  readonly toolId?: string;
  readonly integrationId?: string;
  readonly version?: number;
}

export interface FoundSpec {
  readonly version: number;
  /** As on the wire. */
  readonly manifest: JsonObject;
}

/** Entries of the registry that may be used, stored or built in: validated or published ones. */
export type FindToolSpec = (ref: ManifestRef, principal: string) => Promise<FoundSpec | undefined>;

export interface ResolvedManifest {
  readonly manifest: IntegrationManifest;
  readonly specVersion: number | undefined;
}

export interface ManifestRequest {
  /** Who asks. */
  readonly owner: string;
  readonly toolPack: ToolPack;
  readonly manifest?: JsonObject;
  readonly manifestRef?: ManifestRef;
}

/** The manifest that comes with the call, else the one it names. Throws `unprocessable` with what is wrong. */
export async function resolveManifest(
  find: FindToolSpec,
  { owner, toolPack, manifest, manifestRef = {} }: ManifestRequest,
): Promise<ResolvedManifest> {
  const isGiven = manifest !== undefined && Object.keys(manifest).length > 0;
  const spec = isGiven ? undefined : await getSpec((ref) => find(ref, owner), manifestRef);
  const parsed = parseManifest(spec?.manifest ?? manifest);
  if (parsed.outcome === 'invalid') throw invalidInvocation(parsed.problems);
  if (parsed.manifest.toolPack !== toolPack) {
    throw invalidInvocation([manifestProblem('tool_pack', `must be ${toolPack}, as in the call`)]);
  }
  return { manifest: parsed.manifest, specVersion: spec?.version };
}

async function getSpec(
  find: (ref: ManifestRef) => Promise<FoundSpec | undefined>,
  ref: ManifestRef,
): Promise<FoundSpec> {
  const { toolId, integrationId } = ref;
  const isNamed = toolId !== undefined || integrationId !== undefined;
  const found = isNamed ? await find(ref) : undefined;
  if (found) return found;
  const name = toolId === undefined ? 'not_found' : 'tool_not_found';
  const what = isNamed ? `${toolId ?? integrationId} is not in the registry` : 'names nothing';
  const problem: ManifestProblem = {
    reason_code: `manifest_resolution.${name}`,
    path: 'manifest_ref',
    message: ref.version === undefined ? what : `${what} in version ${ref.version}`,
  };
  throw invalidInvocation([problem]);
}

export function invalidInvocation(problems: readonly (ManifestProblem | string)[]): RuntimeError {
  return new RuntimeError('unprocessable', 'tool invocation validation failed', {
    details: { problems },
  });
}
