import { readFileSync } from 'node:fs';
import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

const manifest = JSON.parse(readFileSync(new URL('package.json', import.meta.url), 'utf8'));

// A new object for each project: vitest empties the one it is given.
const define = () => ({ __PINCER_VERSION__: JSON.stringify(manifest.version) });

const COMMON = {
  // For what hangs: a test that starts ten programs takes its time on a machine that others use too.
  testTimeout: 60_000,
  hookTimeout: 90_000,
  // A busy machine is slow, not wrong.
  expect: { poll: { timeout: 20_000 } },
  pool: 'forks',
  restoreMocks: true,
  setupFiles: 'test/support/property-seed.ts',
} as const;

/** One more than a small machine has cores: a fifth of the time, tests wait for a deadline, a database or a disk. */
const WORKERS = 3;
/** Those of whole programs wait half of theirs, for other processes. */
const E2E_WORKERS = 4;

/** Files that take longest. A fresh clone has no figures to order by, and one of these begun last holds up the end. */
const LONGEST = [
  'torture/kill-storm.test.ts',
  'dashboard/shell.test.ts',
  'dashboard/truth.test.ts',
  'cli/ask.test.ts',
  'threads/thread-crash.test.ts',
  'dashboard/connection.test.ts',
  'effects/effect-storm.test.ts',
  'dashboard/chat-voice.test.ts',
  'agents/killed-import.test.ts',
  'turns/interrupted-turns.test.ts',
  'cli/serve.test.ts',
  'agents/moved-agent.test.ts',
  'dashboard/operate.test.ts',
  'chat/conversation.test.ts',
  'e2e/chat/chat-crash.test.ts',
  'secrets/planted-secrets.test.ts',
  'backup/backup-kills.test.ts',
  'dashboard/chat-steer.test.ts',
  'e2e/dashboard/memory.test.ts',
  'openclaw/bridge-crash.test.ts',
  'dashboard/runs-many.test.ts',
  'dashboard/chat-crash.test.ts',
  'streams/stream-torture.test.ts',
  'conformance/sqlite.test.ts',
  'conformance/postgres.test.ts',
  'mcp/misbehaving-servers.test.ts',
  'postgres/lost-connections.test.ts',
  'api/agents.test.ts',
  'replay/replay-runs.test.ts',
  'reliability/interleavings.test.ts',
  'contract/cli/turns.test.ts',
];

class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const rank = ({ moduleId }: TestSpecification) => {
      const place = LONGEST.findIndex((name) => moduleId.endsWith(name));
      return place === -1 ? LONGEST.length : place;
    };
    return sorted.sort((a, b) => rank(a) - rank(b));
  }
}

export default defineConfig({
  test: {
    // Not inherited by the projects, so that it runs once.
    globalSetup: ['test/support/global-setup.ts'],
    // Engines are started on first use, by whichever file needs one; stopping them takes a moment.
    teardownTimeout: 20_000,
    sequence: { sequencer: LongestFirst },
    projects: [
      {
        define: define(),
        test: {
          ...COMMON,
          name: 'unit',
          include: ['{src,test,bench,dashboard/src}/**/*.test.ts'],
          exclude: ['test/e2e/**', 'test/fixtures/**'],
          // Loading the program anew for each of hundreds of files took more time than their tests.
          isolate: false,
          maxWorkers: WORKERS,
          sequence: { groupOrder: 0 },
        },
      },
      {
        define: define(),
        test: {
          ...COMMON,
          name: 'e2e',
          include: ['test/e2e/**/*.test.ts'],
          isolate: false,
          maxWorkers: E2E_WORKERS,
          sequence: { groupOrder: 1 },
        },
      },
    ],
  },
});
