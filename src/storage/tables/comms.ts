import {
  DELIVERY_EVENTS,
  NEWEST_SUPPRESSIONS,
  SUPPRESSIONS,
} from '../../core/comms/stored-comms.ts';
import { querySql, table } from './table.ts';

export const DELIVERY_EVENT_TABLE = table(DELIVERY_EVENTS, {
  provider: 'text',
  eventId: 'text',
  digest: 'id',
  state: 'id',
  messageId: 'text?',
  integrationId: 'text?',
  recipientDigest: 'id?',
  occurredAtMs: 'ms?',
  reason: 'text?',
  payload: 'id',
  receivedAtMs: 'ms',
});

export const SUPPRESSION_TABLE = table(SUPPRESSIONS, {
  recipientDigest: 'id',
  state: 'id',
  provider: 'text',
  eventId: 'text',
  atMs: 'ms',
});

export const COMMS_QUERIES = [
  querySql(NEWEST_SUPPRESSIONS, {
    params: { limit: 'int' },
    answer: SUPPRESSION_TABLE,
    text: `select ${SUPPRESSION_TABLE.select} from suppressions order by no desc limit :limit`,
  }),
];
