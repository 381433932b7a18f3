import { RUN_STATUSES } from '../../../../../src/core/runs/run.ts';

/** What the list is narrowed to. All of it stands in the address. */
export interface RunFilters {
  readonly status: string;
  readonly agent: string;
  readonly session: string;
  readonly project: string;
  /** Where it came from: `chat`, `scheduler`. */
  readonly source: string;
  /** Created then or later, and before; in the time of this place. */
  readonly from: string;
  readonly to: string;
  /** What was asked or answered. */
  readonly text: string;
}

const NAMES = ['status', 'agent', 'session', 'project', 'source', 'from', 'to', 'text'] as const;

export const NO_FILTERS = Object.fromEntries(
  NAMES.map((name) => [name, '']),
) as unknown as RunFilters;

export function readFilters(search: string): RunFilters {
  const given = new URLSearchParams(search);
  const filters = Object.fromEntries(NAMES.map((name) => [name, given.get(name) ?? '']));
  const { status = '' } = filters;
  const isStatus = (RUN_STATUSES as readonly string[]).includes(status);
  return { ...NO_FILTERS, ...filters, status: isStatus ? status : '' };
}

/** `?status=failed`, or nothing where nothing is narrowed. */
export function writeFilters(filters: RunFilters): string {
  const given = new URLSearchParams(
    NAMES.filter((name) => filters[name] !== '').map((name) => [name, filters[name]]),
  );
  return given.size === 0 ? '' : `?${given}`;
}

export function isNarrowed(filters: RunFilters): boolean {
  return NAMES.some((name) => filters[name] !== '');
}
