import { useQueries } from '@tanstack/react-query';
import { CornerDownLeft } from 'lucide-react';
import { type KeyboardEvent, useEffect, useId, useRef, useState } from 'react';
import { useLocation } from 'wouter';
import { classNames } from '../kit/class-names.ts';
import { useShortcut } from '../kit/shortcuts.ts';
import { findEntries, PALETTE_SOURCES, type PaletteEntry } from './palette-entries.ts';

/** Everything by its name: pages, actions, agents, runs, memories. */
export function Palette() {
  const [isOpen, setIsOpen] = useState(false);
  useShortcut('mod+k', 'Go to or do anything', () => setIsOpen((was) => !was));
  return isOpen ? <OpenPalette onClose={() => setIsOpen(false)} /> : null;
}

function OpenPalette({ onClose }: { readonly onClose: () => void }) {
  const dialog = useRef<HTMLDialogElement>(null);
  const listId = useId();
  const [text, setText] = useState('');
  // By its id: what is found later comes in between, and must not take its place.
  const [chosen, setChosen] = useState<string>();
  const [, navigate] = useLocation();
  const entries = useEntries(text.trim());
  const current = Math.max(
    entries.findIndex(({ id }) => id === chosen),
    Math.min(0, entries.length - 1),
  );
  useEffect(() => {
    const shown = dialog.current;
    shown?.showModal();
    return () => shown?.close();
  }, []);
  const choose = (entry: PaletteEntry | undefined) => {
    if (entry === undefined) return;
    onClose();
    if (entry.to !== undefined) navigate(entry.to);
    entry.run?.();
  };
  const press = (event: KeyboardEvent) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    // Keys that choose among signs of a script are not for us.
    if (event.nativeEvent.isComposing) return;
    if (event.key === 'Enter') choose(entries[current]);
    if (step === undefined) return;
    event.preventDefault();
    setChosen(entries[(current + step + entries.length) % Math.max(1, entries.length)]?.id);
  };
  return (
    <dialog
      ref={dialog}
      aria-label="Go to or do anything"
      onCancel={(event) => {
        event.preventDefault();
        onClose();
      }}
      onMouseDown={(event) => event.target === dialog.current && onClose()}
      className="mx-auto mt-[12vh] w-[calc(100vw-1.5rem)] max-w-xl overflow-hidden rounded-lg border border-line bg-raised p-0 text-ink shadow-2xl"
    >
      <input
        autoFocus
        role="combobox"
        aria-label="Search pages, agents, runs, memories and actions"
        aria-expanded="true"
        aria-controls={listId}
        aria-activedescendant={current < 0 ? undefined : `${listId}-${current}`}
        placeholder="Search pages, agents, runs, memories, actions…"
        value={text}
        onChange={(event) => {
          setText(event.target.value);
          setChosen(undefined);
        }}
        onKeyDown={press}
        className="h-12 w-full border-b border-line bg-transparent px-4 text-lg outline-none"
      />
      <div
        role="listbox"
        id={listId}
        aria-label="Found"
        className="max-h-[50vh] overflow-y-auto p-1"
      >
        {entries.length === 0 ? (
          <p className="px-3 py-6 text-center text-muted">Nothing has that name.</p>
        ) : null}
        {entries.map((entry, index) => (
          <Entry
            key={entry.id}
            id={`${listId}-${index}`}
            entry={entry}
            isCurrent={index === current}
            onChoose={() => choose(entry)}
          />
        ))}
      </div>
    </dialog>
  );
}

interface EntryProps {
  readonly id: string;
  readonly entry: PaletteEntry;
  readonly isCurrent: boolean;
  readonly onChoose: () => void;
}

function Entry({ id, entry, isCurrent, onChoose }: EntryProps) {
  const { icon: Shape, label, hint } = entry;
  const element = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (isCurrent) element.current?.scrollIntoView({ block: 'nearest' });
  }, [isCurrent]);
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: keys are handled by the input that has the focus
    // biome-ignore lint/a11y/useFocusableInteractive: an option of a combobox is never focused
    <div
      ref={element}
      id={id}
      role="option"
      aria-selected={isCurrent}
      onClick={onChoose}
      className={classNames(
        'flex cursor-pointer items-center gap-3 rounded-md px-3 py-2',
        isCurrent ? 'bg-accent-soft' : 'hover:bg-sunken',
      )}
    >
      <Shape aria-hidden className="size-4 shrink-0 text-muted" />
      <span className="min-w-0 flex-1 truncate">{label}</span>
      <span className="shrink-0 text-sm text-muted">{hint}</span>
      {isCurrent ? <CornerDownLeft aria-hidden className="size-4 shrink-0 text-muted" /> : null}
    </div>
  );
}

/** For so long what was found is found again without asking. */
const FOUND_MS = 10_000;
/** Between the letters of somebody who types. */
const SETTLED_MS = 250;

/** What was typed, once somebody stopped. */
function useSettled(text: string): string {
  const [settled, setSettled] = useState(text);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(text), SETTLED_MS);
    return () => clearTimeout(timer);
  }, [text]);
  return settled;
}

/** What was typed last decides at once: Enter right after it must not choose from what stood there before. */
function useEntries(text: string): readonly PaletteEntry[] {
  const asked = useSettled(text);
  const found = useQueries({
    queries: PALETTE_SOURCES.map(({ name, load }) => ({
      queryKey: ['palette', name, asked],
      queryFn: () => load(asked),
      enabled: asked.length > 1,
      // Memories that are found count for more each time: what was found stands until something else is looked for.
      staleTime: Number.POSITIVE_INFINITY,
      gcTime: FOUND_MS,
    })),
  });
  const answers = asked === text ? found.flatMap(({ data }) => data ?? []) : [];
  return [...findEntries(text), ...answers];
}
