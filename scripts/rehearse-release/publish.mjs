import { readFileSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { execaSync } from 'execa'

const ADDRESS = 'https://example.invalid/toolblocks/toolblocks'

/**
 * Publishes a clone of HEAD to a registry by the release command. With the placeholder of the repository's address, the command must refuse; then the
 * clone gets an address. Statements of origin need a workflow, so the rehearsal has none.
 */
export function publish(root, clone, registry) {
  const run = (...args) => execaSync('pnpm', args, { cwd: clone, stdio: 'inherit' })
  execaSync('git', ['clone', '--quiet', root, clone])
  run('install', '--frozen-lockfile')
  const manifest = JSON.parse(readFileSync(join(clone, 'package.json'), 'utf8'))
  if (manifest.repository.url.includes('/OWNER/')) {
    const refused = execaSync('pnpm', ['run', 'release'], { cwd: clone, reject: false })
    if (refused.exitCode === 0 || !refused.stderr.includes('is the placeholder'))
      throw new Error('The release command did not refuse the placeholder of the repository.')
  }
  const named = {
    ...manifest,
    homepage: `${ADDRESS}#readme`,
    bugs: { url: `${ADDRESS}/issues` },
    repository: { type: 'git', url: `git+${ADDRESS}.git` },
  }
  writeFileSync(join(clone, 'package.json'), `${JSON.stringify(named, null, 2)}\n`)
  run('run', 'manifests')
  for (const folder of listPublished(clone)) withoutProvenance(join(clone, folder))
  // With changesets there is a next version; else the one of the manifests is published.
  if (readdirSync(join(clone, '.changeset')).some((name) => name.endsWith('.md')))
    run('run', 'version-packages')
  const identity = ['-c', 'user.name=rehearsal', '-c', 'user.email=rehearsal@example.invalid']
  execaSync('git', [...identity, 'commit', '--quiet', '-am', 'Name the repository'], { cwd: clone })
  writeFileSync(join(clone, '.npmrc'), `registry=${registry.url}\n${registry.token}\n`)
  run('run', 'release')
  return listPublished(clone).map((folder) => {
    const { name, version, exports } = readManifest(join(clone, folder))
    return { folder: join(clone, folder), name, version, isLibrary: exports !== undefined }
  })
}

function listPublished(clone) {
  return ['packages', 'apps']
    .flatMap((group) => readdirSync(join(clone, group)).map((name) => join(group, name)))
    .filter((folder) => readManifest(join(clone, folder)).private !== true)
}

function withoutProvenance(folder) {
  const { publishConfig, ...manifest } = readManifest(folder)
  const { provenance: _provenance, ...kept } = publishConfig
  const text = JSON.stringify({ ...manifest, publishConfig: kept }, null, 2)
  writeFileSync(join(folder, 'package.json'), `${text}\n`)
}

function readManifest(folder) {
  return JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
}
