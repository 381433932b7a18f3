import { ChevronLeft, GitBranch } from 'lucide-react';
import { Link } from 'wouter';
import type { SeenSessionShape } from '../../../../src/operations/sessions/session-shapes.ts';
import { useAgentName } from '../../kit/agent-select.tsx';
import { StateBadge } from '../../kit/state-badge.tsx';
import { SessionMenu } from './sessions/session-menu.tsx';
import { SESSION_STATES } from './sessions/session-state.ts';

/** Which conversation this is, with whom, and what goes on in it. */
export function ConversationHead({ session }: { readonly session: SeenSessionShape | undefined }) {
  return (
    <header className="flex min-h-12 items-center gap-2 border-b border-line bg-surface px-3 sm:px-5">
      <AllChats />
      {session === undefined ? null : <Facts session={session} />}
    </header>
  );
}

/** On a phone the list is a page of its own. */
export function AllChats() {
  return (
    <Link
      href="/chat"
      aria-label="All chats"
      className="flex size-9 items-center justify-center rounded-md text-muted hover:bg-sunken md:hidden"
    >
      <ChevronLeft aria-hidden className="size-5" />
    </Link>
  );
}

function Facts({ session }: { readonly session: SeenSessionShape }) {
  const nameOf = useAgentName();
  const [state, label] = SESSION_STATES[session.state];
  return (
    <>
      <div className="min-w-0 flex-1">
        <h2 className="truncate font-semibold">
          {session.title === '' ? 'Without a name' : session.title}
        </h2>
        <p className="flex gap-2 truncate text-xs text-muted">
          <span>{nameOf(session.agent_id)}</span>
          {session.channel === 'dashboard' ? null : <span>from {session.channel}</span>}
          {session.forked_from === null ? null : (
            <Link
              href={`/chat/${session.forked_from}`}
              className="inline-flex items-center gap-1 underline underline-offset-2"
            >
              <GitBranch aria-hidden className="size-3" />
              fork of another
            </Link>
          )}
        </p>
      </div>
      <StateBadge state={state}>{label}</StateBadge>
      <SessionMenu session={session} />
    </>
  );
}
