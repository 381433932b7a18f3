/** What the tabs of one browser tell each other. */
export type TabMessage =
  | { readonly kind: 'signed_in' }
  | { readonly kind: 'signed_out' }
  | { readonly kind: 'live'; readonly frames: readonly LiveFrame[] }
  | { readonly kind: 'live_state'; readonly state: LiveState };

/**
 * Whether what is shown is how it is. `held`: the server is there, and what it tells does not arrive. `sinceMs`: since
 * when what is shown may be old.
 */
export type LiveState =
  | { readonly state: 'connecting' | 'live' }
  | { readonly state: 'lost' | 'held'; readonly sinceMs: number };

export interface LiveFrame {
  readonly event: string;
  readonly data: string;
}

const channel =
  typeof BroadcastChannel === 'undefined' ? undefined : new BroadcastChannel('pincer');

export function tellTabs(message: TabMessage): void {
  channel?.postMessage(message);
}

export function onTabMessage(listener: (message: TabMessage) => void): () => void {
  const hear = (event: MessageEvent<TabMessage>) => listener(event.data);
  channel?.addEventListener('message', hear);
  return () => channel?.removeEventListener('message', hear);
}
