import { useLocation } from 'wouter';
import { useExactSearch } from '../../../kit/use-exact-params.ts';

/** Which part of a run is looked at. All of it stands in the address, so that it can be sent to somebody. */
export interface RunView {
  readonly tab: RunTab;
  /** The bar whose details are shown. */
  readonly span: string | undefined;
  /** The event that is unfolded. */
  readonly seq: number | undefined;
  /** Of the prompt. */
  readonly turn: number | undefined;
  /** Of the events. */
  readonly type: string;
}

export const RUN_TABS = ['timeline', 'log', 'events', 'prompt', 'bundle'] as const;
export type RunTab = (typeof RUN_TABS)[number];

function readView(search: string): RunView {
  const given = new URLSearchParams(search);
  const tab = given.get('tab');
  return {
    tab: RUN_TABS.find((one) => one === tab) ?? 'timeline',
    span: given.get('span') ?? undefined,
    seq: toCount(given.get('seq')),
    turn: toCount(given.get('turn')),
    type: given.get('type') ?? '',
  };
}

function toCount(text: string | null): number | undefined {
  return text !== null && /^\d{1,9}$/.test(text) ? Number(text) : undefined;
}

/** The address with other parts of the view, and whatever else it holds: the filters of the list lead back. */
export function writeView(search: string, change: Partial<RunView>): string {
  const given = new URLSearchParams(search);
  for (const [name, value] of Object.entries(change)) {
    const isDefault =
      value === undefined || value === '' || (name === 'tab' && value === 'timeline');
    if (isDefault) given.delete(name);
    else given.set(name, String(value));
  }
  return given.size === 0 ? '' : `?${given}`;
}

export type ChangeView = (change: Partial<RunView>, options?: { readonly replace: true }) => void;

export function useRunView(runId: string): readonly [RunView, ChangeView] {
  const search = useExactSearch();
  const [, navigate] = useLocation();
  const change: ChangeView = (next, options = undefined) =>
    navigate(`/runs/${runId}${writeView(search, next)}`, options);
  return [readView(search), change];
}
