import { type RefObject, useCallback, useEffect, useLayoutEffect, useRef, useState } from 'react';
import { findPlace, keepPlace, type ScrollPlace } from './scroll-places.ts';

/** So near the end somebody reads along. */
const NEAR_END_PX = 80;
const KEEP_MS = 250;

interface ScrollOptions {
  readonly sessionId: string;
  /** The oldest exchange that is loaded; undefined before there is any. */
  readonly first: string | undefined;
  /** Where a link leads. */
  readonly at: string | undefined;
}

export interface Scroll {
  readonly box: RefObject<HTMLDivElement | null>;
  readonly content: RefObject<HTMLDivElement | null>;
  readonly isAtEnd: boolean;
  onScroll(): void;
  /** Somebody unfolds something: it stays where it was pressed. */
  hold(): void;
  toEnd(): void;
}

/** A place in a conversation that stays: while it grows at either end, and until somebody comes back. */
export function useScroll({ sessionId, first, at }: ScrollOptions): Scroll {
  const box = useRef<HTMLDivElement>(null);
  const content = useRef<HTMLDivElement>(null);
  const [isAtEnd, setIsAtEnd] = useState(true);
  const isFollowing = useRef(true);
  const place = useRef<ScrollPlace>(undefined);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);

  const follow = useCallback((isFollowed: boolean) => {
    isFollowing.current = isFollowed;
    setIsAtEnd(isFollowed);
  }, []);

  const toEnd = useCallback(() => {
    follow(true);
    box.current?.scrollTo({ top: box.current.scrollHeight });
  }, [follow]);

  const onScroll = useCallback(() => {
    const element = box.current;
    if (element === null) return;
    const { scrollTop, clientHeight, scrollHeight } = element;
    follow(scrollTop + clientHeight > scrollHeight - NEAR_END_PX);
    place.current = isFollowing.current ? undefined : readPlace(element);
    clearTimeout(timer.current);
    timer.current = setTimeout(() => keepPlace(sessionId, place.current), KEEP_MS);
  }, [sessionId, follow]);

  const hold = useCallback(() => {
    if (box.current === null) return;
    isFollowing.current = false;
    place.current = readPlace(box.current);
  }, []);

  // What is loaded later, and what is measured later, moves nothing that somebody reads.
  const settle = useCallback(() => {
    const element = box.current;
    if (element === null) return;
    if (isFollowing.current) element.scrollTop = element.scrollHeight;
    else if (place.current !== undefined) restore(element, place.current);
  }, []);

  const isEmpty = first === undefined;
  useLayoutEffect(() => {
    if (isEmpty) return;
    const kept = at === undefined ? findPlace(sessionId) : { exchange: at, offset: 24 };
    place.current = kept;
    follow(kept === undefined);
    settle();
  }, [sessionId, at, isEmpty, follow, settle]);

  // biome-ignore lint/correctness/useExhaustiveDependencies: older exchanges were put in front
  useLayoutEffect(settle, [first, settle]);

  useEffect(() => {
    if (content.current === null) return;
    const observer = new ResizeObserver(() => isFollowing.current && settle());
    observer.observe(content.current);
    return () => observer.disconnect();
  }, [settle]);

  return { box, content, isAtEnd, onScroll, hold, toEnd };
}

function readPlace(box: HTMLElement): ScrollPlace | undefined {
  const top = box.getBoundingClientRect().top;
  for (const element of box.querySelectorAll<HTMLElement>('[data-exchange]')) {
    const rect = element.getBoundingClientRect();
    if (rect.bottom > top) {
      return { exchange: element.dataset['exchange'] ?? '', offset: rect.top - top };
    }
  }
  return undefined;
}

function restore(box: HTMLElement, { exchange, offset }: ScrollPlace): void {
  const element = box.querySelector(`[data-exchange="${CSS.escape(exchange)}"]`);
  if (element === null) return;
  const shift = element.getBoundingClientRect().top - box.getBoundingClientRect().top - offset;
  if (Math.abs(shift) > 1) box.scrollTop += shift;
}
