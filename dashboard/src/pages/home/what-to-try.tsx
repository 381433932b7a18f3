import { Bot, BrainCircuit, CalendarClock, type LucideIcon, MessageSquare } from 'lucide-react';
import { Link } from 'wouter';
import { Section } from '../../kit/page.tsx';

interface Try {
  readonly to: string;
  readonly icon: LucideIcon;
  readonly title: string;
  readonly hint: string;
}

const TRIES: readonly Try[] = [
  {
    to: '/chat/new',
    icon: MessageSquare,
    title: 'Talk to your agent',
    hint: 'Ask it what it can do here, and what it may not.',
  },
  {
    to: '/agents/new',
    icon: Bot,
    title: 'Make an agent of your own',
    hint: 'A name is enough; its soul and permissions can come later.',
  },
  {
    to: '/memory/new',
    icon: BrainCircuit,
    title: 'Tell it something to remember',
    hint: 'It is found again by meaning, not only by its words.',
  },
  {
    to: '/schedule',
    icon: CalendarClock,
    title: 'Let it do something each morning',
    hint: 'Say when in words: every weekday at 9am.',
  },
];

/** For whoever has not run anything yet. */
export function WhatToTry() {
  return (
    <Section title="What to try">
      <ul className="grid gap-3 sm:grid-cols-2 lg:grid-cols-4">
        {TRIES.map(({ to, icon: Shape, title, hint }) => (
          <li key={to}>
            <Link
              href={to}
              className="flex h-full flex-col gap-1 rounded-lg border border-line bg-surface p-4 hover:bg-sunken"
            >
              <Shape aria-hidden className="mb-1 size-5 text-accent-ink" />
              <span className="font-medium">{title}</span>
              <span className="text-sm text-muted">{hint}</span>
            </Link>
          </li>
        ))}
      </ul>
    </Section>
  );
}
