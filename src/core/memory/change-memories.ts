import { RuntimeError } from '../errors.ts';
import type { JsonObject } from '../json.ts';
import type { Redactor } from '../redact/redact.ts';
import {
  MAX_PRIORITY,
  MAX_SESSION_CHARS,
  parseContent,
  parseExtra,
  parsePriority,
  parseProject,
  parseTags,
  parseText,
  parseTime,
} from './given-memory.ts';
import type { GivenChange, Memories, MemoriesDeps, Viewer } from './memories.ts';
import { memoryNotFound, pinRefused, sameText } from './memory-faults.ts';
import type { MemoryFields, StoredMemory } from './memory-store.ts';

const MAX_PIN_REASON_CHARS = 500;
/** Removed by one write. */
const FORGET_PAGE = 200;
const MAX_UPDATE_TRIES = 5;

type ChangeDeps = Pick<MemoriesDeps, 'store' | 'redactor' | 'onIngest'>;

export function createMemoryChanges(
  deps: ChangeDeps,
  get: Memories['get'],
): Pick<Memories, 'update' | 'remove' | 'pin' | 'unpin' | 'forgetAgent'> {
  const { store, redactor } = deps;

  /** Thought of anew when somebody else was faster. */
  async function change(
    id: string,
    viewer: Viewer,
    toFields: (memory: StoredMemory) => MemoryFields | undefined,
  ): Promise<StoredMemory> {
    for (let tries = MAX_UPDATE_TRIES; tries > 0; tries -= 1) {
      const known = await get(id, viewer);
      const fields = toFields(known);
      if (fields === undefined) return known;
      const result = await store.update(known, fields);
      if (result.outcome === 'updated') {
        deps.onIngest?.();
        return result.memory;
      }
      if (result.outcome === 'not_found') throw memoryNotFound(id);
      if (result.outcome === 'duplicate') throw sameText(result.id);
    }
    throw new RuntimeError('conflict', `memory ${id} is being changed by others`);
  }

  return {
    update: (id, viewer, given) =>
      change(id, viewer, (known) => {
        const fields = parseChange(known, given, redactor);
        return Object.keys(fields).length === 0 ? undefined : fields;
      }),

    async remove(id, viewer) {
      const { id: known } = await get(id, viewer);
      if (!(await store.remove(known))) throw memoryNotFound(id);
    },

    pin(id, viewer, { reason, isApproved }) {
      const pinReason = redactor.redactText(parseText(reason, 'reason', MAX_PIN_REASON_CHARS));
      return change(id, viewer, (known) => {
        if (!known.isTrusted && !isApproved) throw pinRefused(id);
        if (known.pinned && known.pinReason === pinReason) return undefined;
        const unpinnedScore = known.pinned ? known.unpinnedScore : known.priorityScore;
        return { pinned: true, priorityScore: MAX_PRIORITY, pinReason, unpinnedScore };
      });
    },

    unpin: (id, viewer) =>
      change(id, viewer, ({ pinned, priorityScore, unpinnedScore = priorityScore }) =>
        pinned
          ? {
              pinned: false,
              priorityScore: unpinnedScore,
              pinReason: undefined,
              unpinnedScore: undefined,
            }
          : undefined,
      ),

    async forgetAgent(agentId) {
      while ((await store.forget(agentId, FORGET_PAGE)) === FORGET_PAGE);
    },
  };
}

function parseChange(known: StoredMemory, given: GivenChange, redactor: Redactor): MemoryFields {
  const { content, projectId, sessionId, tags, timestampMs, priorityScore, extra } = given;
  return {
    ...(content !== undefined && { content: parseContent(content, redactor) }),
    ...(projectId !== undefined && { projectId: parseProject(projectId) }),
    ...(sessionId !== undefined && {
      sessionId:
        sessionId === null ? undefined : parseText(sessionId, 'session_id', MAX_SESSION_CHARS),
    }),
    ...(tags !== undefined && { tags: parseTags(tags, redactor) }),
    ...(timestampMs !== undefined && { timestampMs: parseTime(timestampMs) }),
    // What is pinned has the highest for as long as it is; this is for later.
    ...(priorityScore !== undefined &&
      (known.pinned
        ? { unpinnedScore: parsePriority(priorityScore) }
        : { priorityScore: parsePriority(priorityScore) })),
    ...(extra !== undefined && {
      extra: parseExtra(withoutNulls({ ...known.extra, ...extra }), redactor),
    }),
  };
}

function withoutNulls(members: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== null));
}
