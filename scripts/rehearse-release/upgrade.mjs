import { mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { spawn } from '@lydell/node-pty'
import { execaSync } from 'execa'

/** A commit whose stores, configuration, agreements and approvals this version must read. After a release: the release before. */
const EARLIER = '341b5b4376f5d92ca9ecb43f6481d5698eb071a2'

const CONFIGURATION = `[model]
provider = "scripted"

[store]
url = "sqlite:conversations.db"

[tools.count]
source = "local"
command = ["wc", "-c", "{{tool.arguments.path}}"]
summary = "Count the bytes of a file."

[tools.count.parameters.path]
type = "string"
required = true
`

/**
 * Makes a workspace with the command of an earlier commit: a configuration that a person agreed to, an approval and conversations. Then the published
 * version must show the same, and must not ask again. Returns the differences.
 */
export async function upgrade(work, root, registry, version) {
  const earlier = join(work, 'earlier')
  execaSync('git', ['clone', '--quiet', root, earlier])
  execaSync('git', ['checkout', '--quiet', EARLIER], { cwd: earlier })
  pnpm(earlier, 'install', '--frozen-lockfile')
  pnpm(earlier, 'exec', 'turbo', 'run', 'build', '--filter=toolblocks')
  pnpm(join(earlier, 'apps/reference-host'), 'pack', '--pack-destination', earlier)
  const tarball = readdirSync(earlier).find((name) => name.endsWith('.tgz'))

  const install = (name, specifier) => {
    const folder = join(work, name)
    mkdirSync(folder)
    writeFileSync(join(folder, 'package.json'), '{"private":true}')
    const options = ['--no-audit', '--no-fund', '--registry', registry.url]
    execaSync('npm', ['install', ...options, specifier], { cwd: folder })
    return join(folder, 'node_modules/toolblocks/dist/main.js')
  }
  const old = install('upgrade-from', join(earlier, tarball))
  const current = install('upgrade-to', `toolblocks@${version}`)

  const [home, workspace] = [join(work, 'home'), join(work, 'workspace')]
  mkdirSync(home)
  mkdirSync(workspace)
  writeFileSync(join(workspace, 'toolblocks.toml'), CONFIGURATION)
  const env = {
    HOME: home,
    XDG_DATA_HOME: '',
    XDG_CONFIG_HOME: '',
    XDG_CACHE_HOME: '',
    NO_COLOR: '1',
  }
  const call = (main, ...args) => {
    const options = { cwd: workspace, env, reject: false, all: true, input: '' }
    const { all, exitCode } = execaSync(process.execPath, [main, ...args], options)
    return `${args.join(' ')} → exit code ${exitCode}\n${all}`
  }
  await agree({ main: old, cwd: workspace, env: { ...process.env, ...env } })
  for (const args of [
    ['approvals', 'allow', 'count(path=toolblocks.toml)'],
    ['run', 'Hello.'],
    ['run', 'And again.', '--resume'],
  ])
    console.log(call(old, ...args))

  const COMMANDS = [
    ['approvals', '--output', 'json'],
    ['trust', '--output', 'json'],
    ['tools', '--output', 'json'],
    ['config', 'show'],
    ['conversations', 'list', '--output', 'json'],
    ['conversations', 'show', 'latest'],
    ['conversations', 'verify', '--output', 'json'],
    ['conversations', 'search', 'again', '--output', 'json'],
  ]
  const look = (main) => COMMANDS.map((args) => call(main, ...args))
  const before = look(old)
  const after = look(current)
  const problems = before.flatMap((text, index) =>
    text === withoutNewDefaults(after[index], text)
      ? []
      : [`upgrade: before\n${text}\nafter\n${after[index]}`],
  )
  if (before.some((text) => !text.includes('exit code 0')))
    problems.push(`upgrade: the earlier command failed:\n${before.join('\n')}`)
  const goesOn = call(current, 'run', 'Once more.', '--resume')
  if (!goesOn.includes('exit code 0')) problems.push(`upgrade: ${goesOn}`)
  return problems
}

/** Removes the settings that the earlier version did not have, and that the configuration does not set. */
function withoutNewDefaults(text, before) {
  const known = new Set(before.split('\n'))
  const lines = text.split('\n')
  return lines.filter((line) => known.has(line) || !line.endsWith(' # default')).join('\n')
}

function pnpm(cwd, ...args) {
  execaSync('pnpm', args, { cwd, stdio: 'inherit' })
}

/** Agrees to the configuration at a pseudo-terminal, as a person does. */
async function agree({ main, cwd, env }) {
  const { promise, resolve, reject } = Promise.withResolvers()
  const terminal = spawn(process.execPath, [main, 'trust'], { cwd, env, cols: 80, rows: 24 })
  let written = ''
  const timer = setTimeout(() => {
    terminal.kill()
    reject(new Error(`"toolblocks trust" did not end within 30 s:\n${written}`))
  }, 30_000)
  terminal.onData((data) => {
    const isAsked = /Do you agree/.test(written)
    written += data
    // A prompt ignores Enter for 300 ms, in which nobody reads it.
    if (!isAsked && /Do you agree/.test(written)) setTimeout(() => terminal.write('y\r'), 350)
  })
  terminal.onExit(({ exitCode }) => {
    clearTimeout(timer)
    if (exitCode === 0) resolve()
    else reject(new Error(`"toolblocks trust" ended with exit code ${exitCode}:\n${written}`))
  })
  return await promise
}
