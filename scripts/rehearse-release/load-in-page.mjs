import { readFileSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { join } from 'node:path'
import { build } from 'esbuild'
import { execaSync } from 'execa'
import {
  NO_BROWSER,
  SKIPS_BROWSER,
  startBrowser,
} from '../../packages/viewer/browser/browser.support.ts'
import { doTask } from '../../test/browser-bundles/tasks.support.ts'

/** Entries that create functions from text, which the policy of a page must allow. They use Ajv. */
const WITH_EVAL = /^@toolblocks\/(?:schema-check|inquiry(?:\/model)?)$/

/**
 * Installs the packages that run in browsers from the registry, bundles each entry, and compares its results in a page with those in Node.js. Returns
 * the differences.
 */
export async function loadInPage(work, root, registry, version) {
  if (SKIPS_BROWSER) {
    console.log(`skipped: the page, because ${NO_BROWSER}`)
    return []
  }
  const entries = listEntries(root)
  const packages = [...new Set(entries.map((name) => name.split('/').slice(0, 2).join('/')))]
  const peers = ['react@19', 'marked', 'lowlight', 'highlight.js', 'entities', 'pngjs', 'typebox']
  const options = ['--no-audit', '--no-fund', '--registry', registry.url]
  writeFileSync(join(work, 'package.json'), '{"private":true,"type":"module"}')
  const wanted = [...packages.map((name) => `${name}@${version}`), ...peers]
  execaSync('npm', ['install', ...options, ...wanted], { cwd: work })

  const scripts = new Map()
  for (const name of entries)
    scripts.set(`/${name}.js`, await bundle(`export * from '${name}'`, work))
  const tasks = readFileSync(join(root, 'test/browser-bundles/tasks.support.ts'), 'utf8')
  scripts.set('/tasks.js', await bundle(tasks, work, 'ts'))

  const server = createServer(({ url }, response) => {
    const code = scripts.get(url)
    const allowed = url === '/eval' ? "'self' 'unsafe-eval'" : "'self'"
    response.setHeader('content-type', code === undefined ? 'text/html' : 'text/javascript')
    response.setHeader(
      'content-security-policy',
      `default-src 'none'; img-src data:; script-src ${allowed}`,
    )
    response.end(code ?? '<!doctype html><link rel="icon" href="data:,">')
  })
  await new Promise((done) => server.listen(0, '127.0.0.1', done))
  const browser = await startBrowser()
  try {
    const page = await browser.newPage()
    const problems = []
    page.on('pageerror', ({ message }) => problems.push(`page: ${message}`))
    for (const name of entries) {
      const { port } = server.address()
      await page.goto(`http://127.0.0.1:${port}/${WITH_EVAL.test(name) ? 'eval' : ''}`)
      const inPage = await page.evaluate(
        `Promise.all([import('/${name}.js'), import('/tasks.js')]).then(([entry, { doTask }]) => doTask('${name}', entry))`,
      )
      const inNode = await runInNode(work, name)
      if (inPage !== inNode) problems.push(`page: ${name} differs from Node.js`)
    }
    console.log(`${entries.length} entries were loaded in a page`)
    return problems
  } finally {
    await browser.close()
    server.close()
  }
}

/** The task of an entry with the installed package, in this process. */
async function runInNode(work, name) {
  const { createRequire } = await import('node:module')
  const path = createRequire(join(work, 'package.json')).resolve(name)
  return await doTask(name, await import(path))
}

async function bundle(contents, resolveDir, loader = 'js') {
  const { outputFiles } = await build({
    stdin: { contents, resolveDir, loader },
    bundle: true,
    format: 'esm',
    platform: 'browser',
    write: false,
    logLevel: 'error',
  })
  return outputFiles[0].text
}

function listEntries(root) {
  const text = readFileSync(join(root, 'docs/dependencies.md'), 'utf8')
  const [section] = text.split('\n## In a browser\n')[1].split('\n## ')
  return [...section.matchAll(/^\| `(@[^`]+)`/gm)].map(([, name]) => name)
}
