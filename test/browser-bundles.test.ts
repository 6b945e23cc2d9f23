import { readFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { gzipSync } from 'node:zlib'
import { build as buildWithEsbuild } from 'esbuild'
import { build as buildWithVite } from 'vite'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  BROWSER,
  NO_BROWSER,
  SKIPS_BROWSER,
  startBrowser,
} from '../packages/viewer/browser/browser.support.ts'
import { doTask, ENTRIES, type Entry } from './browser-bundles/tasks.support.ts'

const root = resolve(import.meta.dirname, '..')

/** The entries for browsers, and the maximum size of each in kilobytes, from docs/dependencies.md. */
const entries = readTable()

function readTable(): readonly { name: Entry; kilobytes: number }[] {
  const [, text = ''] = readFileSync(join(root, 'docs/dependencies.md'), 'utf8').split(
    '\n## In a browser\n',
  )
  const [section = ''] = text.split('\n## ')
  return [...section.matchAll(/^\| `(@[^`]+)` +\| +([\d.]+) +\|$/gm)].map(([, name, size]) => ({
    name: name as Entry,
    kilobytes: Number(size),
  }))
}

/** Finds the source file of a name such as `@toolblocks/renderer/html`. */
function findSource(name: string): string {
  const [, folder = '', ...rest] = name.split('/')
  const manifest = readManifest(folder)
  return join(root, 'packages', folder, manifest.exports[['.', ...rest].join('/')] ?? 'missing')
}

interface Manifest {
  imports?: Record<string, Record<string, string>>
  exports: Record<string, string>
  publishConfig: { imports?: Record<string, Record<string, string>> }
}

function readManifest(folder: string): Manifest {
  return JSON.parse(readFileSync(join(root, 'packages', folder, 'package.json'), 'utf8'))
}

/** The file name of an entry's bundle. */
const toFileName = (name: string): string => name.replaceAll(/[@/]/g, '_')

const sources = Object.fromEntries(entries.map(({ name }) => [toFileName(name), findSource(name)]))

/** The served modules, by path. */
const modules = new Map<string, string>()

/** The inputs of a bundle, relative to the root of the repository, by the name of its file. */
const inputs = new Map<string, readonly string[]>()

/** Vite's messages about modules that no browser has. Vite replaces such a module with one that throws. */
const replaced: string[] = []

const BUNDLERS = ['esbuild', 'vite'] as const

beforeAll(async () => {
  // A module that no browser has is an error here.
  const { outputFiles, metafile } = await buildWithEsbuild({
    entryPoints: sources,
    outdir: '/esbuild',
    bundle: true,
    minify: true,
    format: 'esm',
    platform: 'browser',
    write: false,
    metafile: true,
    absWorkingDir: root,
    logLevel: 'silent',
  })
  for (const { path, text } of outputFiles) modules.set(path, text)
  for (const [path, output] of Object.entries(metafile.outputs))
    inputs.set(path.replace(/^.*\//, ''), Object.keys(output.inputs))

  const outputs = await buildWithVite({
    root,
    base: '/vite/',
    configFile: false,
    logLevel: 'silent',
    build: {
      write: false,
      rolldownOptions: {
        input: sources,
        preserveEntrySignatures: 'strict',
        output: { entryFileNames: '[name].js', chunkFileNames: '[name]-[hash].js' },
      },
    },
  })
  for (const { output } of [outputs].flat().filter((each) => 'output' in each)) {
    for (const file of output) {
      if (file.type !== 'chunk') continue
      modules.set(`/vite/${file.fileName}`, file.code)
      replaced.push(...file.moduleIds.filter((id) => id.includes('__vite-browser-external')))
    }
  }

  const tasks = await buildWithEsbuild({
    entryPoints: [join(import.meta.dirname, 'browser-bundles/tasks.support.ts')],
    bundle: true,
    format: 'esm',
    platform: 'browser',
    write: false,
  })
  modules.set('/tasks.js', tasks.outputFiles[0]?.text ?? '')
}, 120_000)

test('the table of entries names each entry with a task, and no other', () => {
  expect(entries.map(({ name }) => name).toSorted()).toEqual(ENTRIES.toSorted())
})

test('Vite replaces no module of Node', () => {
  expect(replaced).toEqual([])
})

test.for([...new Set(entries.map(({ name }) => name.split('/')[1] ?? ''))])(
  'the README of %s says that it runs in browsers',
  (folder) => {
    expect(readFileSync(join(root, 'packages', folder, 'README.md'), 'utf8')).toMatch(
      /^\*\*Runs in\*\* Node\.js and browsers/m,
    )
  },
)

test.for(['protocol', 'parser'])(
  'in the tarball of %s each platform gets the same file as here',
  (folder) => {
    const { imports = {}, publishConfig } = readManifest(folder)
    const built = JSON.stringify(imports).replaceAll('./src/', './dist/').replaceAll('.ts"', '.js"')
    expect(publishConfig.imports).toEqual(JSON.parse(built))
  },
)

test.for(entries)(
  '$name is at most a tenth larger than its size in the table',
  ({ name, kilobytes }) => {
    const { length } = gzipSync(modules.get(`/esbuild/${toFileName(name)}.js`) ?? '', { level: 9 })
    expect(length, `${(length / 1000).toFixed(1)} KB`).toBeLessThanOrEqual(kilobytes * 1100)
  },
)

/** Uses of features that only Node has. After `typeof`, a name is only tested. */
const OF_NODE =
  /['"`]node:|(?<![.\w$-])(?:Buffer|setImmediate|__dirname|__filename)\b|(?<![.\w$])process\.|\bfrom ['"](?:buffer|crypto|fs|module|os|path|stream|url|util)['"]/

test.for(entries)('no source of $name uses a feature that only Node has', ({ name }) => {
  const own = inputs.get(`${toFileName(name)}.js`)?.filter((file) => file.startsWith('packages/'))
  const offending = own
    ?.filter((file) => !file.includes('/node_modules/') && !file.endsWith('-script.js'))
    .filter((file) => OF_NODE.test(withoutComments(readFileSync(join(root, file), 'utf8'))))
  expect(own?.length).toBeGreaterThan(0)
  expect(offending).toEqual([])
})

test.for(entries)('no bundle of $name loads a module of Node', ({ name }) => {
  const own = BUNDLERS.map((bundler) => modules.get(`/${bundler}/${toFileName(name)}.js`))
  for (const code of own) {
    expect(code?.length).toBeGreaterThan(0)
    expect(
      /.{0,40}(?:\bfrom|\bimport|\brequire)\s*\(?\s*["'`]node:.{0,40}/.exec(code ?? ''),
    ).toBeNull()
    expect(/.{0,40}Dynamic require of.{0,40}/.exec(code ?? '')).toBeNull()
  }
})

function withoutComments(text: string): string {
  return text.replaceAll(/\/\*[\s\S]*?\*\//g, '').replaceAll(/(?<=^|\s)\/\/.*$/gm, '')
}

/** Entries that need a page whose policy allows scripts to create functions from text, because they use Ajv. */
const WITH_EVAL: ReadonlySet<Entry> = new Set([
  '@toolblocks/schema-check',
  '@toolblocks/inquiry',
  '@toolblocks/inquiry/model',
])

describe.skipIf(SKIPS_BROWSER)(`in a browser${BROWSER ? '' : ` (${NO_BROWSER})`}`, () => {
  let server: Server
  let browser: Awaited<ReturnType<typeof startBrowser>>
  let page: Awaited<ReturnType<typeof browser.newPage>>
  const complaints: string[] = []

  beforeAll(async () => {
    server = createServer(({ url = '' }, response) => {
      const code = modules.get(url)
      const policy = url === '/eval' ? "script-src 'self' 'unsafe-eval'" : "script-src 'self'"
      const type = code === undefined ? 'text/html' : 'text/javascript'
      response.setHeader('content-type', `${type};charset=utf-8`)
      response.setHeader('content-security-policy', `default-src 'none'; img-src data:; ${policy}`)
      response.end(code ?? '<!doctype html><title>A page</title><link rel="icon" href="data:,">')
    })
    await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
    browser = await startBrowser()
    page = await browser.newPage()
    page.on('console', (message) => message.type() === 'error' && complaints.push(message.text()))
    page.on('pageerror', (error) => complaints.push(error.message))
  })

  afterAll(async () => {
    await browser?.close()
    server.close()
  })

  test.for(entries.flatMap((entry) => BUNDLERS.map((bundler) => ({ ...entry, bundler }))))(
    '$name, built by $bundler, gives the same results as in Node',
    async ({ name, bundler }) => {
      const { port } = server.address() as AddressInfo
      await page.goto(`http://127.0.0.1:${port}/${WITH_EVAL.has(name) ? 'eval' : ''}`)
      // This is a string because the test runner rewrites imports.
      const done = await page.evaluate<string>(
        `Promise.all([import('/${bundler}/${toFileName(name)}.js'), import('/tasks.js')]).then(([entry, { doTask }]) => doTask('${name}', entry))`,
      )
      expect(complaints.splice(0)).toEqual([])
      const exported: unknown = await import(pathToFileURL(findSource(name)).href)
      expect(JSON.parse(done)).toEqual(JSON.parse(await doTask(name, exported)))
    },
  )
})

test('a use of a feature that only Node has is noticed', () => {
  for (const text of [
    "import { join } from 'node:path'",
    "import { join } from 'path'",
    "await import('node:fs')",
    'const width = process.stdout.columns',
    "Buffer.from('')",
    'setImmediate(next)',
  ])
    expect(OF_NODE.test(withoutComments(text)), text).toBe(true)
  for (const text of ['// Buffer.from', '/** As `node:path` does. */', 'queue.process.next'])
    expect(OF_NODE.test(withoutComments(text)), text).toBe(false)
})
