import { useState } from 'react';
import { approveMcpTool, getMcpTool } from '../../../../src/operations/mcp/mcp.ts';
import type { McpToolShape } from '../../../../src/operations/mcp/mcp-shapes.ts';
import { useRead, useWrite } from '../../api/use-operation.ts';
import { Button } from '../../kit/button.tsx';
import { Dialog } from '../../kit/dialog.tsx';
import { Diff } from '../../kit/diff.tsx';
import { ErrorNote } from '../../kit/error-note.tsx';
import { Loaded } from '../../kit/loaded.tsx';
import { toast } from '../../kit/toasts.tsx';
import { describeDeclaration } from './describe-declaration.ts';

interface ToolReviewProps {
  /** As agents call it. */
  readonly name: string;
  readonly server: string;
  /** As the server calls it. */
  readonly tool: string;
  readonly onClose: () => void;
}

/** What a tool of an external server says about itself: models read it, so somebody has to have read it before. */
export function ToolReview({ name, server, tool, onClose }: ToolReviewProps) {
  const query = useRead(getMcpTool, { params: { server, tool } });
  return (
    <Dialog title={name} size="large" onClose={onClose}>
      <Loaded query={query}>{(now) => <Review name={name} now={now} onClose={onClose} />}</Loaded>
    </Dialog>
  );
}

interface ReviewProps {
  readonly name: string;
  readonly now: McpToolShape;
  readonly onClose: () => void;
}

/** What was looked at is what is approved: what the server says instead by now is not put in its place unasked. */
function Review({ name, now, onClose }: ReviewProps) {
  const [looked, setLooked] = useState(now);
  const approve = useWrite(approveMcpTool, {
    changes: ['tools'],
    onDone() {
      toast(`${name} can be used.`);
      onClose();
    },
  });
  const { server, tool, hash, status, seen, approved } = looked;
  const isOld = now.hash !== hash;
  return (
    <>
      {approve.error === null || isOld ? null : <ErrorNote error={approve.error} />}
      {isOld ? (
        <div role="alert" className="mb-3 flex flex-wrap items-center gap-3 text-sm text-wait">
          It says something else by now.
          <Button size="small" onClick={() => setLooked(now)}>
            Show what it says now
          </Button>
        </div>
      ) : null}
      <p className="mb-3 text-sm text-muted">
        {status === 'changed'
          ? 'It says something else than when it was approved: − is what was approved, + what it says now.'
          : 'In the words of the server. Models read this when they are offered the tool.'}
      </p>
      {status === 'changed' && approved !== null ? (
        <Diff
          name={name}
          before={describeDeclaration(approved)}
          after={describeDeclaration(seen)}
        />
      ) : (
        <section
          aria-label={`What ${name} says`}
          tabIndex={0}
          className="max-h-96 overflow-auto rounded-lg border border-line bg-surface"
        >
          <pre className="p-3 text-sm break-words whitespace-pre-wrap">
            {describeDeclaration(seen)}
          </pre>
        </section>
      )}
      <div className="mt-4 flex justify-end gap-2">
        <Button onClick={onClose}>Close</Button>
        {status === 'approved' ? null : (
          <Button
            kind="primary"
            disabled={isOld}
            isBusy={approve.isPending}
            onClick={() => approve.mutate({ params: { server, tool }, body: { hash } })}
          >
            Approve
          </Button>
        )}
      </div>
    </>
  );
}
