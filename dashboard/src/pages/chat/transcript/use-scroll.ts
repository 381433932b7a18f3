import { type RefObject, useCallback, useEffect, useLayoutEffect, useRef, useState } from 'react';
import { findPlace, keepPlace, type ScrollPlace } from './scroll-places.ts';

/** So near the end somebody reads along. */
const NEAR_END_PX = 80;
/** A link leads to a little below the upper edge. */
const LINK_PX = 24;

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
  /** Somebody is about to move: nothing holds the place any more. */
  release(): void;
  /** Somebody unfolds something: it stays where it was pressed. */
  hold(): void;
  toEnd(): void;
}

interface ScrollState {
  readonly isFollowing: boolean;
  /** Until somebody moves, the place is where it was, whatever is loaded around it. */
  readonly isHeld: boolean;
  readonly place: ScrollPlace | undefined;
  /** How far the box was scrolled when the place was read. */
  readonly top: number;
}

const AT_END: ScrollState = { isFollowing: true, isHeld: false, place: undefined, top: 0 };

/** A place in a conversation that stays: while it grows at either end, and until somebody comes back. */
export function useScroll({ sessionId, first, at }: ScrollOptions): Scroll {
  const box = useRef<HTMLDivElement>(null);
  const content = useRef<HTMLDivElement>(null);
  const [isAtEnd, setIsAtEnd] = useState(true);
  const state = useRef<ScrollState>(AT_END);

  const settle = useCallback(() => {
    const { isFollowing, isHeld, place, top } = state.current;
    if (box.current === null) return;
    if (isFollowing) box.current.scrollTop = box.current.scrollHeight;
    if (isFollowing || place === undefined) return;
    // Somebody may have moved since, and been told of it by no event yet.
    const moved = isHeld ? 0 : box.current.scrollTop - top;
    const now = { exchange: place.exchange, offset: place.offset - moved };
    restore(box.current, now);
    state.current = { ...state.current, place: now, top: box.current.scrollTop };
  }, []);

  const toEnd = useCallback(() => {
    state.current = AT_END;
    setIsAtEnd(true);
    settle();
  }, [settle]);

  const onScroll = useCallback(() => {
    if (box.current === null) return;
    const { scrollTop, clientHeight, scrollHeight } = box.current;
    const isFollowing = scrollTop + clientHeight > scrollHeight - NEAR_END_PX;
    setIsAtEnd(isFollowing);
    if (state.current.isHeld) return;
    const place = isFollowing ? undefined : readPlace(box.current);
    state.current = { isFollowing, isHeld: false, place, top: scrollTop };
    keepPlace(sessionId, place);
  }, [sessionId]);

  const release = useCallback(() => {
    state.current = { ...state.current, isHeld: false };
  }, []);

  const hold = useCallback(() => {
    if (box.current === null) return;
    const place = readPlace(box.current);
    state.current = { isFollowing: false, isHeld: true, place, top: box.current.scrollTop };
  }, []);

  const isEmpty = first === undefined;
  useLayoutEffect(() => {
    if (isEmpty) return;
    const place = at === undefined ? findPlace(sessionId) : { exchange: at, offset: LINK_PX };
    // What is around it is measured only now, and may push it away.
    const isKept = place !== undefined;
    state.current = { isFollowing: !isKept, isHeld: isKept, place, top: 0 };
    settle();
  }, [sessionId, at, isEmpty, settle]);

  // biome-ignore lint/correctness/useExhaustiveDependencies: older exchanges were put in front
  useLayoutEffect(settle, [first, settle]);

  useEffect(() => {
    if (content.current === null) return;
    const observer = new ResizeObserver(settle);
    observer.observe(content.current);
    return () => observer.disconnect();
  }, [settle]);

  return { box, content, isAtEnd, onScroll, release, hold, toEnd };
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
