// Packs every package and checks the installed result: publint and attw on the tarball, then the tarball alone in an empty npm project, type-checked
// and running the example of its README. Then all packages with their optional peers: each entry alone must compile with only the types that its
// package names. Entries for browsers are also bundled for a browser. With names of folders it checks only those: node scripts/check-packages.mjs
// parser formatter
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join, resolve } from 'node:path'
import { buildSync } from 'esbuild'
import { execaSync } from 'execa'
import ts from 'typescript-6'

const root = resolve(import.meta.dirname, '..')
const bin = (name) => join(root, 'node_modules/.bin', name)
const work = mkdtempSync(join(tmpdir(), 'toolblocks-packages-'))
const tarballs = join(work, 'tarballs')
mkdirSync(tarballs)
const problems = []
const { devDependencies } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))

/** Runs a command; its output is shown only if it fails. */
function run(what, command, args, options = {}) {
  const { failed, message } = execaSync(command, args, { reject: false, all: true, ...options })
  if (!failed) return true
  problems.push(what)
  // The command, its exit code, and its output.
  console.error(`✗ ${what}\n${message}`)
  return false
}

/** Libraries whose own declarations have errors with these options: a check of all declarations reports them too. */
const FLAWED = /^node_modules\/(?:ai|@ai-sdk\/[a-z-]+)\//

/** Runs the compiler. Errors in declarations of `FLAWED` libraries do not count. */
function compile(what, args, options) {
  const { failed, all = '' } = execaSync('npx', ['--no-install', 'tsc', ...args], {
    reject: false,
    all: true,
    ...options,
  })
  const errors = all.split('\n').filter((line) => /^\S.*error TS/.test(line))
  const own = errors.filter((line) => !FLAWED.test(line))
  if (!failed || (errors.length > 0 && own.length === 0)) return
  problems.push(what)
  console.error(`✗ ${what}\n${own.length > 0 ? own.join('\n') : all}`)
}

/** A private package is not published, so nobody installs it. */
function isPrivate(folder) {
  return JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')).private === true
}

const folders = ['packages', 'apps']
  .flatMap((group) => readdirSync(join(root, group)).map((name) => join(root, group, name)))
  .filter((folder) => !isPrivate(folder))
const packed = folders.map((folder) => {
  const manifest = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
  const file = `${manifest.name.replace('@', '').replace('/', '-')}-${manifest.version}.tgz`
  return { folder, manifest, tarball: join(tarballs, file) }
})

/** The sibling packages are not on the registry yet, so their tarballs are used for every version range. */
const overrides = Object.fromEntries(
  packed.map(({ manifest, tarball }) => [manifest.name, `file:${tarball}`]),
)

function checkAlone({ folder, manifest }) {
  const project = join(work, manifest.name.replace('/', '-'))
  mkdirSync(project)
  const { [manifest.name]: own, ...siblings } = overrides
  const install = (what, beside) => {
    const content = {
      private: true,
      type: 'module',
      dependencies: { [manifest.name]: own, ...beside },
      devDependencies: {
        typescript: devDependencies.typescript,
        '@types/node': devDependencies['@types/node'],
      },
      overrides: siblings,
    }
    writeFileSync(join(project, 'package.json'), JSON.stringify(content))
    const args = ['install', '--no-audit', '--no-fund']
    return run(`${manifest.name}: installs ${what}`, 'npm', args, { cwd: project })
  }
  if (!install('alone', {})) return
  const optional = Object.keys(manifest.peerDependenciesMeta ?? {})
  // The project has the types of Node itself.
  const present = optional.filter(
    (name) => name !== '@types/node' && existsSync(join(project, 'node_modules', name)),
  )
  if (present.length > 0) problems.push(`${manifest.name}: installs ${present.join(' and ')}`)
  if (manifest.bin !== undefined) {
    run(
      `${manifest.name}: its command starts`,
      'npx',
      ['--no-install', manifest.name, '--version'],
      { cwd: project },
    )
    run(`${manifest.name}: its demo runs`, 'npx', ['--no-install', manifest.name, 'demo'], {
      cwd: project,
    })
    return
  }
  copyFileSync(join(folder, 'examples/usage.ts'), join(project, 'usage.ts'))
  const beside = [
    ...siblingsBeside(project).map((name) => [name, siblings[name]]),
    ...librariesBeside(project, manifest),
  ]
  if (beside.length > 0 && !install('with what its example uses', Object.fromEntries(beside)))
    return
  const flags = ['--noEmit', '--strict', '--exactOptionalPropertyTypes', '--module', 'nodenext']
  const types = ['--target', 'es2024', '--types', 'node', '--skipLibCheck', 'false', 'usage.ts']
  compile(`${manifest.name}: type-checks`, [...flags, ...types], { cwd: project })
  run(`${manifest.name}: runs its example`, process.execPath, ['usage.ts'], { cwd: project })
  bundleForBrowsers(manifest, project, optional)
}

/** The entries for browsers. */
const inBrowsers = [
  ...(readFileSync(join(root, 'docs/dependencies.md'), 'utf8')
    .split('\n## In a browser\n')[1]
    ?.split('\n## ')[0]
    ?.matchAll(/^\| `(@[^`]+)`/gm) ?? []),
].map(([, entry]) => entry)

/** A module that only Node.js has cannot be resolved, which is an error. Optional peers are not installed here. */
function bundleForBrowsers({ name }, project, optional) {
  for (const entry of inBrowsers.filter((each) => `${each}/`.startsWith(`${name}/`))) {
    try {
      buildSync({
        stdin: { contents: `export * from '${entry}'`, resolveDir: project },
        bundle: true,
        platform: 'browser',
        format: 'esm',
        external: optional,
        write: false,
        logLevel: 'error',
      })
    } catch {
      problems.push(`${entry}: can be bundled for a browser`)
    }
  }
}

/** Returns the libraries that an example imports and that its package does not install, and their types, each with its version. */
function librariesBeside(project, { devDependencies: tested = {} }) {
  const example = readFileSync(join(project, 'usage.ts'), 'utf8')
  const used = [...example.matchAll(/ from '([a-z][a-z-]*)(?:\/[^']*)?'/g)].map(([, name]) => name)
  return [...new Set(used.flatMap((name) => [name, `@types/${name}`]))]
    .filter((name) => tested[name] !== undefined)
    .filter((name) => !existsSync(join(project, 'node_modules', name)))
    .map((name) => [name, tested[name]])
}

/** Returns the sibling packages that an example imports and that its package does not install. The README tells people to install them too. */
function siblingsBeside(project) {
  const example = readFileSync(join(project, 'usage.ts'), 'utf8')
  const used = [...example.matchAll(/ from '(@toolblocks\/[a-z-]+)/g)].map(([, name]) => name)
  return [...new Set(used)].filter((name) => !existsSync(join(project, 'node_modules', name)))
}

/** A program that compiles against a package may have only the types of the language and the browser, and may check all declarations. */
const BARE = `--noEmit --strict --exactOptionalPropertyTypes --module nodenext --target es2024 --lib ES2024,DOM --skipLibCheck false`

/** Entries with declarations of others that use a global type of Node.js, which they do not install: MCP's SDK names `Buffer`. */
const WITH_BUFFER = new Set(['@toolblocks/mcp-bridge/oauth'])

/** Checks that declarations use only types that the package or its peers bring. */
function checkTypes(packages) {
  const project = join(work, 'types')
  mkdirSync(project)
  const libraries = packages.filter(({ manifest }) => manifest.exports !== undefined)
  const peers = Object.assign({}, ...libraries.map(listPeers))
  const content = {
    private: true,
    type: 'module',
    dependencies: { ...peers, ...overrides },
    devDependencies: { typescript: devDependencies.typescript },
    overrides,
  }
  writeFileSync(join(project, 'package.json'), JSON.stringify(content))
  const args = ['install', '--no-audit', '--no-fund']
  if (!run('all packages: install with their peers', 'npm', args, { cwd: project })) return
  writeFileSync(join(project, 'buffer.d.ts'), 'interface Buffer extends Uint8Array {}\n')
  for (const { manifest } of libraries) {
    const installed = join(project, 'node_modules', manifest.name)
    checkSpecifiers(installed, manifest.name)
    const { exports } = JSON.parse(readFileSync(join(installed, 'package.json'), 'utf8'))
    for (const [key, { types }] of Object.entries(exports)) {
      // Only siblings of the same version import `/internal`.
      if (types === undefined || key.startsWith('./internal')) continue
      const name = `${manifest.name}${key.slice(1)}`
      // A stylesheet is imported for its effect.
      const source = key.endsWith('.css')
        ? `import '${name}'`
        : `export type * as entry from '${name}'`
      writeFileSync(join(project, 'entry.ts'), `${source}\n`)
      const files = WITH_BUFFER.has(name) ? ['buffer.d.ts', 'entry.ts'] : ['entry.ts']
      const flags = [...BARE.split(' '), '--types', '', ...files]
      const what = `${name}: type-checks with the types of its own dependencies only`
      compile(what, flags, { cwd: project })
    }
  }
}

/** The version ranges of a package's peers in its tarball. */
function listPeers({ tarball }) {
  const { stdout } = execaSync('tar', [
    '--extract',
    '--to-stdout',
    '--file',
    tarball,
    'package/package.json',
  ])
  return JSON.parse(stdout).peerDependencies ?? {}
}

/** Returns the entries of a package that are stylesheets, such as `./style.css`. */
function listStylesheets({ exports }) {
  return Object.keys(exports).filter((entry) => entry.endsWith('.css'))
}

/** Compares the packages that declarations import with the manifest. */
function checkSpecifiers(installed, name) {
  const { dependencies, peerDependencies, imports } = JSON.parse(
    readFileSync(join(installed, 'package.json'), 'utf8'),
  )
  const known = new Set([
    name,
    ...Object.keys(dependencies ?? {}),
    ...Object.keys(peerDependencies ?? {}),
    ...Object.keys(imports ?? {}),
  ])
  for (const file of readdirSync(join(installed, 'dist'), { recursive: true, encoding: 'utf8' })) {
    if (!file.endsWith('.d.ts')) continue
    const text = readFileSync(join(installed, 'dist', file), 'utf8')
    for (const specifier of listSpecifiers(text))
      if (!known.has(specifier))
        problems.push(
          `${name}: ${file} imports from ${specifier}, which is not a dependency or peer`,
        )
  }
}

/** Returns the packages that a declaration file imports. The compiler checks Node's own modules at each entry. */
function listSpecifiers(text) {
  const { importedFiles, typeReferenceDirectives } = ts.preProcessFile(text)
  const types = typeReferenceDirectives.map(({ fileName }) => `@types/${fileName}`)
  const imported = importedFiles
    .map(({ fileName }) => fileName)
    .filter((specifier) => !/^(?:\.|node:)/.test(specifier))
    .map((specifier) => /^(?:@[^/]+\/)?[^/]+/.exec(specifier)[0])
  return new Set([...types, ...imported])
}

try {
  for (const { folder, manifest, tarball } of packed) {
    if (
      !run(`${manifest.name}: packs`, 'pnpm', ['pack', '--pack-destination', tarballs], {
        cwd: folder,
      })
    )
      continue
    run(`${manifest.name}: publint`, bin('publint'), ['run', tarball, '--strict'])
    // A command has no exports to import.
    if (manifest.exports !== undefined)
      run(`${manifest.name}: types are correct for every module resolution`, bin('attw'), [
        tarball,
        '--profile',
        'esm-only',
        // A stylesheet has no types.
        ...listStylesheets(manifest).flatMap((entry) => ['--exclude-entrypoints', entry]),
      ])
  }
  const named = process.argv.slice(2)
  const wanted = packed.filter(
    ({ folder }) => named.length === 0 || named.includes(basename(folder)),
  )
  checkTypes(wanted)
  for (const entry of wanted) {
    checkAlone(entry)
    console.log(`checked ${entry.manifest.name}`)
  }
} finally {
  rmSync(work, { recursive: true, force: true })
}
if (problems.length > 0) {
  console.error(
    `\n${problems.length} problem(s):\n${problems.map((problem) => `  ${problem}`).join('\n')}`,
  )
  process.exit(1)
}
