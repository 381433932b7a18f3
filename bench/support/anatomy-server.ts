// `claw serve` with a tracer that measures, a process of its own: `anatomy-server.mjs <root>`. Answers each message
// from its parent with what it has measured since the last one.
import { openServer } from '../../src/server.ts';
import { createStageClock } from './stage-clock.ts';

const [root = ''] = process.argv.slice(2);
const clock = createStageClock();
const { url } = await openServer({
  root,
  flags: { port: 0 },
  openTracer: async () => clock.tracer,
});
process.on('message', () => process.send?.(clock.take()));
process.send?.(url);
