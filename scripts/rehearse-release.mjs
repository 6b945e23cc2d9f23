// Rehearses a release, and leaves nothing behind: pnpm rehearse-release. A clone of HEAD is published to a registry on loopback. From there each package
// is installed alone by each package manager and runs the example of its README under each runtime, the command runs its demo, a workspace of an
// earlier commit is used by the new version, the packages for browsers are loaded in a page, and Next.js builds an application with them.
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { buildWithNext } from './rehearse-release/build-with-next.mjs'
import { installEach } from './rehearse-release/install-each.mjs'
import { loadInPage } from './rehearse-release/load-in-page.mjs'
import { publish } from './rehearse-release/publish.mjs'
import { startRegistry } from './rehearse-release/registry.mjs'
import { installRuntimes } from './rehearse-release/runtimes.mjs'
import { upgrade } from './rehearse-release/upgrade.mjs'

const root = resolve(import.meta.dirname, '..')
const work = mkdtempSync(join(tmpdir(), 'toolblocks-release-'))
const folder = (name) => {
  mkdirSync(join(work, name))
  return join(work, name)
}

let registry
try {
  registry = await startRegistry(join(work, 'registry'))
  const published = publish(root, join(work, 'clone'), registry)
  const { runtimes, pnpm, yarn } = installRuntimes(join(work, 'runtimes'))
  const [node] = Object.values(runtimes)
  const managers = {
    npm: ['npm', 'install', '--cache', join(work, 'npm-cache')],
    pnpm: [node, pnpm, 'install', '--store-dir', join(work, 'pnpm-store')],
    yarn: [node, yarn, 'install'],
    ...(runtimes.bun && {
      'bun install': [runtimes.bun, 'install', '--cache-dir', join(work, 'bun-cache')],
    }),
  }
  const [{ version }] = published
  const problems = [
    ...(await installEach(folder('projects'), published, { registry, runtimes, managers })),
    ...(await upgrade(folder('upgrade'), root, registry, version)),
    ...(await loadInPage(folder('page'), root, registry, version)),
    ...(await buildWithNext(folder('next'), registry, version)),
  ]
  if (problems.length > 0) {
    console.error(`\n${problems.length} problem(s):\n${problems.join('\n')}`)
    process.exitCode = 1
  } else
    console.log(
      `\nVersion ${version} was published, installed, upgraded to, loaded in a page and built with Next.js.`,
    )
} finally {
  registry?.stop()
  rmSync(work, { recursive: true, force: true })
}
