import { ChevronDown } from 'lucide-react';
import { useState } from 'react';
import { Link } from 'wouter';
import type { ListedSessionShape } from '../../../../../src/operations/sessions/session-shapes.ts';
import { IconButton } from '../../../kit/button.tsx';
import { classNames } from '../../../kit/class-names.ts';
import { StateIcon } from '../../../kit/state-badge.tsx';
import { Time } from '../../../kit/time.tsx';
import { SessionMenu } from './session-menu.tsx';
import { SessionPeek } from './session-peek.tsx';
import { SESSION_STATES } from './session-state.ts';

interface SessionRowProps {
  readonly session: ListedSessionShape;
  readonly isOpen: boolean;
}

/** One conversation at a glance. */
export function SessionRow({ session, isOpen }: SessionRowProps) {
  const [isPeeked, setIsPeeked] = useState(false);
  const [state, label] = SESSION_STATES[session.state];
  const { match } = session;
  const place = match === null ? '' : `?at=${match.exchange}`;
  return (
    <div className="px-2 py-0.5">
      <div
        className={classNames(
          'group relative flex items-start rounded-md',
          isOpen ? 'bg-accent-soft' : 'hover:bg-sunken',
        )}
      >
        <Link
          href={`/chat/${session.session_id}${place}`}
          aria-current={isOpen ? 'page' : undefined}
          className="flex min-w-0 flex-1 items-start gap-2 px-2 py-2"
        >
          <span className="pt-0.5">
            <StateIcon state={state} label={label} />
          </span>
          <span className="min-w-0 flex-1">
            <span
              className={classNames(
                'block truncate text-sm',
                session.state === 'waiting' ? 'font-semibold' : 'font-medium',
              )}
            >
              {session.title === '' ? 'Without a name' : session.title}
            </span>
            <span className="flex gap-2 text-xs text-muted">
              <span className="min-w-0 flex-1 truncate">{describe(session)}</span>
              <Time at={session.updated_at} />
            </span>
          </span>
        </Link>
        <div className="absolute top-1 right-1 flex rounded-md bg-inherit opacity-0 group-focus-within:opacity-100 group-hover:opacity-100 pointer-coarse:static pointer-coarse:opacity-100">
          <IconButton
            label={isPeeked ? 'Close the peek' : `Peek into ${session.title}`}
            icon={ChevronDown}
            size="smallIcon"
            aria-expanded={isPeeked}
            onClick={() => setIsPeeked(!isPeeked)}
            className={isPeeked ? 'rotate-180' : ''}
          />
          <SessionMenu session={session} />
        </div>
      </div>
      {isPeeked ? (
        <div className="px-2 pt-1">
          <SessionPeek session={session} />
        </div>
      ) : null}
    </div>
  );
}

/** Of Markdown: in one line they only disturb. */
const MARKS = /[#*_`>|]+/g;

/** Where it says what was searched for; else its last words. Others than ours say where they take place. */
function describe({ match, last_message: last, channel, closed_at: closedAt }: ListedSessionShape) {
  const text = (match?.excerpt ?? last?.text ?? '').replace(MARKS, '');
  const from = channel === 'dashboard' ? '' : `${channel} · `;
  return `${closedAt === null ? '' : 'closed · '}${from}${text}`;
}
