// Breaks a package line by line and lists what its tests do not notice: `pnpm mutants [package] [file …]`. Never part of the tests.
import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { Stryker } from '@stryker-mutator/core'

const [name = 'protocol', ...files] = process.argv.slice(2)
const folder = [`packages/${name}`, `apps/${name}`].find((path) => existsSync(path))
if (folder === undefined) {
  console.error(`There is no package "${name}" in packages/ or apps/.`)
  process.exit(2)
}

process.env.MUTATED_PACKAGE = folder
const sources =
  files.length > 0 ? files.map((file) => `${folder}/src/${file}`) : [`${folder}/src/**/*.ts`]
const apart = ['test', 'bench', 'suite'].map((kind) => `!${folder}/src/**/*.${kind}.ts`)

const results = await new Stryker({
  plugins: [fileURLToPath(import.meta.resolve('@stryker-mutator/vitest-runner'))],
  testRunner: 'vitest',
  vitest: { configFile: 'vitest.mutants.config.ts', related: false },
  mutate: [...sources, ...apart, `!${folder}/src/index.ts`, `!${folder}/src/written/write-*.ts`],
  // TypeScript 7 has no API that Stryker could rewrite tsconfig.json with.
  tsconfigFile: 'no-such-tsconfig.json',
  coverageAnalysis: 'perTest',
  concurrency: 2,
  timeoutMS: 20_000,
  reporters: ['progress', 'clear-text', 'json'],
  jsonReporter: { fileName: `coverage/mutants-${name}.json` },
  clearTextReporter: { allowColor: false, logTests: false, reportTests: false },
  allowEmpty: true,
  tempDirName: '.stryker-tmp',
}).runMutationTest()

const score = { killed: 0, survived: 0 }
for (const { status } of results) {
  if (status === 'Killed' || status === 'Timeout') score.killed += 1
  if (status === 'Survived' || status === 'NoCoverage') score.survived += 1
}
const percent = ((100 * score.killed) / (score.killed + score.survived)).toFixed(1)
console.log(`${name}: ${score.killed} killed, ${score.survived} survived: ${percent} %`)
