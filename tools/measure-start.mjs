// Measures the start of the packed command: packs every package once, installs the command alone, and times `toolblocks --version`, `toolblocks
// call` of a shell tool, and `node -e 0`: pnpm exec node tools/measure-start.mjs [rounds]
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { execaSync } from 'execa'

const ROUNDS = Number(process.argv[2] ?? 30)
const root = resolve(import.meta.dirname, '..')
const work = mkdtempSync(join(tmpdir(), 'toolblocks-start-'))

/** Runs a command, which must succeed. Returns its duration in milliseconds. */
function run(command, args, cwd) {
  const start = performance.now()
  execaSync(command, args, { cwd })
  return performance.now() - start
}

function packAll() {
  const folders = ['packages', 'apps'].flatMap((group) =>
    readdirSync(join(root, group)).map((name) => join(root, group, name)),
  )
  return Object.fromEntries(
    folders.map((folder) => {
      const { name, version } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
      run('pnpm', ['pack', '--pack-destination', work], folder)
      const file = `${name.replace('@', '').replace('/', '-')}-${version}.tgz`
      return [name, `file:${join(work, file)}`]
    }),
  )
}

function install({ toolblocks, ...siblings }) {
  const project = join(work, 'project')
  mkdirSync(project)
  const manifest = { private: true, dependencies: { toolblocks }, overrides: siblings }
  writeFileSync(join(project, 'package.json'), JSON.stringify(manifest))
  run('npm', ['install', '--no-audit', '--no-fund'], project)
  const tool = `[tools.hello]\nsource = "local"\ncommand = ["echo", "hello"]\nrun = "unattended"\nparameters = {}\n`
  writeFileSync(join(project, 'toolblocks.toml'), tool)
  return project
}

const median = (times) => times.toSorted((a, b) => a - b)[Math.floor(times.length / 2)]

try {
  run('pnpm', ['run', 'build'], root)
  const project = install(packAll())
  const { bin } = JSON.parse(
    readFileSync(join(project, 'node_modules/toolblocks/package.json'), 'utf8'),
  )
  const file = join('node_modules/toolblocks', typeof bin === 'string' ? bin : bin.toolblocks)
  const commands = {
    'node -e 0': ['-e', '0'],
    'toolblocks --version': [file, '--version'],
    'toolblocks call hello': [file, 'call', 'hello', '--no-input'],
  }
  const times = Object.fromEntries(Object.keys(commands).map((name) => [name, []]))
  // In alternation, so that a busy machine slows all of them.
  for (let round = 0; round < ROUNDS; round++)
    for (const [name, args] of Object.entries(commands))
      times[name].push(run(process.execPath, args, project))
  const least = median(times['node -e 0'])
  for (const [name, list] of Object.entries(times)) {
    const p50 = median(list)
    const beside = `${(p50 / least).toFixed(2)} times, ${(p50 - least).toFixed(0)} ms more than node -e 0`
    console.log(`${name.padEnd(22)} p50 ${p50.toFixed(0)} ms  ${beside}`)
  }
} finally {
  rmSync(work, { recursive: true, force: true })
}
