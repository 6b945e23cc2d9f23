import { defineConfig } from 'rolldown'
import license from 'rollup-plugin-license'

// A tool starts with every call: as files of its own, of its siblings and of typebox it would load a thousand.
export default defineConfig({
  input: { index: 'src/index.ts', typebox: 'src/typebox.ts' },
  platform: 'node',
  external: ['@toolblocks/media-type'],
  output: { dir: 'dist', cleanDir: true, chunkFileNames: '[name]-[hash].js', comments: false },
  plugins: [license({ thirdParty: { output: 'dist/THIRD-PARTY-LICENSES.txt' } })],
})
