// Runs tests until the first one fails: those beside a file first, then those of its folder, then all named ones.
import { spawn } from 'node:child_process'
import { existsSync, globSync } from 'node:fs'
import { dirname } from 'node:path'
import { fileURLToPath } from 'node:url'

const VITEST = fileURLToPath(new URL('../../node_modules/vitest/vitest.mjs', import.meta.url))

/** A broken line may make a test hang in a way that its process cannot end. That counts as noticed too. */
const MAX_RUN_MS = 600_000
const ON_WINDOWS = process.platform === 'win32'

/** Returns the lists of patterns to run one after the other, from few tests to many. A pattern is a part of a test file's path. */
export function testsFor(file, wider) {
  const folder = dirname(file)
  const beside = globSync(`${file.slice(0, -'.ts'.length)}*.test.ts`)
  const near = globSync(`${folder}/*.test.ts`).length > 0 && !wider.includes(`${folder}/`)
  const inBrowser = wider.flatMap((each) =>
    globSync(`${each}browser/*.test.ts`).length > 0 ? [[`${each}browser/`]] : [],
  )
  return [
    ...(beside.length > 0 ? [beside] : []),
    ...(near ? [[`${folder}/`]] : []),
    wider,
    ...inBrowser,
  ]
}

const OF_EXAMPLES = 'journeys/example-apps'

/** The folder of a package or an app that contains a file; for an example, its journeys. */
export function getPackage(file) {
  const parts = file.split('/')
  if (parts.at(-3) === 'examples') return OF_EXAMPLES
  const index = parts.findIndex((part) => part === 'packages' || part === 'apps')
  const folder = parts.slice(0, index + 2).join('/')
  if (index < 0 || !existsSync(folder))
    throw new Error(
      `${file} is not in a package or an app; expected a file below packages/ or apps/`,
    )
  return folder
}

/** Returns the first failure, or undefined. `begun` receives a function that ends the tests with this process. */
export async function firstFailure(patterns, begun) {
  // A test that only takes longer on a busy machine has noticed nothing.
  const args = [VITEST, 'run', '--testTimeout=180000', '--bail', '1', '--retry', '0', ...patterns]
  const child = spawn(process.execPath, args, {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, NO_COLOR: '1' },
    // Its workers end with it, including workers that hang.
    detached: !ON_WINDOWS,
  })
  const end = (signal) => {
    const { pid } = child
    if (pid === undefined) return
    try {
      process.kill(ON_WINDOWS ? pid : -pid, signal)
    } catch {
      // It has already ended.
    }
  }
  begun(() => end('SIGKILL'))
  const late = setTimeout(end, MAX_RUN_MS, 'SIGKILL')
  let output = ''
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text) => (output += text))
  const [code, signal] = await new Promise((done, failed) => {
    child.on('close', (...how) => done(how)).on('error', failed)
  })
  clearTimeout(late)
  if (code === 0) return undefined
  if (/No test files found/.test(output)) return undefined
  return / FAIL {2}(.*)/.exec(output)?.[1] ?? `the tests ended with ${signal ?? code}`
}
