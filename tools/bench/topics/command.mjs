import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { execaSync } from 'execa'
import { compareTimes } from '../measure.mjs'

export const title = 'The command'
export const intro =
  'The start of the command, as npm installs it from packed packages (elapsed time); `pnpm bench:check` starts the built file in the workspace. The tool of `toolblocks call` is `echo hello`.'

const root = resolve(import.meta.dirname, '../../..')

export async function measure(pace) {
  const work = mkdtempSync(join(tmpdir(), 'toolblocks-start-'))
  try {
    execaSync('pnpm', ['exec', 'turbo', 'run', 'build'], { cwd: root })
    const file =
      pace.form === 'quick'
        ? join(root, 'apps/reference-host/dist/main.js')
        : install(work, packAll(work))
    writeFileSync(
      join(work, 'toolblocks.toml'),
      `[tools.hello]\nsource = "local"\ncommand = ["echo", "hello"]\nrun = "unattended"\nparameters = {}\n`,
    )
    const env = { XDG_CONFIG_HOME: join(work, 'config'), XDG_CACHE_HOME: join(work, 'cache') }
    const node = (...args) => execaSync(process.execPath, args, { cwd: work, env })
    const rows = { ...pace, rounds: pace.form === 'quick' ? 15 : 41, roundMs: 1, warmupMs: 100 }
    const clock = 'elapsed'
    return [
      await compareTimes(rows, {
        name: '`toolblocks --version`',
        clock,
        ours: () => node(file, '--version'),
        against: '`node -e 0`',
        yardstick: () => node('-e', '0'),
        target: { ratio: 1.5 },
      }),
      await compareTimes(rows, {
        name: '`toolblocks call hello`',
        clock,
        ours: () => node(file, 'call', 'hello', '--no-input'),
        against: '`node -e 0` and `echo hello`',
        yardstick: () => {
          node('-e', '0')
          execaSync('echo', ['hello'], { cwd: work })
        },
        target: { more: 90 },
      }),
    ]
  } finally {
    rmSync(work, { recursive: true, force: true })
  }
}

/** Packs the packages that npm would fetch, and returns their files by name. */
function packAll(work) {
  const folders = ['packages', 'apps'].flatMap((group) =>
    readdirSync(join(root, group)).map((name) => join(root, group, name)),
  )
  return Object.fromEntries(
    folders.map((folder) => {
      const { name, version } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
      execaSync('pnpm', ['pack', '--pack-destination', work], { cwd: folder })
      const file = `${name.replace('@', '').replace('/', '-')}-${version}.tgz`
      return [name, `file:${join(work, file)}`]
    }),
  )
}

/** Installs the command alone, as people do, and returns its file. */
function install(work, { toolblocks, ...siblings }) {
  const project = join(work, 'project')
  mkdirSync(project)
  const manifest = { private: true, dependencies: { toolblocks }, overrides: siblings }
  writeFileSync(join(project, 'package.json'), JSON.stringify(manifest))
  execaSync('npm', ['install', '--no-audit', '--no-fund'], { cwd: project })
  const folder = join(project, 'node_modules/toolblocks')
  const { bin } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
  return join(folder, typeof bin === 'string' ? bin : bin.toolblocks)
}
