import { useEffect, useRef, useState } from 'react';
import type { AgentShape } from '../../../../../src/operations/agents/agent-shapes.ts';
import { exportAgent } from '../../../../../src/operations/agents/parcels.ts';
import { client } from '../../../api/client.ts';
import { readBytes } from '../../../api/read-bytes.ts';
import { Button } from '../../../kit/button.tsx';
import { Dialog } from '../../../kit/dialog.tsx';
import { ErrorNote } from '../../../kit/error-note.tsx';
import { Check } from '../../../kit/fields.tsx';
import { formatBytes } from '../../../kit/format.ts';
import { toast } from '../../../kit/toasts.tsx';

interface ExportDialogProps {
  readonly agent: AgentShape;
  readonly onClose: () => void;
}

export function ExportDialog({ agent, onClose }: ExportDialogProps) {
  const [withAudit, setWithAudit] = useState(false);
  const [bytes, setBytes] = useState<number>();
  const [error, setError] = useState<unknown>();
  const isOpen = useRef(false);
  useEffect(() => {
    isOpen.current = true;
    return () => {
      isOpen.current = false;
    };
  }, []);
  const start = async () => {
    setError(undefined);
    setBytes(0);
    try {
      const parts = await gather(agent.agent_id, {
        withAudit,
        onBytes: setBytes,
        isWanted: () => isOpen.current,
      });
      if (parts === undefined) return;
      store(new Blob(parts), `${agent.slug}.claw`);
      toast(`${agent.slug}.claw is in your downloads.`);
      onClose();
    } catch (thrown) {
      setError(thrown);
    } finally {
      setBytes(undefined);
    }
  };
  return (
    <Dialog title={`Export ${agent.name}`} onClose={onClose}>
      {error === undefined ? null : <ErrorNote error={error} />}
      <p className="mb-3 text-muted">
        One signed file with its definition, soul, conversations, memories, facts, jobs and
        published skills. Never secrets, but what people said to it, in plain text: keep it as you
        would keep that.
      </p>
      <Check
        label="With the logs of its runs"
        hint="For people to read; importing leaves them out."
        checked={withAudit}
        onChange={(event) => setWithAudit(event.target.checked)}
      />
      <div className="mt-4 flex items-center justify-end gap-2">
        <span role="status" className="mr-auto text-sm text-muted tabular-nums">
          {bytes === undefined ? '' : `${formatBytes(bytes)} so far`}
        </span>
        <Button onClick={onClose}>Cancel</Button>
        <Button kind="primary" isBusy={bytes !== undefined} onClick={() => void start()}>
          Download
        </Button>
      </div>
    </Dialog>
  );
}

interface Gathering {
  readonly withAudit: boolean;
  readonly onBytes: (count: number) => void;
  readonly isWanted: () => boolean;
}

/** Undefined when it was not wanted any more. */
async function gather(agentId: string, { withAudit, onBytes, isWanted }: Gathering) {
  const stream = await client.call(exportAgent, {
    params: { agent_id: agentId },
    query: { with_audit: withAudit },
  });
  const parts: Uint8Array<ArrayBuffer>[] = [];
  let count = 0;
  for await (const part of readBytes(new Response(stream as unknown as BodyInit))) {
    if (!isWanted()) return undefined;
    parts.push(new Uint8Array(part));
    count += part.length;
    onBytes(count);
  }
  return parts;
}

/** A link to it is pressed, since a page can't write files. */
function store(file: Blob, name: string): void {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(file);
  link.download = name;
  link.click();
  URL.revokeObjectURL(link.href);
}
