import { execFileSync } from 'node:child_process'
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  symlinkSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { build } from 'esbuild'
import { makePng } from '../packages/formatter/src/pictures/pictures.support.ts'
import ts from 'typescript-6'
import { afterAll, beforeAll, expect, test } from 'vitest'

interface Manifest {
  name: string
  private?: boolean
  exports?: Record<string, string>
  dependencies?: Record<string, string>
  devDependencies?: Record<string, string>
  peerDependenciesMeta?: Record<string, { optional: boolean }>
}

const root = resolve(import.meta.dirname, '..')
const packages = readdirSync(join(root, 'packages')).map((folder) => {
  const text = readFileSync(join(root, 'packages', folder, 'package.json'), 'utf8')
  const manifest: Manifest = JSON.parse(text)
  return { folder, manifest }
})
const withPeers = packages.filter(
  ({ manifest }) => !manifest.private && manifest.peerDependenciesMeta !== undefined,
)

/** Entries that need an optional peer on import, and the first missing peer. */
const NEEDED_AT_ONCE: Readonly<Record<string, string>> = {
  '@toolblocks/ai-sdk/model': '@toolblocks/agent',
  '@toolblocks/inquiry/editor': 'jsonc-parser',
  '@toolblocks/inquiry/terminal': '@clack/prompts',
  '@toolblocks/protocol/opentelemetry': '@opentelemetry/api',
  '@toolblocks/renderer/images': 'pngjs',
}

let folder: string
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'optional-peers-'))
  for (const { folder: name, manifest } of withPeers) {
    const from = join(root, 'packages', name)
    cpSync(join(from, 'src'), join(folder, name, 'src'), { recursive: true })
    cpSync(join(from, 'package.json'), join(folder, name, 'package.json'))
    // Development dependencies are included, because a build puts some of them into the package.
    const installed = { ...manifest.dependencies, ...manifest.devDependencies }
    for (const dependency of Object.keys(installed)) {
      if (manifest.peerDependenciesMeta?.[dependency]?.optional) continue
      const link = join(folder, name, 'node_modules', dependency)
      mkdirSync(dirname(link), { recursive: true })
      symlinkSync(join(from, 'node_modules', dependency), link, 'dir')
    }
  }
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** Evaluates an expression in a package with its dependencies and without optional peers. Returns the value or the error. */
function evaluate(name: string, expression: string): unknown {
  const script = `
    const work = async () => ({ value: await (${expression}) })
    const failed = ({ code, message, cause }) => ({ code, message, cause: cause?.code })
    console.log(JSON.stringify(await work().catch(failed)))
  `
  const args = ['--input-type=module', '--eval', script]
  const cwd = join(folder, name)
  return JSON.parse(execFileSync(process.execPath, args, { cwd, encoding: 'utf8' }))
}

const entries = withPeers.flatMap(({ folder: name, manifest }) =>
  Object.entries(manifest.exports ?? {})
    .filter(([, file]) => file.endsWith('.ts'))
    .map(([key, file]) => ({ name, file, entry: `${manifest.name}${key.slice(1)}` })),
)

/** Entries that load their optional peers later than on import, and that nobody imports without these. */
const FOR_PEERS = [
  '@toolblocks/local-executor/pty',
  '@toolblocks/mcp-bridge/oauth',
  '@toolblocks/renderer/readers',
  '@toolblocks/tool-sdk/mcp',
]

/** Returns the optional peers that a source imports where a bundler does not accept that they are missing. */
function findStrictImports(file: string, peers: readonly string[]): readonly string[] {
  const source = ts.createSourceFile(file, readFileSync(file, 'utf8'), ts.ScriptTarget.Latest, true)
  const strictImports: string[] = []
  const visit = (node: ts.Node, isInTry: boolean): void => {
    if (ts.isCallExpression(node) && node.expression.kind === ts.SyntaxKind.ImportKeyword) {
      const [named] = node.arguments
      const peer = named && ts.isStringLiteral(named) ? named.text : ''
      if (peers.some((each) => peer === each || peer.startsWith(`${each}/`)) && !isInTry)
        strictImports.push(`${file} imports ${peer}`)
    }
    const inside = ts.isFunctionLike(node) ? false : isInTry
    ts.forEachChild(node, (child) =>
      visit(child, ts.isTryStatement(node) ? child === node.tryBlock : inside),
    )
  }
  visit(source, false)
  return strictImports
}

test.for(entries.filter(({ entry }) => !(entry in NEEDED_AT_ONCE) && !FOR_PEERS.includes(entry)))(
  'a bundler builds $entry without optional peers: they are imported inside "try"',
  async ({ name, file }) => {
    const { metafile } = await build({
      entryPoints: [join(root, 'packages', name, file)],
      absWorkingDir: root,
      bundle: true,
      format: 'esm',
      packages: 'external',
      metafile: true,
      write: false,
      outdir: 'none',
    })
    const peers = Object.keys(
      withPeers.find(({ folder: each }) => each === name)?.manifest.peerDependenciesMeta ?? {},
    )
    const files = Object.keys(metafile.inputs).filter((each) => each.endsWith('.ts'))
    expect(files.length).toBeGreaterThan(0)
    expect(files.flatMap((each) => findStrictImports(join(root, each), peers))).toEqual([])
  },
)

function missing(needing: string, peer: string): unknown {
  return {
    code: 'ERR_MODULE_NOT_FOUND',
    message: `${needing} needs ${peer}, an optional peer: npm install ${peer}`,
    cause: 'ERR_MODULE_NOT_FOUND',
  }
}

test.for(entries)(
  'without optional peers $entry loads, or names the package to install',
  ({ name, file, entry }) => {
    const loaded = evaluate(
      name,
      `import('${file}').then((names) => Object.keys(names).length > 0)`,
    )
    const peer = NEEDED_AT_ONCE[entry]
    expect(loaded).toEqual(peer === undefined ? { value: true } : missing(entry, peer))
  },
)

test.for([
  ["{ languages: ['json'], markdown: 'none' }", 'lowlight'],
  ["{ languages: [], markdown: 'some' }", 'entities'],
  ["'all'", 'lowlight'],
])(
  'without optional peers loadContentReaders(%s) rejects, and says to install %s',
  ([wanted, peer]) => {
    const load = `import('./src/readers.ts').then((readers) => readers.loadContentReaders(${wanted}))`
    expect(evaluate('renderer', load)).toEqual(missing('@toolblocks/renderer/readers', peer ?? ''))
  },
)

test('without optional peers the readers load if no content needs them', () => {
  const load = `import('./src/readers.ts').then((readers) => readers.loadContentReaders({ languages: [], markdown: 'none' })).then(Object.keys)`
  expect(evaluate('renderer', load)).toEqual({ value: ['highlight', 'readMarkdown'] })
})

test('without pg a store at postgres:// names the package to install', () => {
  const open =
    "import('./src/index.ts').then(({ openStore }) => openStore('postgres://127.0.0.1/a'))"
  expect(evaluate('conversation-store', open)).toEqual(
    missing('@toolblocks/conversation-store with a store at postgres://…', 'pg'),
  )
})

test('without @cf-wasm/photon a picture is not scaled, and the text in its place names the package to install', () => {
  const fit = `import('./src/pictures.ts').then(async ({ createPictureFitter }) => {
    const data = '${makePng(300, 200)}'
    const picture = { content: [{ type: 'image', data, mimeType: 'image/png' }], isError: false }
    const { result } = await createPictureFitter().fitResult(picture, { maxSide: 100, maxLength: 80_000 })
    return result.content
  })`
  const text = expect.stringMatching(
    /^\[An image \(image\/png, 300 × 200 px, [\d.]+ \w+\) was left out: at most 100 px a side and 60\.0 KB as png, jpeg, gif, webp is accepted, and pictures can be scaled if @cf-wasm\/photon is installed\.\]$/,
  )
  expect(evaluate('formatter', fit)).toEqual({ value: [{ type: 'text', text }] })
})

test('without a pseudo-terminal the call of an interactive program names the package to install', () => {
  const spawn = `import('./src/pty.ts').then(async ({ createPtyTool }) => {
    const definition = { name: 'shell', description: 'A shell.', command: { program: 'sh' }, inputSchema: { type: 'object' } }
    const tool = createPtyTool(definition)
    const context = { root: process.cwd(), signal: new AbortController().signal }
    const live = await tool.spawn({ id: 'c1', name: 'shell', arguments: {} }, context)
    return JSON.stringify(live)
  })`
  const { value } = evaluate('local-executor', spawn) as { value: string }
  expect(value).toMatch(
    /@toolblocks\/local-executor\/pty needs @lydell\/node-pty, with a binary for [\w-]+, and @xterm\/headless, optional peers: npm install @lydell\/node-pty @xterm\/headless \(Cannot find package/,
  )
})
