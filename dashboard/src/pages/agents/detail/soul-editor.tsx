import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { MAX_SOUL_CHARS } from '../../../../../src/core/agents/agent-files.ts';
import type { AgentShape } from '../../../../../src/operations/agents/agent-shapes.ts';
import { changeAgent, getAgent } from '../../../../../src/operations/agents/agents.ts';
import { client } from '../../../api/client.ts';
import { useWrite } from '../../../api/use-operation.ts';
import { Button } from '../../../kit/button.tsx';
import { ErrorNote } from '../../../kit/error-note.tsx';
import { TextArea } from '../../../kit/fields.tsx';
import { formatCount } from '../../../kit/format.ts';
import { Markdown } from '../../../kit/markdown.tsx';
import { toast, toastError } from '../../../kit/toasts.tsx';
import { SoulConflict } from './soul-conflict.tsx';
import { useSoulDraft } from './use-soul-draft.ts';

/** What the model is told about itself, with how it reads beside it. */
export function SoulEditor({ agent }: { readonly agent: AgentShape }) {
  const draft = useSoulDraft(agent);
  const { save, isSaving, error } = useSave(agent, draft);
  return (
    <div>
      <p className="mb-3 max-w-prose text-sm text-muted">
        Its system prompt begins with this, in Markdown. Runs that start from now on are told it. It
        lies in <code>souls/{agent.slug}.md</code> too, for an editor of your own.
      </p>
      {error === null ? null : <ErrorNote error={error} />}
      {draft.isConflict ? <SoulConflict draft={draft} theirs={agent.instructions} /> : null}
      <div className="grid gap-4 lg:grid-cols-2">
        <section aria-label="Text" className="min-w-0">
          <h2 className="mb-1 text-sm font-medium">Text</h2>
          <TextArea
            aria-label={`Soul of ${agent.name}`}
            value={draft.text}
            maxLength={MAX_SOUL_CHARS}
            onChange={(event) => draft.write(event.target.value)}
            className="h-[28rem] resize-y font-mono text-sm leading-relaxed"
          />
        </section>
        <section aria-label="Preview" tabIndex={0} className="min-w-0">
          <h2 className="mb-1 text-sm font-medium">Preview</h2>
          <div className="h-[28rem] overflow-y-auto rounded-md border border-line bg-surface p-4">
            {draft.text.trim() === '' ? (
              <p className="text-muted">It is told nothing about itself.</p>
            ) : (
              <Markdown text={draft.text} />
            )}
          </div>
        </section>
      </div>
      <div className="mt-3 flex flex-wrap items-center gap-2">
        <Button
          kind="primary"
          disabled={!draft.isChanged || draft.isConflict}
          isBusy={isSaving}
          onClick={() => void save()}
        >
          Save soul
        </Button>
        {draft.isChanged ? <Button onClick={draft.forget}>Discard</Button> : null}
        <span className="text-sm text-muted tabular-nums">
          {formatCount(draft.text.length)} of {formatCount(MAX_SOUL_CHARS)} characters
          {draft.isChanged ? ' · not saved yet, kept in this browser' : ''}
        </span>
      </div>
    </div>
  );
}

/** Looks first whether somebody else saved meanwhile: what they wrote is not written over unseen. */
function useSave(agent: AgentShape, draft: ReturnType<typeof useSoulDraft>) {
  const queries = useQueryClient();
  const [isLooking, setIsLooking] = useState(false);
  const change = useWrite(changeAgent, {
    changes: ['profiles'],
    onDone() {
      draft.forget();
      toast('Saved. The next run is told it.');
    },
  });
  const params = { agent_id: agent.agent_id };
  const save = async () => {
    setIsLooking(true);
    try {
      const { instructions, updated_at } = await client.call(getAgent, { params });
      if (instructions === draft.base) {
        const body = { instructions: draft.text, if_updated_at: updated_at };
        change.mutate({ params, headers: {}, body });
      } else await queries.invalidateQueries({ queryKey: ['agents'] });
    } catch (error) {
      toastError(error);
    } finally {
      setIsLooking(false);
    }
  };
  return { save, isSaving: isLooking || change.isPending, error: change.error };
}
