import { keep, readKept } from '../../../api/kept.ts';

/** Where somebody stopped reading: that exchange, this far below the upper edge. */
export interface ScrollPlace {
  readonly exchange: string;
  readonly offset: number;
}

const KEY = 'chat.places';
const MAX_PLACES = 50;
/** Reloads are rarer than scrolling. */
const KEEP_MS = 250;
let isWaiting = false;

const places = new Map<string, ScrollPlace>(readStored());

export function findPlace(sessionId: string): ScrollPlace | undefined {
  return places.get(sessionId);
}

/** Undefined: at the end, where everybody begins. */
export function keepPlace(sessionId: string, place: ScrollPlace | undefined): void {
  places.delete(sessionId);
  if (place !== undefined) places.set(sessionId, place);
  if (!isWaiting) setTimeout(store, KEEP_MS);
  isWaiting = true;
}

function store(): void {
  isWaiting = false;
  keep(KEY, JSON.stringify([...places].slice(-MAX_PLACES)));
}

function readStored(): readonly (readonly [string, ScrollPlace])[] {
  try {
    return JSON.parse(readKept(KEY) ?? '[]');
  } catch {
    return [];
  }
}
