import type { Ids } from '../ids.ts';
import { canonicalJson } from '../json.ts';
import type { Redactor } from '../redact/redact.ts';
import type { MessageDraft, SealedMessage } from '../sessions/session.ts';
import type { EventDraft, SealedDraft } from './event.ts';

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
