import {
  createContext,
  type RefObject,
  useContext,
  useEffect,
  useMemo,
  useRef,
  useState,
} from 'react';

type Listener = (entry: IntersectionObserverEntry) => void;

/** What is near the part of a box that is in view. */
export interface Nearness {
  observe(element: Element, listener: Listener): () => void;
}

export const NearnessContext = createContext<Nearness | undefined>(undefined);

/** A screen or two: what comes into view by the next turn of a wheel is there. */
const MARGIN = '1200px 0px';

/** One observer for all that is in the box. */
export function useNearness(box: RefObject<Element | null>): Nearness {
  const nearness = useMemo(() => createNearness(box), [box]);
  useEffect(() => () => nearness.stop(), [nearness]);
  return nearness;
}

function createNearness(box: RefObject<Element | null>): Nearness & { stop(): void } {
  const listeners = new Map<Element, Listener>();
  let observer: IntersectionObserver | undefined;
  return {
    observe(element, listener) {
      // The box is on the page by the time that something in it asks.
      observer ??= new IntersectionObserver(
        (entries) => {
          for (const entry of entries) listeners.get(entry.target)?.(entry);
        },
        { root: box.current, rootMargin: MARGIN },
      );
      listeners.set(element, listener);
      observer.observe(element);
      return () => {
        listeners.delete(element);
        observer?.unobserve(element);
      };
    },
    stop() {
      observer?.disconnect();
      observer = undefined;
    },
  };
}

export interface Near<E extends Element> {
  readonly element: RefObject<E | null>;
  readonly isNear: boolean;
  /** How high it was when it was last near. */
  readonly height: number | undefined;
}

export function useNear<E extends Element>(isNearAtFirst = false): Near<E> {
  const element = useRef<E>(null);
  const nearness = useContext(NearnessContext);
  const [isNear, setIsNear] = useState(isNearAtFirst);
  const [height, setHeight] = useState<number>();
  useEffect(() => {
    if (element.current === null) return;
    return nearness?.observe(element.current, ({ isIntersecting, boundingClientRect }) => {
      setIsNear(isIntersecting);
      if (!isIntersecting && boundingClientRect.height > 0) setHeight(boundingClientRect.height);
    });
  }, [nearness]);
  return { element, isNear, height };
}
