import { EllipsisVertical, type LucideIcon } from 'lucide-react';
import { type KeyboardEvent, useId, useRef } from 'react';
import { IconButton } from './button.tsx';
import { classNames } from './class-names.ts';

export interface MenuItem {
  readonly label: string;
  readonly icon?: LucideIcon;
  readonly isDanger?: boolean;
  readonly isDisabled?: boolean;
  readonly onSelect: () => void;
}

/** More that can be done with one thing. The browser's own popover: it closes on Escape and on a press elsewhere. */
export function Menu({
  label,
  items,
}: {
  readonly label: string;
  readonly items: readonly MenuItem[];
}) {
  const list = useRef<HTMLDivElement>(null);
  const button = useRef<HTMLButtonElement>(null);
  const id = useId();
  const open = () => {
    const place = button.current?.getBoundingClientRect();
    const menu = list.current;
    if (place === undefined || menu === null) return;
    menu.style.left = `${Math.max(8, Math.min(place.right - 224, innerWidth - 232))}px`;
    menu.style.top = `${Math.min(place.bottom + 4, innerHeight - 40 * items.length - 16)}px`;
    menu.querySelector('button')?.focus();
  };
  return (
    <>
      <IconButton
        ref={button}
        label={label}
        icon={EllipsisVertical}
        size="smallIcon"
        popoverTarget={id}
        aria-haspopup="menu"
      />
      <div
        ref={list}
        id={id}
        popover="auto"
        role="menu"
        tabIndex={-1}
        aria-label={label}
        onToggle={(event) => event.newState === 'open' && open()}
        onKeyDown={moveFocus}
        className="fixed m-0 w-56 rounded-lg border border-line bg-raised p-1 text-ink shadow-lg"
      >
        {items.map(({ label: text, icon: Shape, isDanger, isDisabled, onSelect }) => (
          <button
            key={text}
            type="button"
            role="menuitem"
            disabled={isDisabled}
            onClick={() => {
              list.current?.hidePopover();
              onSelect();
            }}
            className={classNames(
              'flex w-full items-center gap-2 rounded-md px-2 py-1.5 text-left text-sm hover:bg-sunken disabled:opacity-50',
              isDanger === true && 'text-bad',
            )}
          >
            {Shape === undefined ? null : <Shape aria-hidden className="size-4" />}
            {text}
          </button>
        ))}
      </div>
    </>
  );
}

function moveFocus(event: KeyboardEvent<HTMLElement>): void {
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
  if (step === undefined) return;
  event.preventDefault();
  const items = [...event.currentTarget.querySelectorAll('button')];
  const at = items.indexOf(document.activeElement as HTMLButtonElement);
  items[(at + step + items.length) % items.length]?.focus();
}
