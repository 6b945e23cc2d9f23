// Rehearses a release: a clone of main is versioned, if it has changesets, and published to a registry on loopback. Then `npx toolblocks demo` runs from
// there in an empty folder. Removes everything afterwards.
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { execa, execaSync } from 'execa'

const root = resolve(import.meta.dirname, '..')
const work = mkdtempSync(join(tmpdir(), 'toolblocks-release-'))
const folder = (name) => {
  mkdirSync(join(work, name))
  return join(work, name)
}

function run(cwd, command, ...args) {
  console.log(`$ ${command} ${args.join(' ')}`)
  execaSync(command, args, { cwd, stdio: 'inherit' })
}

function freePort() {
  return new Promise((done) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const { port } = server.address()
      server.close(() => done(port))
    })
  })
}

async function waitFor(url) {
  for (let attempt = 0; attempt < 100; attempt++) {
    const ready = await fetch(url).then(
      (response) => response.ok,
      () => false,
    )
    if (ready) return
    await new Promise((next) => setTimeout(next, 200))
  }
  throw new Error(`No answer from ${url} within 20 s.`)
}

/** Starts verdaccio. It has only our packages; all others come from the registry in npm's settings. */
async function startRegistry(port) {
  const cwd = folder('registry')
  const { stdout: upstream } = execaSync('npm', ['config', 'get', 'registry'])
  writeFileSync(
    join(cwd, 'package.json'),
    // verdaccio requests node-fetch by a dist-tag that some registries lack.
    JSON.stringify({ private: true, overrides: { 'node-fetch': '2.7.0' } }),
  )
  run(cwd, 'npm', 'install', '--no-audit', '--no-fund', 'verdaccio@6.10.4')
  const ours = '{ access: $all, publish: $all }'
  writeFileSync(
    join(cwd, 'config.yaml'),
    [
      'storage: ./storage',
      `uplinks: { upstream: { url: "${upstream}" } }`,
      'packages:',
      `  '@toolblocks/*': ${ours}`,
      `  'toolblocks': ${ours}`,
      "  '**': { access: $all, proxy: upstream }",
      'log: { type: stdout, format: pretty, level: error }',
    ].join('\n'),
  )
  const args = ['--config', 'config.yaml', '--listen', `127.0.0.1:${port}`]
  const registry = execa(join(cwd, 'node_modules/.bin/verdaccio'), args, {
    cwd,
    stdio: 'inherit',
    // This script ends the process, so its exit is not a failure.
    reject: false,
  })
  await waitFor(`http://127.0.0.1:${port}/-/ping`)
  return () => registry.kill()
}

let stopRegistry
try {
  const port = await freePort()
  const url = `http://127.0.0.1:${port}/`
  stopRegistry = await startRegistry(port)
  run(work, 'git', 'clone', '--quiet', '--branch', 'main', root, 'clone')
  const clone = join(work, 'clone')
  run(clone, 'git', 'config', 'user.name', 'release rehearsal')
  run(clone, 'git', 'config', 'user.email', 'rehearsal@example.invalid')
  run(clone, 'pnpm', 'install', '--frozen-lockfile')
  // `changeset version` fails if there are no changesets. Then the version of the manifests is released.
  if (readdirSync(join(clone, '.changeset')).some((name) => name.endsWith('.md'))) {
    run(clone, 'pnpm', 'run', 'version-packages')
    run(clone, 'git', 'commit', '--quiet', '-am', 'Version packages')
  }
  const access = `registry=${url}\n//127.0.0.1:${port}/:_authToken=rehearsal\n`
  writeFileSync(join(clone, '.npmrc'), access)
  run(clone, 'pnpm', 'run', 'release')

  const consumer = folder('consumer')
  writeFileSync(join(consumer, '.npmrc'), `registry=${url}\ncache=${join(work, 'cache')}\n`)
  run(consumer, 'npx', '-y', 'toolblocks', 'demo')
  console.log('\nThe rehearsal published everything, and the demo ran from the registry.')
} finally {
  stopRegistry?.()
  rmSync(work, { recursive: true, force: true })
}
