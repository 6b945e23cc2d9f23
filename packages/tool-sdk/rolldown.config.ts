import { defineConfig } from 'rolldown'
import license from 'rollup-plugin-license'

/** Files that only some starts need: each is loaded where it is needed, with what only it needs of the protocol. */
const LATER = [
  /tool-sdk\/src\/(?:index|mcp|typebox|results\/read-content|run\/start-live-run)\.ts$/,
  /protocol\/src\/(?:calls\/(?!tool)|resources\/|questions\/(?:ask-questions|inquiry-event)|limits\/(?:queue|within))/,
]

/** Files that every start needs, which are one file in the package: each further one costs a start half a millisecond. */
const FIRST =
  /tool-sdk\/src\/|protocol\/src\/|\/leven\/|schema-check\/src\/(?:quick-check|cost\/measure-json|keywords\/canonical-json)\.ts$/

const start = {
  name: 'start',
  test: (id: string): boolean => FIRST.test(id) && !LATER.some((later) => later.test(id)),
}

// A tool starts with every call: as files of its own, of its siblings and of typebox it would load a thousand. So everything is built in but the
// optional peer, and whoever installs the package gets no library that is not loaded.
export default defineConfig({
  input: { index: 'src/index.ts', mcp: 'src/mcp.ts', typebox: 'src/typebox.ts' },
  platform: 'node',
  external: [/^@toolblocks\/mcp-bridge/],
  output: {
    dir: 'dist',
    cleanDir: true,
    chunkFileNames: '[name]-[hash].js',
    comments: { legal: true, annotation: false, jsdoc: false },
    codeSplitting: { includeDependenciesRecursively: false, groups: [start] },
  },
  plugins: [license({ thirdParty: { output: 'dist/THIRD-PARTY-LICENSES.txt' } })],
})
