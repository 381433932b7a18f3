import { readFileSync } from 'node:fs';
import { defineConfig } from 'vitest/config';

const manifest = JSON.parse(readFileSync(new URL('package.json', import.meta.url), 'utf8'));

// A new object for each project: vitest empties the one it is given.
const define = () => ({ __PINCER_VERSION__: JSON.stringify(manifest.version) });

const COMMON = {
  testTimeout: 20_000,
  hookTimeout: 60_000,
  pool: 'forks',
  restoreMocks: true,
} as const;

export default defineConfig({
  test: {
    // Not inherited by the projects, so that it runs once.
    globalSetup: ['test/support/global-setup.ts'],
    // Engines are started on first use, by whichever file needs one; stopping them takes a moment.
    teardownTimeout: 20_000,
    projects: [
      {
        define: define(),
        test: {
          ...COMMON,
          name: 'unit',
          include: ['src/**/*.test.ts', 'test/**/*.test.ts', 'bench/**/*.test.ts'],
          exclude: ['test/e2e/**', 'test/fixtures/**'],
          sequence: { groupOrder: 0 },
        },
      },
      {
        define: define(),
        test: {
          ...COMMON,
          name: 'e2e',
          include: ['test/e2e/**/*.test.ts'],
          // Each file runs whole programs and measures their timing against deadlines.
          maxWorkers: 2,
          sequence: { groupOrder: 1 },
        },
      },
    ],
  },
});
