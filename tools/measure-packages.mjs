// Writes the installed size and the import time of each package into docs/dependencies.md: packs every package, installs each alone, and imports it
// in separate processes: pnpm clean, pnpm build, pnpm exec node tools/measure-packages.mjs [rounds]
import {
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { execa } from 'execa'

const ROUNDS = Number(process.argv[2] ?? 15)
const root = resolve(import.meta.dirname, '..')
const page = join(root, 'docs/dependencies.md')
const work = mkdtempSync(join(tmpdir(), 'toolblocks-sizes-'))

async function packAll() {
  const folders = ['packages', 'apps'].flatMap((group) =>
    readdirSync(join(root, group)).map((name) => join(root, group, name)),
  )
  const packed = {}
  for (const folder of folders) {
    const manifest = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
    // A private package is not published, so nobody installs it.
    if (manifest.private) continue
    const { name, version } = manifest
    await execa('pnpm', ['pack', '--pack-destination', work], { cwd: folder })
    packed[name] = `file:${join(work, `${name.replace('@', '').replace('/', '-')}-${version}.tgz`)}`
  }
  return packed
}

async function measure(name, packed) {
  const project = join(work, name.replace('/', '-'))
  mkdirSync(project)
  const { [name]: own, ...siblings } = packed
  const manifest = { private: true, dependencies: { [name]: own }, overrides: siblings }
  writeFileSync(join(project, 'package.json'), JSON.stringify(manifest))
  await execa('npm', ['install', '--no-audit', '--no-fund', '--omit=peer'], { cwd: project })
  const { packages, bytes } = countInstalled(join(project, 'node_modules'))
  const peers = listPeers(join(project, 'node_modules', name))
  if (peers.length > 0)
    await execa('npm', ['install', '--no-audit', '--no-fund', ...peers], { cwd: project })
  return {
    name,
    packages,
    bytes,
    ms: name === 'toolblocks' ? undefined : await timeImport(name, project),
  }
}

/** Returns the peers without which a package cannot be imported. */
function listPeers(folder) {
  const { peerDependencies = {}, peerDependenciesMeta = {} } = JSON.parse(
    readFileSync(join(folder, 'package.json'), 'utf8'),
  )
  return Object.entries(peerDependencies)
    .filter(([peer]) => peerDependenciesMeta[peer]?.optional !== true)
    .map(([peer, range]) => `${peer}@${range}`)
}

/** Counts every folder with a manifest, and all bytes. */
function countInstalled(folder) {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) =>
    entry.isFile(),
  )
  const isRoot = /node_modules\/(?:@[^/]+\/)?[^/@.][^/]*$/
  return {
    packages: files.filter(
      ({ name, parentPath }) => name === 'package.json' && isRoot.test(parentPath),
    ).length,
    bytes: files.reduce(
      (sum, { parentPath, name }) => sum + statSync(join(parentPath, name)).size,
      0,
    ),
  }
}

async function timeImport(name, project) {
  const program = `const start = performance.now(); await import('${name}'); console.log(performance.now() - start)`
  const times = []
  for (let round = 0; round < ROUNDS; round++) {
    const { stdout } = await execa(process.execPath, ['--input-type=module', '-e', program], {
      cwd: project,
    })
    times.push(Number(stdout))
  }
  return times.toSorted((a, b) => a - b)[0]
}

const toRow = ({ name, packages, bytes, ms }) =>
  `| \`${name}\` | ${packages} | ${(bytes / 1e6).toFixed(1)} | ${ms === undefined ? '' : Math.round(ms)} |`

try {
  await execa('pnpm', ['run', 'build'], { cwd: root })
  const packed = await packAll()
  const rows = []
  for (const name of Object.keys(packed).toSorted()) {
    rows.push(toRow(await measure(name, packed)))
    console.log(rows.at(-1))
  }
  const head = ['| package | packages | MB | import, ms |', '| --- | ---: | ---: | ---: |']
  const text = readFileSync(page, 'utf8')
  const section = /(## What is installed\n\n[^|]*)\|[\s\S]*?\n(?=\n|$)/
  if (!section.test(text))
    throw new Error('docs/dependencies.md has no section "What is installed"')
  writeFileSync(
    page,
    text.replace(section, (_, start) => `${start}${[...head, ...rows].join('\n')}\n`),
  )
  await execa('pnpm', ['exec', 'oxfmt', page], { cwd: root })
} finally {
  rmSync(work, { recursive: true, force: true })
}
