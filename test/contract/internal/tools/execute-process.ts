// A second process for the tests of tools/execute: it makes a call and dies at the place it is told to.
import { createRuntime } from '../../../../src/app.ts';
import { killAtFaultPoint } from '../../../../src/core/fault-point.ts';
import type { ExecuteRequest } from '../../../../src/core/integrations/integrations.ts';
import { silentLogger } from '../../../../src/core/log.ts';
import { createScriptedModel } from '../../../../src/providers/scripted/scripted-model.ts';
import { openTestIntegrations } from '../test-integrations.ts';

const [root = '', githubBaseUrl = '', resendBaseUrl = '', place = '', request = ''] =
  process.argv.slice(2);
const die = () => process.kill(process.pid, 'SIGKILL');
const model = createScriptedModel({ steps: [] });
const runtime = await createRuntime({
  root,
  env: {},
  logger: silentLogger,
  role: 'local',
  models: { get: async () => model, describe: async () => model },
});
const { receipts } = runtime.storage;
const { integrations } = await openTestIntegrations(
  runtime,
  { githubBaseUrl, resendBaseUrl, timeoutMs: 10_000 },
  place === 'before_receipt'
    ? {
        receipts: {
          ...receipts,
          settle: () => {
            die();
            return new Promise(() => {});
          },
        },
      }
    : {},
);
if (place !== 'before_receipt') killAtFaultPoint(place, die);
await integrations.execute(JSON.parse(request) as ExecuteRequest);
