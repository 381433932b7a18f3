import { useVirtualizer } from '@tanstack/react-virtual';
import { type ReactNode, useCallback, useEffect, useRef } from 'react';
import { classNames } from './class-names.ts';

interface VirtualListProps<Item> {
  readonly label: string;
  readonly items: readonly Item[];
  readonly keyOf: (item: Item) => string;
  /**
   * A guess; rows are measured as they come into view. Where there are thousands it is to be right: each row of another
   * height moves all that come after it.
   */
  readonly rowHeight: number;
  readonly children: (item: Item, at: number) => ReactNode;
  readonly className?: string;
  /** Asked for more when its end comes near. */
  readonly onEnd?: () => void;
  /** Stays at the end while it grows, unless somebody scrolled up. */
  readonly isFollowing?: boolean;
  /** The place of the row that somebody moved to: it is brought into view. */
  readonly current?: number | undefined;
}

const NEAR_END = 20;
const OVERSCAN = 8;

/** Only what is in view exists: a hundred thousand rows cost as much as fifty. */
export function VirtualList<Item>(props: VirtualListProps<Item>) {
  const {
    label,
    items,
    keyOf,
    rowHeight,
    children,
    className,
    onEnd,
    isFollowing = false,
    current,
  } = props;
  const box = useRef<HTMLDivElement>(null);
  const name = useRef(keyOf);
  name.current = keyOf;
  // All rows are placed anew when this changes: with the items, and not with each rendering.
  const getItemKey = useCallback(
    (at: number) => {
      const item = items[at];
      return item === undefined ? at : name.current(item);
    },
    [items],
  );
  const rows = useVirtualizer({
    count: items.length,
    getScrollElement: () => box.current,
    estimateSize: () => rowHeight,
    getItemKey,
    overscan: OVERSCAN,
  });
  const shown = rows.getVirtualItems();
  const lastShown = shown.at(-1)?.index ?? -1;
  useEffect(() => {
    if (onEnd !== undefined && items.length > 0 && lastShown >= items.length - NEAR_END) onEnd();
  }, [lastShown, items.length, onEnd]);
  const isAtEnd = useRef(true);
  const isFirst = useRef(true);
  useEffect(() => {
    if (isFollowing && isAtEnd.current && items.length > 0) rows.scrollToIndex(items.length - 1);
  }, [items.length, isFollowing, rows]);
  useEffect(() => {
    // Where one begins, its row is at the top; from there on the list moves no more than it must.
    const align = isFirst.current ? 'start' : 'auto';
    isFirst.current = false;
    if (current !== undefined) rows.scrollToIndex(current, { align });
  }, [current, rows]);
  return (
    <section
      ref={box}
      aria-label={label}
      tabIndex={0}
      onScroll={({ currentTarget: { scrollTop, clientHeight, scrollHeight } }) => {
        isAtEnd.current = scrollTop + clientHeight > scrollHeight - rowHeight;
      }}
      className={classNames('overflow-auto rounded-lg border border-line bg-surface', className)}
    >
      <div className="relative w-full" style={{ height: rows.getTotalSize() }}>
        {shown.map(({ key, index, start }) => {
          const item = items[index];
          if (item === undefined) return null;
          return (
            <div
              key={key}
              data-index={index}
              ref={rows.measureElement}
              className="absolute top-0 left-0 w-full"
              style={{ transform: `translateY(${start}px)` }}
            >
              {children(item, index)}
            </div>
          );
        })}
      </div>
    </section>
  );
}
