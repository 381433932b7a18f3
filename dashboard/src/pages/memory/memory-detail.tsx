import { ArrowLeft, X } from 'lucide-react';
import type { ReactNode } from 'react';
import { Link, useLocation } from 'wouter';
import { getMemory } from '../../../../src/operations/memory/memory.ts';
import type { MemoryShape } from '../../../../src/operations/memory/memory-shapes.ts';
import { useRead } from '../../api/use-operation.ts';
import { IconButton, LinkButton } from '../../kit/button.tsx';
import { Json } from '../../kit/code-block.tsx';
import { Id } from '../../kit/copy.tsx';
import { toCurl } from '../../kit/curl.ts';
import { formatCount } from '../../kit/format.ts';
import { Loaded } from '../../kit/loaded.tsx';
import { Card } from '../../kit/page.tsx';
import { StateBadge } from '../../kit/state-badge.tsx';
import { Time } from '../../kit/time.tsx';
import { EditMemory } from './edit-memory.tsx';
import { MemoryActions } from './memory-actions.tsx';
import type { MemoryAddress } from './memory-address.ts';
import type { FoundMemory } from './memory-row.tsx';
import { WhyTable } from './why.tsx';

interface MemoryDetailProps {
  readonly address: MemoryAddress;
  readonly id: string;
  /** When it was found by a search. */
  readonly why: FoundMemory | undefined;
}

/** One memory with all that is known of it. */
export function MemoryDetail({ address, id, why }: MemoryDetailProps) {
  const { wish, isEditing, linkTo } = address;
  const [, navigate] = useLocation();
  const input = {
    params: { memory_id: id },
    query: wish.as === '' ? {} : { agent_id: wish.as },
    headers: {},
  };
  const query = useRead(getMemory, input);
  return (
    <Card className="min-w-0 p-4 lg:sticky lg:top-4 lg:max-h-[calc(100dvh-2rem)] lg:overflow-y-auto">
      <div className="mb-3 flex items-center justify-between gap-2">
        <span className="lg:hidden">
          <LinkButton to={linkTo()} icon={ArrowLeft} size="small">
            All memories
          </LinkButton>
        </span>
        <h2 className="text-lg font-semibold">This memory</h2>
        <span className="hidden lg:block">
          <IconButton label="Close" icon={X} size="smallIcon" onClick={() => navigate(linkTo())} />
        </span>
      </div>
      <Loaded query={query}>
        {(memory) => (
          <div className="space-y-4">
            <MemoryActions
              memory={memory}
              reader={wish.as}
              curl={toCurl(getMemory, input)}
              onEdit={() => navigate(linkTo(id, 'edit'))}
              onGone={() => navigate(linkTo(), { replace: true })}
            />
            <Content memory={memory} />
            {why?.why === undefined ? null : <WhyTable why={why.why} score={why.score} />}
            <Origin memory={memory} />
            {isEditing ? (
              <EditMemory
                memory={memory}
                reader={wish.as}
                onClose={() => navigate(linkTo(id), { replace: true })}
              />
            ) : null}
          </div>
        )}
      </Loaded>
    </Card>
  );
}

function Content({ memory }: { readonly memory: MemoryShape }) {
  const { pinned, trusted, private: isPrivate } = memory;
  return (
    <div>
      <p
        tabIndex={0}
        role="group"
        aria-label="Its text"
        className="max-h-96 overflow-y-auto rounded-lg bg-sunken p-3 whitespace-pre-wrap break-words"
      >
        {memory.content}
      </p>
      <div className="mt-2 flex flex-wrap gap-1.5">
        {pinned ? <StateBadge state="ok">pinned</StateBadge> : null}
        {trusted ? null : <StateBadge state="wait">not trusted</StateBadge>}
        {isPrivate ? <StateBadge state="off">seen by its agent alone</StateBadge> : null}
      </div>
    </div>
  );
}

/** Who told it, when, and where it belongs. */
function Origin({ memory }: { readonly memory: MemoryShape }) {
  const { metadata } = memory;
  const {
    agent_id: name,
    project_id: project,
    source,
    timestamp,
    tags,
    session_id,
    ...extra
  } = metadata;
  return (
    <>
      <dl className="grid grid-cols-[auto_1fr] gap-x-4 gap-y-1.5 text-sm">
        <Row label="Told by">
          <Inner to={`/agents/${encodeURIComponent(memory.agent_id)}`}>{name}</Inner> from {source}
        </Row>
        <Row label="Told">
          <Time at={timestamp} />
        </Row>
        <Row label="Project">
          <Inner to={`/projects/${encodeURIComponent(project)}`}>{project}</Inner>
        </Row>
        {session_id === undefined ? null : (
          <Row label="Conversation">
            <Inner to={`/chat/${encodeURIComponent(session_id)}`}>{session_id}</Inner>
          </Row>
        )}
        {tags.length === 0 ? null : (
          <Row label="Tags">
            {tags.map((tag) => (
              <span key={tag} className="mr-2">
                <Inner to={`/memory?tag=${encodeURIComponent(tag)}`}>{tag}</Inner>
              </span>
            ))}
          </Row>
        )}
        {memory.pin_reason === null ? null : <Row label="Pinned because">{memory.pin_reason}</Row>}
        <Row label="Priority">{memory.priority_score} of 15</Row>
        <Row label="Given out">{tellTimes(memory.access_count)}</Row>
        <Row label="Owner">{memory.owner}</Row>
        <Row label="Stored">
          <Time at={memory.created_at} />
        </Row>
        <Row label="Changed">
          {memory.updated_at === memory.created_at ? 'never' : <Time at={memory.updated_at} />}
        </Row>
        <Row label="Id">
          <Id value={memory.id} chars={30} />
        </Row>
      </dl>
      {Object.keys(extra).length === 0 ? null : <Json value={extra} />}
    </>
  );
}

function Row({ label, children }: { readonly label: string; readonly children: ReactNode }) {
  return (
    <>
      <dt className="text-muted">{label}</dt>
      <dd className="min-w-0 break-words">{children}</dd>
    </>
  );
}

function Inner({ to, children }: { readonly to: string; readonly children: string }) {
  return (
    <Link
      href={to}
      className="text-accent-ink underline decoration-line-strong/50 underline-offset-2"
    >
      {children}
    </Link>
  );
}

function tellTimes(count: number): string {
  if (count === 0) return 'never';
  return count === 1 ? 'once' : `${formatCount(count)} times`;
}
