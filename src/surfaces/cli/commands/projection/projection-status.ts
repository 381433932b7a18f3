import { toIso } from '../../../../core/clock.ts';
import type {
  ProjectionLag,
  ProjectionStatus,
} from '../../../../core/projection/read-projection-status.ts';
import { formatDate, formatFacts, formatTable } from '../../print/layout.ts';
import { toOneLine } from '../../print/plain-text.ts';
import { defineCommand } from '../../program/command.ts';
import { withProjection } from './open-projection.ts';
import type { ProjectionAccess } from './projection-access.ts';

const MAX_TEXT_CHARS = 300;

interface Shown extends ProjectionStatus {
  readonly sink: ProjectionAccess['sink'];
}

export const projectionStatus = defineCommand({
  usage: '',
  description:
    'Summaries of runs and workers are copied to the sink that projection.sink names. Compares every log with what was\n' +
    'written of it, and says how the server that writes is doing. Reads the database, with or without a running server.',
  args: { min: 0, max: 0 },
  options: {},
  examples: ['claw projection status', 'claw projection status --output-format json'],
  run: (_input, context): Promise<Shown> =>
    withProjection(context, async (projection) => ({
      sink: projection.sink,
      ...(await projection.status()),
    })),
  fields: ({ sink, health, projections }) => ({
    sink,
    writer: health.writer ?? null,
    failures: health.failures,
    last_error: health.error ?? null,
    last_failed_at: isoOrNull(health.failedAtMs),
    projections: projections.map(toFields),
  }),
  text({ sink, health, projections }, style) {
    const facts = formatFacts(
      [
        ['sink', sink],
        ['writer', health.writer === undefined ? 'nobody now' : 'a running server'],
        ['failures', health.failures === 0 ? '' : style.red(`${health.failures} in a row`)],
        ['error', health.failures === 0 ? '' : toOneLine(health.error ?? '', MAX_TEXT_CHARS)],
      ],
      style,
    );
    return [facts, '', formatTable([HEADINGS, ...projections.map(toRow)])].join('\n');
  },
});

const HEADINGS = ['projection', 'entities', 'in sync', 'lagging', 'events', 'ahead', 'last'];

function toRow(lag: ProjectionLag): string[] {
  const { entities, inSync, lagging, lagEvents, ahead } = lag;
  return [
    lag.projection,
    ...[entities, inSync, lagging, lagEvents, ahead].map(String),
    formatDate(isoOrNull(lag.lastProjectedAtMs)),
  ];
}

function toFields(lag: ProjectionLag) {
  return {
    projection: lag.projection,
    entities: lag.entities,
    in_sync: lag.inSync,
    lagging: lag.lagging,
    lag_events: lag.lagEvents,
    ahead: lag.ahead,
    last_projected_at: isoOrNull(lag.lastProjectedAtMs),
    lagging_ids: [...lag.laggingIds],
  };
}

function isoOrNull(ms: number | undefined): string | null {
  return ms === undefined ? null : toIso(ms);
}
