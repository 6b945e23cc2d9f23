import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitest/config'

// Workspace packages export src/*.ts, so tests need no build.
export default defineConfig({
  test: {
    projects: [
      {
        extends: true,
        test: { name: 'packages', include: ['packages/*/src/**/*.test.ts', 'test/**/*.test.ts'] },
      },
      {
        extends: true,
        test: {
          name: 'command',
          include: ['apps/*/src/**/*.test.ts'],
          globalSetup: 'apps/reference-host/src/toolblocks.setup.ts',
        },
      },
    ],
    // Processes, terminals and databases are real, and machines are slow or busy.
    testTimeout: 30_000,
    hookTimeout: 30_000,
    // Most tests wait for a program they started: the one worker that is taken for two cores would leave them idle.
    maxWorkers: 2,
    // Programs that tests start are read from TypeScript once, not at every start.
    env: {
      NODE_COMPILE_CACHE: fileURLToPath(new URL('node_modules/.cache/programs', import.meta.url)),
    },
    coverage: { provider: 'v8', include: ['packages/*/src/**/*.ts'] },
  },
})
