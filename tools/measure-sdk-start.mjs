// Measures how much slower a tool of the SDK starts than bare Node: builds tool-sdk, and runs small programs with it in alternation, each for one
// request: node tools/measure-sdk-start.mjs [rounds]
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { execaSync } from 'execa'

const ROUNDS = Number(process.argv[2] ?? 31)
const root = resolve(import.meta.dirname, '..')
const work = mkdtempSync(join(tmpdir(), 'toolblocks-sdk-'))

const tool = (more, imports = '') => `
import { defineTool, runTools, text } from './node_modules/tool-sdk/dist/index.js'
${imports}
await runTools([defineTool({ name: 'probe', ${more}, run: ({ path }) => text(String(path)) })])
`
const typebox = (schema) =>
  tool(
    `inputSchema: Type.Object({ path: ${schema} })`,
    `import { Type } from './node_modules/tool-sdk/dist/typebox.js'`,
  )

const programs = {
  'bare Node': '',
  'SDK alone': tool(`parameters: { path: { type: 'string' } }`),
  'with TypeBox': typebox('Type.String()'),
  'with TypeBox from its own files': typebox('Type.String()').replace(
    './node_modules/tool-sdk/dist/typebox.js',
    'typebox',
  ),
  'with TypeBox and the thorough check': typebox(`Type.String({ pattern: '^a' })`),
}
const request = (action) => ({
  context: { action, root: work },
  tool: { name: 'probe', arguments: { path: 'a' } },
})

function run(file, action) {
  const start = performance.now()
  const { stdout } = execaSync(process.execPath, [file], {
    cwd: work,
    input: JSON.stringify(request(action)),
  })
  if (file !== '0.mjs' && !stdout.includes(action === 'run' ? '"a"' : 'parameters'))
    throw new Error(`${file} answered ${stdout}`)
  return performance.now() - start
}

const shortest = (times) => Math.min(...times)

try {
  execaSync('pnpm', ['exec', 'turbo', 'run', 'build', '--filter', '@toolblocks/tool-sdk'], {
    cwd: root,
  })
  const modules = join(work, 'node_modules')
  mkdirSync(modules)
  symlinkSync(join(root, 'packages/tool-sdk'), join(modules, 'tool-sdk'))
  symlinkSync(join(root, 'packages/tool-sdk/node_modules/typebox'), join(modules, 'typebox'))
  const sources = Object.values(programs)
  sources.forEach((source, index) => writeFileSync(join(work, `${index}.mjs`), source))
  const names = Object.keys(programs)
  const times = names.map(() => [])
  // In alternation, and the shortest time of each: other work on the machine only adds time.
  for (let round = 0; round < ROUNDS; round++)
    names.forEach((_, index) => times[index].push(run(`${index}.mjs`, 'run')))
  const least = shortest(times[0])
  names.forEach((name, index) => {
    const time = shortest(times[index])
    console.log(
      `${name.padEnd(36)} ${time.toFixed(0).padStart(4)} ms  ${(time - least).toFixed(0).padStart(4)} ms more than bare Node`,
    )
  })
} finally {
  rmSync(work, { recursive: true, force: true })
}
