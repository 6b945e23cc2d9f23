import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { execa } from 'execa'

/** What does not work, and why. The rehearsal fails if this list is not exactly right. docs/platforms.md shows it. */
const KNOWN_FAILURES = JSON.parse(
  readFileSync(new URL('known-failures.json', import.meta.url), 'utf8'),
)

/**
 * Installs each package alone by each package manager, and runs the example of its README by each runtime. Returns a table: a row for each package, a
 * column for each manager and runtime.
 */
export async function installEach(work, published, { registry, runtimes, managers }) {
  const rows = []
  for (const entry of published) {
    const cells = {}
    for (const [manager, install] of Object.entries(managers)) {
      const folder = join(work, `${manager}-${entry.name.replace('/', '-')}`)
      makeProject(folder, entry, registry)
      const installed = await run(folder, install)
      cells[manager] = installed
      if (installed !== 'ok') continue
      // One manager is enough to compare the runtimes, and one runtime to compare the managers.
      const used =
        manager === 'npm' ? runtimes : { [Object.keys(runtimes)[0]]: Object.values(runtimes)[0] }
      for (const [runtime, program] of Object.entries(used)) {
        const done = await run(folder, getStart(entry, runtime, program))
        if (manager === 'npm') cells[runtime] = done
        else if (done !== 'ok') cells[manager] = done
      }
    }
    rows.push({ name: entry.name, cells })
    console.log(
      `${entry.name}: ${Object.entries(cells)
        .map(([name, cell]) => `${name} ${cell === 'ok' ? '✓' : '✗'}`)
        .join('  ')}`,
    )
  }
  return compareWithKnown(rows)
}

function makeProject(folder, { folder: source, name, version, isLibrary }, registry) {
  mkdirSync(folder)
  if (isLibrary) copyFileSync(join(source, 'examples/usage.ts'), join(folder, 'usage.ts'))
  const used = isLibrary ? listImports(readFileSync(join(folder, 'usage.ts'), 'utf8')) : []
  const dependencies = Object.fromEntries(
    [name, ...used].map((each) => [
      each,
      each === name || each.startsWith('@toolblocks/') ? version : readVersion(source, each),
    ]),
  )
  // Yarn does not install the peers of peers.
  if (dependencies.ai) dependencies.zod = '4'
  const content = { name: 'consumer', private: true, type: 'module', dependencies }
  writeFileSync(join(folder, 'package.json'), JSON.stringify(content))
  writeFileSync(join(folder, '.npmrc'), `registry=${registry.url}\naudit=false\nfund=false\n`)
  writeFileSync(join(folder, 'pnpm-workspace.yaml'), 'minimumReleaseAge: 0\npackages: []\n')
  const yarn = [
    `npmRegistryServer: '${registry.url}'`,
    "unsafeHttpWhitelist: ['127.0.0.1']",
    'nodeLinker: node-modules',
    // The usual folder may know archives of an earlier rehearsal.
    `globalFolder: '${join(folder, '../yarn')}'`,
    'enableTelemetry: false',
    'npmMinimalAgeGate: 0',
  ]
  writeFileSync(join(folder, '.yarnrc.yml'), yarn.join('\n'))
  writeFileSync(join(folder, 'bunfig.toml'), `[install]\nregistry = "${registry.url}"\n`)
}

/** Returns the packages that a program imports. */
function listImports(code) {
  const packages = code.matchAll(/ from '((?:@[\w.-]+\/)?[\w.-]+)(?:\/[^']*)?'/g)
  return [...packages].map(([, each]) => each).filter((each) => !each.startsWith('.'))
}

/** Returns the version of a package that the tests of another one use. */
function readVersion(source, name) {
  const file = join(source, 'node_modules', name, 'package.json')
  return JSON.parse(readFileSync(file, 'utf8')).version
}

function getStart({ isLibrary }, runtime, program) {
  const flags = runtime === 'deno' ? ['run', '--allow-all', '--node-modules-dir=manual'] : []
  if (isLibrary) return [program, ...flags, 'usage.ts']
  return [program, ...flags, 'node_modules/toolblocks/dist/main.js', 'demo']
}

/** Runs a command. Returns `ok`, or the last lines that it printed. */
async function run(cwd, [program, ...args]) {
  const env = {
    NO_COLOR: '1',
    CI: '1',
    DENO_NO_UPDATE_CHECK: '1',
    YARN_ENABLE_IMMUTABLE_INSTALLS: 'false',
  }
  const options = { cwd, env, all: true, reject: false, timeout: 120_000, stdin: 'ignore' }
  const { failed, all = '' } = await execa(program, args, options)
  return failed ? `${program} ${args.join(' ')}\n${all.split('\n').slice(-30).join('\n')}` : 'ok'
}

function compareWithKnown(rows) {
  const problems = []
  for (const { name, cells } of rows) {
    for (const [column, cell] of Object.entries(cells)) {
      const known = KNOWN_FAILURES.some((each) => each.package === name && each.with === column)
      if (cell !== 'ok' && !known) problems.push(`${name} with ${column}: ${cell}`)
      if (cell === 'ok' && known)
        problems.push(`${name} with ${column} works; remove it from known-failures.json`)
    }
  }
  return problems
}
