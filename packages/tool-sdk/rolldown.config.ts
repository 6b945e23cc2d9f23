import { defineConfig } from 'rolldown'
import license from 'rollup-plugin-license'

// A tool starts with every call: as files of their own, protocol and typebox would load eight hundred.
export default defineConfig({
  input: { index: 'src/index.ts', typebox: 'src/typebox.ts' },
  platform: 'node',
  external: ['@toolblocks/media-type', '@toolblocks/schema-check'],
  output: { dir: 'dist', cleanDir: true, chunkFileNames: '[name]-[hash].js', comments: false },
  plugins: [license({ thirdParty: { output: 'dist/THIRD-PARTY-LICENSES.txt' } })],
})
