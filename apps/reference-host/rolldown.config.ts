import { defineConfig } from 'rolldown'
import license from 'rollup-plugin-license'

/** Loaded by name while the command runs: native code, its terminal, and a table that few calls need. */
const INSTALLED = ['@lydell/node-pty', '@xterm/headless', 'mime-db']

/** What `--version` needs, apart from everything else. */
const FIRST = /\/src\/(?:exit-codes|node-version|own-package)\.ts$/

/** What has to run before the rest is compiled. */
const KEEP = /\/src\/keep-compiled-code\.ts$/

/** With all that they import: each file that a start opens takes half a millisecond. */
const CALL = /\/src\/(?:run-command|commands\/call-tool)\.ts$/

// The command is one program: as files of its own and of its dependencies it would load four hundred to start.
export default defineConfig({
  // Beside the command, a tool of the demo that it starts.
  input: { main: 'src/main.ts', 'plan-night': 'src/demo/plan-night.ts' },
  platform: 'node',
  external: INSTALLED,
  // The other half of jsonc-parser loads its parts in a way that no bundler can follow.
  resolve: { mainFields: ['module', 'main'] },
  output: {
    dir: 'dist',
    cleanDir: true,
    chunkFileNames: '[name]-[hash].js',
    comments: false,
    codeSplitting: {
      groups: [
        { name: 'first', test: FIRST, priority: 3 },
        { name: 'keep', test: KEEP, priority: 2 },
        { name: 'call', test: CALL, priority: 1 },
      ],
    },
  },
  plugins: [license({ thirdParty: { output: 'dist/THIRD-PARTY-LICENSES.txt' } })],
})
