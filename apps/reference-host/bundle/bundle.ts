import type { InputOptions, OutputOptions } from 'rolldown'
import { copyDemoWorkspace } from './copy-demo-workspace.ts'
import { skipFacades } from './skip-facades.ts'
import { takeBuiltins } from './take-builtins.ts'

/** Loaded by name while the command runs: native code, and the terminal of one. */
const INSTALLED = ['@lydell/node-pty', '@xterm/headless', '@napi-rs/keyring']

/** What `--version` needs, apart from everything else. */
const FIRST = /\/src\/process\/(?:exit-codes|own-package)\.ts$/

/** What has to run before the rest is compiled. */
const KEEP = /\/src\/process\/keep-compiled-code\.ts$/

/** With all that they import: each file that a start opens takes half a millisecond. */
const CALL = /\/src\/cli\/(?:run-command|call\/call-tool)\.ts$/

/** What the command is made of: one program, because as files of its own and of its dependencies it would load four hundred to start. */
export const bundled = {
  // Beside the command, what it starts: for the demo a tool and an MCP server.
  input: {
    main: 'src/main.ts',
    'plan-night': 'src/demo/plan-night.ts',
    'harbor-server': 'src/demo/harbor-server.ts',
    // A worker, which is started by the name of its file.
    'secret-rules': 'src/cli/conversations/secrets/secret-rules.ts',
    // A worker, which reads large files for `view`.
    'reading-worker': 'src/cli/view/reading-worker.ts',
    // What reads a database of somebody else and may die of it.
    'read-database': 'src/cli/import/read-database.ts',
  },
  platform: 'node',
  external: INSTALLED,
  // The other half of jsonc-parser loads its parts in a way that no bundler can follow.
  resolve: { mainFields: ['module', 'main'] },
} satisfies InputOptions

/** The files that it is written into. */
export const written = {
  cleanDir: true,
  plugins: [takeBuiltins(), skipFacades(), copyDemoWorkspace()],
  // Facades that only give names on can be skipped.
  minifyInternalExports: false,
  chunkFileNames: '[name]-[hash].js',
  comments: { legal: true, annotation: false, jsdoc: false },
  codeSplitting: {
    groups: [
      { name: 'first', test: FIRST, priority: 3 },
      { name: 'keep', test: KEEP, priority: 2 },
      { name: 'call', test: CALL, priority: 1 },
    ],
  },
} satisfies OutputOptions
