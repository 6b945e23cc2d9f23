import { defineConfig } from 'rolldown'
import license from 'rollup-plugin-license'

/** Loaded by name while the command runs: native code, its terminal, and a table that few calls need. */
const INSTALLED = ['@lydell/node-pty', '@xterm/headless', 'mime-db']

// The command is one program: as files of its own and of its dependencies it would load four hundred to start.
export default defineConfig({
  // Beside the command, a tool of the demo that it starts.
  input: { main: 'src/main.ts', 'plan-night': 'src/demo/plan-night.ts' },
  platform: 'node',
  external: INSTALLED,
  // The other half of jsonc-parser loads its parts in a way that no bundler can follow.
  resolve: { mainFields: ['module', 'main'] },
  output: { dir: 'dist', cleanDir: true, chunkFileNames: '[name]-[hash].js', comments: false },
  plugins: [license({ thirdParty: { output: 'dist/THIRD-PARTY-LICENSES.txt' } })],
})
