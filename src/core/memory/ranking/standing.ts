/** What speaks for a memory whatever is asked. Bounded: a fitting text outweighs all of it together. */
export interface Standing {
  readonly priorityScore: number;
  readonly pinned: boolean;
  readonly timestampMs: number;
  readonly accessCount: number;
  readonly accessedAtMs: number;
}

const MAX_PRIORITY = 15;
const DAY_MS = 86_400_000;

const WORTH = { priority: 0.6, pin: 0.6, recency: 0.3, access: 0.2 } as const;
/** What is as old counts half; what nobody asked for as long, too. */
const HALF_LIFE_DAYS = { recency: 30, access: 14 } as const;
/** From that many on more accesses add nothing. */
const FULL_ACCESSES = 32;

export interface StandingScore {
  readonly priority: number;
  readonly pin: number;
  readonly recency: number;
  readonly access: number;
}

export function scoreStanding(standing: Standing, nowMs: number): StandingScore {
  const accesses = Math.log2(1 + Math.max(0, standing.accessCount)) / Math.log2(1 + FULL_ACCESSES);
  return {
    priority: WORTH.priority * clamp(standing.priorityScore / MAX_PRIORITY),
    pin: standing.pinned ? WORTH.pin : 0,
    recency: WORTH.recency * fade(nowMs - standing.timestampMs, HALF_LIFE_DAYS.recency),
    access:
      WORTH.access * clamp(accesses) * fade(nowMs - standing.accessedAtMs, HALF_LIFE_DAYS.access),
  };
}

function fade(ageMs: number, halfLifeDays: number): number {
  const faded = 0.5 ** (Math.max(0, ageMs) / DAY_MS / halfLifeDays);
  return Number.isFinite(faded) ? faded : 0;
}

function clamp(value: number): number {
  return value > 0 ? Math.min(1, value) : 0;
}
