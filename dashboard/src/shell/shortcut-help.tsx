import { useState } from 'react';
import { useStore } from '../api/store.ts';
import { Dialog } from '../kit/dialog.tsx';
import { shortcuts, useShortcut } from '../kit/shortcuts.ts';

export function ShortcutHelp() {
  const [isOpen, setIsOpen] = useState(false);
  const all = useStore(shortcuts);
  useShortcut('?', 'Show these shortcuts', () => setIsOpen(true));
  if (!isOpen) return null;
  return (
    <Dialog title="Keyboard shortcuts" onClose={() => setIsOpen(false)}>
      <dl className="grid grid-cols-[auto_1fr] items-center gap-x-4 gap-y-2">
        {all.map(({ keys, label }) => (
          <div key={keys + label} className="contents">
            <dt className="flex gap-1">
              {keys.split(' ').map((key) => (
                <Key key={key}>{key}</Key>
              ))}
            </dt>
            <dd>{label}</dd>
          </div>
        ))}
      </dl>
    </Dialog>
  );
}

const IS_MAC = /mac/i.test(navigator.userAgent);

export function Key({ children }: { readonly children: string }) {
  const shown = children
    .replace('mod+', IS_MAC ? '⌘' : 'Ctrl ')
    .replace(/[a-z]$/, (last) => last.toUpperCase());
  return (
    <kbd className="rounded border border-line-strong/60 bg-sunken px-1.5 py-0.5 text-xs">
      {shown}
    </kbd>
  );
}
