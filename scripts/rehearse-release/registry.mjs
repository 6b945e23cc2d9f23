import { mkdirSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { execa, execaSync } from 'execa'

/**
 * Starts verdaccio on loopback, in a folder of its own. Our packages are only there; all others come from the registry that npm uses. Whoever
 * publishes names `token`.
 */
export async function startRegistry(cwd) {
  mkdirSync(cwd)
  const port = await findFreePort()
  const { stdout: upstream } = execaSync('npm', ['config', 'get', 'registry'])
  writeFileSync(
    join(cwd, 'package.json'),
    // verdaccio asks for node-fetch by a tag that not every registry has.
    JSON.stringify({ private: true, overrides: { 'node-fetch': '2.7.0' } }),
  )
  execaSync('npm', ['install', '--no-audit', '--no-fund', 'verdaccio@6.10.4'], { cwd })
  const ours = '{ access: $all, publish: $all }'
  const config = [
    'storage: ./storage',
    `uplinks: { upstream: { url: "${upstream}", max_fails: 100, timeout: 60s } }`,
    'packages:',
    `  '@toolblocks/*': ${ours}`,
    `  'toolblocks': ${ours}`,
    "  '**': { access: $all, proxy: upstream }",
    'max_body_size: 100mb',
    'log: { type: stdout, format: pretty, level: error }',
  ]
  writeFileSync(join(cwd, 'config.yaml'), config.join('\n'))
  const args = ['--config', 'config.yaml', '--listen', `127.0.0.1:${port}`]
  // The rehearsal ends it, which is not a failure.
  const options = { cwd, stdio: 'inherit', reject: false }
  const registry = execa(join(cwd, 'node_modules/.bin/verdaccio'), args, options)
  const url = `http://127.0.0.1:${port}/`
  await waitFor(`${url}-/ping`)
  return {
    url,
    token: `//127.0.0.1:${port}/:_authToken=rehearsal`,
    stop: () => registry.kill(),
  }
}

export function findFreePort() {
  return new Promise((done) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const { port } = server.address()
      server.close(() => done(port))
    })
  })
}

export async function waitFor(url) {
  for (let attempt = 0; attempt < 100; attempt++) {
    const isReady = await fetch(url).then(
      (response) => response.ok,
      () => false,
    )
    if (isReady) return
    await new Promise((next) => setTimeout(next, 200))
  }
  throw new Error(`No answer from ${url} within 20 s.`)
}
