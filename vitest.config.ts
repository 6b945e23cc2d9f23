import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitest/config'

/** What only computes, and opens no terminal: its tests may share a process, which saves starting one for each file. */
const PURE = [
  'packages/{formatter,parser,protocol,renderer,schema-check,tool-executor}/src/**/*.test.ts',
  'packages/inquiry/src/{answers,questions}/**/*.test.ts',
  'packages/inquiry/src/*.test.ts',
]

/** What takes long: hostile folders and servers, servers of others, builds, pages in a browser. CI runs them as a check of their own, `pnpm test:apart`. */
const APART = [
  'journeys/promises/hostile-folders.test.ts',
  'journeys/several/random-steps.test.ts',
  'packages/mcp-bridge/src/hostile-answers.test.ts',
  'packages/mcp-bridge/src/hostile-http.test.ts',
  'packages/mcp-bridge/src/hostile-stdio.test.ts',
  'packages/mcp-bridge/src/published-servers.test.ts',
  'packages/react/browser/*.test.ts',
  'packages/viewer/browser/in-browser.test.ts',
  'test/browser-bundles.test.ts',
  'test/extending/extending.test.ts',
  'test/link-command.test.ts',
  'test/optional-peers.test.ts',
  'test/public-api.test.ts',
]

// Workspace packages export src/*.ts, so tests need no build.
export default defineConfig({
  test: {
    projects: [
      { extends: true, test: { name: 'pure', include: PURE, isolate: false } },
      {
        extends: true,
        test: {
          name: 'packages',
          include: ['packages/*/{src,browser}/**/*.test.ts', 'test/**/*.test.ts'],
          exclude: [...PURE, ...APART],
        },
      },
      {
        extends: true,
        test: {
          name: 'command',
          include: ['apps/*/{src,bundle}/**/*.test.ts'],
          globalSetup: 'apps/reference-host/toolblocks.setup.ts',
        },
      },
      {
        extends: true,
        test: {
          name: 'journeys',
          include: ['journeys/**/*.test.ts'],
          exclude: ['**/node_modules/**', ...APART],
          globalSetup: 'journeys/stage/build-command.setup.ts',
        },
      },
      {
        extends: true,
        test: {
          name: 'apart',
          include: APART,
          globalSetup: 'journeys/stage/build-command.setup.ts',
        },
      },
    ],
    // Processes, terminals and databases are real, and machines are slow or busy.
    testTimeout: 30_000,
    hookTimeout: 30_000,
    // Many tests wait for a program they started: as many workers as cores would leave these idle.
    maxWorkers: 3,
    // Programs that tests start are read from TypeScript once, not at every start.
    env: {
      NODE_COMPILE_CACHE: fileURLToPath(new URL('node_modules/.cache/programs', import.meta.url)),
    },
    coverage: { provider: 'v8', include: ['packages/*/src/**/*.ts'] },
  },
})
