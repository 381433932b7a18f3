import { afterEach, expect, test } from 'vitest';
import { common } from './claw.ts';
import { openWay, WAYS, type WayRoot } from './ways.ts';

let at: WayRoot;

afterEach(() => at.dispose());

test.each(WAYS)('stops everything, refuses to work, and goes on: %s', async (via) => {
  at = await openWay(via);

  const stopped = await at.document(['stop-all', '--reason', 'enough']);
  const refused = await at.document(['ask', 'hello']);
  const status = await at.document(['status']);
  const resumed = await at.document(['resume-all']);
  const answered = await at.document(['ask', 'hello']);

  const changed_at = expect.any(String);
  const on = { on: true, reason: 'enough', by: 'operator', changed_at };
  expect(stopped).toEqual({ ...common('stop-all', 0), ...on, via });
  expect(refused).toMatchObject({
    exit_code: 1,
    error: {
      message: 'all work is stopped by operator: enough; claw resume-all lets it go on',
      retryable: false,
    },
  });
  expect(status).toMatchObject({ exit_code: 0, kill_switch: on });
  expect(resumed).toEqual({
    ...common('resume-all', 0),
    ...{ on: false, reason: '', by: 'operator', changed_at, via },
  });
  expect(answered).toMatchObject({ exit_code: 0 });
});

test.each(WAYS)('sets, lists and removes budgets, and reports usage: %s', async (via) => {
  at = await openWay(via);
  const report = ['costs', 'usage', '--project', 'p', '--agent', 'lince', '--cost', '0.25'];

  const set = await at.document(['costs', 'set-budget', 'project', '--project', 'p', '--usd', '1']);
  const reported = await at.document([...report, '--key', 'k']);
  const again = await at.document([...report, '--key', 'k']);
  const summary = await at.document(['costs', 'summary', '--project', 'p']);
  const listed = await at.document(['costs', 'budgets']);
  const removed = await at.document(['costs', 'unset-budget', 'project', '--project', 'p']);
  const gone = await at.document(['costs', 'unset-budget', 'project', '--project', 'p']);

  const budget = { scope: 'project', project_id: 'p', agent_id: null, budget_usd: 1 };
  expect(set).toMatchObject({ exit_code: 0, ...budget, remaining_usd: 1, via });
  const spent = { project_id: 'p', spent_usd: 0.25, budget_usd: 1, remaining_usd: 0.75 };
  expect(reported).toMatchObject({ exit_code: 0, recorded: true, ...spent, via });
  expect(again).toEqual(reported);
  expect(summary).toMatchObject({ exit_code: 0, ...spent, status: 'within_budget', via });
  expect(listed).toMatchObject({ exit_code: 0, budgets_count: 1, budgets: [budget] });
  expect(removed).toEqual({
    ...common('costs unset-budget', 0),
    scope: 'project',
    removed: true,
    via,
  });
  expect(gone).toMatchObject({ exit_code: 1, error: { kind: 'budget_not_found' } });
});
