// Breaks a package line by line and lists the breaks that its tests do not notice: `pnpm mutants [package] [file …]`. It is not part of the tests.
// With `--every=N` it breaks a part of the package: 20 lines, then none until 20 × N lines later, through all files in order. With `--processes`
// tests run in processes instead of threads, which tests that start programs need, and isolated from this system (Linux): a broken line may signal
// any process, and remove any folder of temporary files. With `--tests=PATTERN` only those tests run, all of them for each line.
import { spawnSync } from 'node:child_process'
import { existsSync, globSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { Stryker } from '@stryker-mutator/core'

const {
  values: { every, processes, tests },
  positionals: [name = 'protocol', ...files],
} = parseArgs({
  options: {
    every: { type: 'string', default: '1' },
    processes: { type: 'boolean', default: false },
    tests: { type: 'string' },
  },
  allowPositionals: true,
})
const folder = [`packages/${name}`, `apps/${name}`].find((path) => existsSync(path))
if (folder === undefined) {
  console.error(`There is no package "${name}" in packages/ or apps/.`)
  process.exit(2)
}

// The first process of a PID namespace has id 1. It is the process that `unshare` starts.
if (processes && process.pid !== 1) process.exit(runApart())

if (tests !== undefined) process.env.MUTANT_COVERAGE = 'off'
process.env.MUTANT_TESTS = `${folder}/src/${tests ?? '**/*.test.ts'}`
if (processes) process.env.MUTANT_TEST_TIMEOUT_MS = '20000'
const named =
  files.length > 0 ? files.map((file) => `${folder}/src/${file}`) : [`${folder}/src/**/*.ts`]
const apart = /\/compliance(\.ts|\/)|\.(test|bench|support)\.ts$|\/src\/index\.ts$|\/write\.ts$/
const sources = globSync(named)
  .filter((file) => !apart.test(file))
  .toSorted()

/** Starts this script again with separate processes and temporary files. It is the first process of its namespace, so all others end with it. */
function runApart() {
  const asRoot = process.getuid?.() === 0 ? [] : ['--map-root-user']
  const options = [...asRoot, '--mount', '--pid', '--fork', '--mount-proc', '--kill-child']
  const script = 'mount -t tmpfs tmpfs "$1" && shift && exec "$@"'
  const again = ['sh', '-c', script, 'sh', tmpdir(), process.execPath, ...process.argv.slice(1)]
  const { status, error } = spawnSync('unshare', [...options, ...again], { stdio: 'inherit' })
  if (error) console.error(`--processes needs Linux and the program "unshare": ${error.message}`)
  return status ?? 2
}

const BLOCK = 20
let blocks = 0

/** Returns the selected blocks of a file. The selection continues from file to file. */
function getBlocks(file) {
  const lines = readFileSync(file, 'utf8').split('\n').length
  const starts = Array.from({ length: Math.ceil(lines / BLOCK) }, (_, index) => index * BLOCK + 1)
  return starts
    .filter(() => blocks++ % Number(every) === 0)
    .map((start) => `${file}:${start}-${Math.min(start + BLOCK - 1, lines)}`)
}

const results = await new Stryker({
  plugins: [fileURLToPath(import.meta.resolve('@stryker-mutator/vitest-runner'))],
  testRunner: 'vitest',
  vitest: {
    configFile: 'vitest.mutants.config.ts',
    related: false,
    pool: processes ? 'forks' : 'threads',
  },
  mutate: every === '1' ? sources : sources.flatMap(getBlocks),
  // TypeScript 7 has no API with which Stryker could rewrite tsconfig.json.
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
