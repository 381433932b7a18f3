import { createHash } from 'node:crypto';
import { RuntimeError } from '../errors.ts';
import { canonicalJson, type JsonObject } from '../json.ts';
import { mayChange, OPERATOR } from '../principal.ts';
import { BUILT_IN_SPECS } from './built-in-specs.ts';
import { parseSkillSpec } from './skill-spec.ts';
import type {
  PutSpec,
  SkillStore,
  SpecBounds,
  SpecKey,
  SpecKind,
  SpecRoom,
  StoredSpec,
} from './skill-store.ts';
import { invalidSpec } from './spec-problem.ts';
import { DEFAULT_SPEC_STATE, isSpecState, SPEC_STATES, type SpecState } from './spec-state.ts';
import { parseToolSpec } from './tool-spec.ts';

/** The specs there are, stored and built in. */
export interface SpecRegistry {
  /** Stored ones by id and version, then those built in that no stored one stands for. */
  list(kind: SpecKind): Promise<readonly ListedSpec[]>;
  find(key: SpecKey): Promise<ListedSpec | undefined>;
  /**
   * Throws `unprocessable` for an invalid spec, `forbidden` for an id that is somebody else's or built in, `conflict` for
   * a change of what must not change or a step back.
   */
  put(kind: SpecKind, given: GivenSpec): Promise<StoredSpec>;
}

export interface ListedSpec extends SpecKey {
  readonly state: SpecState;
  readonly document: JsonObject;
  /** Undefined for one that is built in. */
  readonly stored: StoredSpec | undefined;
}

export interface GivenSpec {
  readonly document: JsonObject;
  /** As a caller gave it. */
  readonly state?: unknown;
  /** `operator`, or a principal such as `user:42`. */
  readonly by: string;
}

const ROOM: SpecRoom = { maxSpecs: 1_000, maxBytes: 32 * 1024 * 1024 };

/** One principal that puts many must not lock out the rest. */
const ROOM_OF_PRINCIPAL: SpecRoom = { maxSpecs: 100, maxBytes: 4 * 1024 * 1024 };

export function createSpecRegistry(store: SkillStore): SpecRegistry {
  return {
    async list(kind) {
      const stored = await store.listSpecs(kind);
      const taken = new Set(stored.map(toName));
      const builtIn = BUILT_IN_SPECS.filter(
        (spec) => spec.kind === kind && !taken.has(toName(spec)),
      );
      return [...stored.map(toListed), ...builtIn.map(toBuiltIn)];
    },

    async find(key) {
      const stored = await store.findSpec(key);
      if (stored) return toListed(stored);
      const builtIn = findBuiltIn(key);
      return builtIn && toBuiltIn(builtIn);
    },

    async put(kind, given) {
      const wanted = toPut(kind, given);
      assertNotReserved(wanted);
      const put = await heedRelease(store, wanted);
      const result = await store.putSpec(put, toBounds(given.by));
      switch (result.outcome) {
        case 'stored':
          return result.spec;
        case 'full':
          throw noRoom(`there is no room for another ${kind} spec`, ROOM);
        case 'owner_full':
          throw noRoom(`${given.by} has no room for another ${kind} spec`, ROOM_OF_PRINCIPAL);
        case 'foreign':
          throw foreignSpec(kind, put.id);
        case 'refused':
          throw refusal(put, result.reason, result.state);
      }
    },
  };
}

function toBounds(by: string): SpecBounds {
  return by === OPERATOR ? ROOM : { ...ROOM, ofOwner: ROOM_OF_PRINCIPAL };
}

function noRoom(message: string, { maxSpecs, maxBytes }: SpecRoom): RuntimeError {
  const details = { max_specs: maxSpecs, max_bytes: maxBytes };
  return new RuntimeError('conflict', message, { details });
}

/**
 * A release fixes the content of its version also where no spec is stored: of a skill that is built in, or one that was
 * installed without its source.
 */
async function heedRelease(store: SkillStore, put: PutSpec): Promise<PutSpec> {
  if (put.kind === 'tool' || (await store.findSpec(put))) return put;
  if (!(await store.findRelease(put.id, put.version))) return put;
  // Without a spec it was installed, by the operator.
  if (!mayChange(put.submittedBy, OPERATOR)) throw foreignSpec(put.kind, put.id);
  const builtIn = findBuiltIn(put);
  if (!builtIn || hashContent(builtIn.document) !== put.contentHash) {
    throw refusal(put, 'immutable', 'published');
  }
  if (put.state === 'draft') throw refusal(put, 'backward', 'published');
  return put.state === 'deprecated' ? put : { ...put, state: 'published' };
}

/** Whoever could put another version under such an id would stand in for us in everybody's calls. */
function assertNotReserved({ kind, id, submittedBy }: PutSpec): void {
  const isBuiltIn = BUILT_IN_SPECS.some((spec) => spec.kind === kind && spec.id === id);
  if (isBuiltIn && !mayChange(submittedBy, OPERATOR)) {
    throw new RuntimeError('forbidden', `${kind} spec ${id} is built in, and its id is reserved`);
  }
}

export function foreignSpec(kind: SpecKind, id: string): RuntimeError {
  return new RuntimeError('forbidden', `${kind} spec ${id} does not belong to principal`);
}

function refusal(put: PutSpec, reason: 'immutable' | 'backward', state: SpecState): RuntimeError {
  const name = `${put.kind} spec ${put.id} version ${put.version}`;
  const message =
    reason === 'immutable'
      ? `${name} is ${state} and can't change; publish a new version`
      : `${name} is ${state} and can't go back to ${put.state}`;
  return new RuntimeError('conflict', message, { details: { state } });
}

/** A spec that is fit to be stored. */
export function toPut(kind: SpecKind, given: GivenSpec): PutSpec {
  const state = parseState(given.state);
  // Who submitted it is said by whoever signed the request, and never by the document.
  const { submitted_by: _, ...document } = given.document;
  const parsed = kind === 'tool' ? parseToolSpec(document, state) : parseSkillSpec(document, state);
  if (parsed.outcome === 'invalid') throw invalidSpec(parsed.problems);
  const { spec } = parsed;
  const id = String(kind === 'tool' ? spec['tool_id'] : spec['skill_id']);
  const { version } = spec;
  const contentHash = hashContent(document);
  return { kind, id, version, state, document, contentHash, submittedBy: given.by };
}

export function hashContent(document: JsonObject): string {
  return createHash('sha256').update(canonicalJson(document)).digest('hex');
}

function parseState(given: unknown): SpecState {
  if (given === undefined) return DEFAULT_SPEC_STATE;
  if (isSpecState(given)) return given;
  const message = `must be one of ${SPEC_STATES.join(', ')}`;
  throw invalidSpec([{ reason_code: 'skill_registry.invalid_changeset', path: 'state', message }]);
}

function findBuiltIn(key: SpecKey) {
  const name = toName(key);
  return BUILT_IN_SPECS.find((spec) => spec.kind === key.kind && toName(spec) === name);
}

function toName({ id, version }: Pick<SpecKey, 'id' | 'version'>): string {
  return `${id}@v${version}`;
}

function toListed(stored: StoredSpec): ListedSpec {
  const { kind, id, version, state, document } = stored;
  return { kind, id, version, state, document, stored };
}

function toBuiltIn({ kind, id, version, document }: (typeof BUILT_IN_SPECS)[number]): ListedSpec {
  return { kind, id, version, state: 'published', document, stored: undefined };
}
