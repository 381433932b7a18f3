import { CALLS, RECENT_CALLS } from '../../core/integrations/stored-calls.ts';
import { querySql, table } from './table.ts';

export const CALL_TABLE = table(CALLS, {
  scope: 'text',
  callId: 'text',
  digest: 'id',
  requestId: 'id',
  integrationId: 'text',
  owner: 'text',
  claimId: 'id?',
  leaseUntilMs: 'ms',
  openedAtMs: 'ms',
  expiresAtMs: 'ms?',
  isFinal: 'flag',
  result: 'json?',
});

export const CALL_QUERIES = [
  // Counts no further than it has to, and from the newest on: then the index is what finds them.
  querySql(RECENT_CALLS, {
    params: {
      scope: 'text',
      callId: 'text',
      integrationId: 'text',
      owner: 'text',
      windowMs: 'int',
      max: 'int',
    },
    answer: { calls: 'int' },
    text: `
      select count(*) as calls from (
        select 1 from integration_calls
        where integration_id = :integrationId and owner = :owner and opened_at_ms > (select :now - :windowMs)
          and (claim_id is not null or is_final)
          and not (scope = :scope and call_id = :callId)
        order by opened_at_ms desc limit :max
      ) as recent`,
  }),
];
