import * as z from 'zod';
import { parseManifest } from '../integrations/parse-manifest.ts';
import type { JsonObject } from '../json.ts';
import { checkDocument } from './check-document.ts';
import { commercial } from './commercial.ts';
import { anyObject, specId, specName, specVersion } from './spec-fields.ts';
import { type SpecProblem, specProblem, toSpecProblems } from './spec-problem.ts';
import type { SpecState } from './spec-state.ts';

/** A tool that skills may name, as its author wrote it down; members that nobody knows are kept. */
export interface ToolSpec extends JsonObject {
  readonly tool_id: string;
  readonly version: number;
}

export type ParsedSpec<Spec> =
  | { readonly outcome: 'valid'; readonly spec: Spec }
  | { readonly outcome: 'invalid'; readonly problems: readonly SpecProblem[] };

const MAX_BYTES = 64 * 1024;
const MAX_DESCRIPTION_CHARS = 4_000;

const complete = z.looseObject({
  tool_id: specId,
  version: specVersion,
  name: specName,
  description: z.string().trim().min(1).max(MAX_DESCRIPTION_CHARS),
  tool_pack: z.string().min(1).max(64),
  execution_kind: z.string().min(1).max(64),
  integration_manifest: anyObject,
  input_schema: anyObject.optional(),
  output_schema: anyObject.optional(),
  auth_requirements: anyObject.optional(),
  safety_policy: anyObject.optional(),
  commercial: commercial.optional(),
});

/** Something to work on: what is there must be right, the rest may come later. */
const begun = complete.partial().required({ tool_id: true, version: true });

export function parseToolSpec(document: JsonObject, state: SpecState): ParsedSpec<ToolSpec> {
  const unfit = checkDocument(document, MAX_BYTES);
  if (unfit.length > 0) return { outcome: 'invalid', problems: unfit };
  const parsed = (state === 'draft' ? begun : complete).safeParse(document);
  const problems = parsed.success ? [] : toSpecProblems(parsed.error.issues, document);
  if (state !== 'draft') problems.push(...checkManifest(document));
  return problems.length === 0
    ? { outcome: 'valid', spec: document as ToolSpec }
    : { outcome: 'invalid', problems };
}

function checkManifest(document: JsonObject): SpecProblem[] {
  const { integration_manifest: given, tool_pack: pack } = document;
  // That it is missing was said already.
  if (given === undefined) return [];
  const parsed = parseManifest(given);
  if (parsed.outcome === 'invalid') {
    return parsed.problems.map(({ reason_code, path, message }) => ({
      reason_code,
      path: path === '' ? 'integration_manifest' : `integration_manifest.${path}`,
      message,
    }));
  }
  const { toolPack } = parsed.manifest;
  return toolPack === pack
    ? []
    : [specProblem('tool_pack', `must be ${toolPack}, as in integration_manifest`)];
}
