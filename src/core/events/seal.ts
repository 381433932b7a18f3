import type { Ids } from '../ids.ts';
import { canonicalJson } from '../json.ts';
import type { Redactor } from '../redact/redact.ts';
import type { MessageDraft, SealedMessage } from '../sessions/session.ts';
import type { EventDraft, Recorded, SealedDraft } from './event.ts';

export type Seal = (draft: EventDraft) => SealedDraft;

/** Redacts a draft, once, before anything is stored: nothing downstream can leak what the log never held. */
export function createSeal(deps: { readonly ids: Ids; readonly redactor: Redactor }): Seal {
  return (draft) => {
    const { value, paths } = deps.redactor.redact(draft.payload, 'payload');
    return {
      id: deps.ids.event(),
      type: draft.type,
      actor: draft.actor ?? 'system',
      payload: canonicalJson(value),
      redactions: canonicalJson(paths),
      ...(draft.message && { message: sealMessage(deps.redactor, draft.message) }),
    } as SealedDraft;
  };
}

/** Read back from what will be stored, so that not even the order of members differs from what a reader finds. */
export function toRecorded({ type, payload, redactions }: SealedDraft): Recorded {
  return {
    type,
    payload: JSON.parse(payload) as Recorded['payload'],
    redactions: JSON.parse(redactions) as Recorded['redactions'],
  };
}

export function sealMessage(redactor: Redactor, draft: MessageDraft): SealedMessage {
  const { content } = draft;
  return {
    role: draft.role,
    content:
      typeof content === 'string'
        ? redactor.redactText(content)
        : canonicalJson(redactor.redact(content, '').value),
    toolName: draft.toolName,
    toolCallId: draft.toolCallId,
    status: draft.status,
  };
}
