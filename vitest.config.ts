import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitest/config'

/** Its tests count what their own process alone has started. */
const ALONE = ['packages/local-executor/src/process/run-watcher.test.ts']

/** What takes long: hostile folders and servers, killed processes, power cuts, databases and servers of others, builds, pages in a browser. CI runs them as a check of their own, `pnpm test:apart`. */
const APART = [
  'apps/reference-host/src/cli/demo/run-demo.test.ts',
  'apps/reference-host/src/cli/import/hostile-import.test.ts',
  'apps/reference-host/src/demo/leave-demo.test.ts',
  'apps/reference-host/src/workspace/model/hostile-answers.test.ts',
  'journeys/example-apps/chat-turns.test.ts',
  'journeys/example-apps/chats.test.ts',
  'journeys/promises/demo-page.test.ts',
  'journeys/promises/hostile-folders.test.ts',
  'journeys/promises/installed-hosts.test.ts',
  'journeys/promises/many-hosts.test.ts',
  'journeys/several/attacked-replicas.test.ts',
  'journeys/several/killed-calls.test.ts',
  'journeys/several/long-calls.test.ts',
  'journeys/several/pages-of-people.test.ts',
  'journeys/several/random-steps.test.ts',
  'journeys/several/serve-a-team.test.ts',
  'packages/agent/src/killed-hosts/*.test.ts',
  'packages/conversation-store/src/histories/concurrent-clients.test.ts',
  'packages/conversation-store/src/power-cuts/power-cuts.test.ts',
  'packages/formatter/src/pictures/thirty-screenshots.test.ts',
  'packages/conversation-store/src/rows/postgres/postgres-rows.test.ts',
  'packages/conversation-store/src/rows/sqlite/damaged-rows.test.ts',
  'packages/conversation-store/src/rows/sqlite/sqlite-rows.test.ts',
  'packages/local-executor/src/command/hostile-values.test.ts',
  'packages/local-executor/src/live/late-responses.test.ts',
  'packages/local-executor/src/live/unnumbered-responses.test.ts',
  'packages/local-executor/src/many-programs.test.ts',
  'packages/local-executor/src/output/memory.test.ts',
  'packages/mcp-bridge/src/gateway/both-versions.test.ts',
  'packages/mcp-bridge/src/gateway/create-gateway.test.ts',
  'packages/mcp-bridge/src/gateway/replayed-servers.test.ts',
  'packages/mcp-bridge/src/gateway/several-clients.test.ts',
  'packages/mcp-bridge/src/hostile-answers.test.ts',
  'packages/mcp-bridge/src/hostile-http.test.ts',
  'packages/mcp-bridge/src/hostile-stdio.test.ts',
  'packages/mcp-bridge/src/login/login-lock.test.ts',
  'packages/mcp-bridge/src/published-servers.test.ts',
  'packages/react/browser/*.test.ts',
  'packages/session-import/src/hostile-files.test.ts',
  'packages/session-import/src/killed-import.test.ts',
  'packages/session-import/src/read-mutated-records.test.ts',
  'packages/tool-sdk/src/example-tools.test.ts',
  'packages/tool-sdk/src/run-tools.test.ts',
  'packages/tool-sdk/src/schemas/parameters-law.test.ts',
  'packages/viewer/browser/*.test.ts',
  'test/authoring-document.test.ts',
  'test/bench-topics.test.ts',
  'test/browser-bundles.test.ts',
  'test/readme-doors.test.ts',
  'test/code-blocks.test.ts',
  'test/examples.test.ts',
  'test/extending/*.test.ts',
  'test/link-command.test.ts',
  'test/pack-packages.test.ts',
  'test/optional-peers.test.ts',
  'test/postgres-command.test.ts',
  'test/public-api.test.ts',
]

// Workspace packages export src/*.ts, so tests need no build.
export default defineConfig({
  test: {
    projects: [
      {
        extends: true,
        test: {
          name: 'packages',
          include: ['packages/*/{src,browser}/**/*.test.ts', 'test/**/*.test.ts'],
          exclude: [...ALONE, ...APART],
          // Starting a process and loading its modules for each file takes as long as the tests.
          isolate: false,
        },
      },
      { extends: true, test: { name: 'alone', include: ALONE } },
      {
        extends: true,
        test: {
          name: 'command',
          include: ['apps/*/{src,bundle}/**/*.test.ts'],
          exclude: APART,
          isolate: false,
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
    globalSetup: 'test/temporary-folder.setup.ts',
    setupFiles: ['test/property-seed.setup.ts', 'test/test-file-folder.setup.ts'].map((path) =>
      fileURLToPath(new URL(path, import.meta.url)),
    ),
    // Processes, terminals and databases are real, and machines are slow or busy.
    testTimeout: 60_000,
    hookTimeout: 60_000,
    expect: { poll: { timeout: 20_000 } },
    // Many tests wait for a program they started: as many workers as cores would leave these idle.
    maxWorkers: 3,
    // Programs that tests start are read from TypeScript once, not at every start.
    env: {
      NODE_COMPILE_CACHE: fileURLToPath(new URL('node_modules/.cache/programs', import.meta.url)),
    },
    coverage: { provider: 'v8', include: ['packages/*/src/**/*.ts'] },
  },
})
