import { defineConfig } from 'rolldown'
import license from 'rollup-plugin-license'
import { bundled, written } from './bundle/bundle.ts'

export default defineConfig({
  ...bundled,
  output: { ...written, dir: 'dist' },
  plugins: [license({ thirdParty: { output: 'dist/THIRD-PARTY-LICENSES.txt' } })],
})
