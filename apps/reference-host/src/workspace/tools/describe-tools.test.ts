import type { WorkspaceTool, Description } from './define-tool.ts'
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Fingerprints } from '@toolblocks/local-executor/internal'
import { expect, onTestFinished, test } from 'vitest'
import { type DescribedProgram, type Sources, createCachedDescribe } from './describe-tools.ts'
import type { ToolConfiguration } from '../configuration/tool-schema.ts'
import { openDescriptionCache } from './description-cache.ts'

const program: DescribedProgram = { command: './tool', env: [] }
const known = (summary: string): Description => {
  return { ok: true, tools: [{ name: 'a', summary }], warnings: [], unusable: {} }
}

const table: ToolConfiguration = { source: 'local', command: './tool' }
const made: WorkspaceTool = {
  definition: { name: 'a', inputSchema: {} },
  described: { name: 'a', inputSchema: {}, summary: 'Other.' },
  entry: 'a',
  origins: {},
  warnings: [{ path: ['tools', 'a'], message: 'as it was' }],
}

/** Returns the content that is stored below the line with the hash. */
function keptIn(file: string): { descriptions: object; tools: object } {
  const [descriptions, tools] = readFileSync(file, 'utf8').split('\n').slice(1, 3)
  return { descriptions: JSON.parse(descriptions ?? ''), tools: JSON.parse(tools ?? '') }
}

/** Returns fingerprints of unchanged files with this key. Without a key, a program has no fingerprint. */
function seenAs(
  key: (program: DescribedProgram) => string | undefined,
  isCurrent = true,
): Fingerprints {
  return {
    take({ command, env = [] }) {
      const taken = key({ command, env })
      return taken === undefined ? undefined : { key: taken, program: 'tool', files: [] }
    },
    isCurrent: () => isCurrent,
  }
}

function makeFile(): string {
  const folder = mkdtempSync(join(tmpdir(), 'descriptions-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  return join(folder, 'deep/er/cache.json')
}

/** Starts the cache like a new process, with a program that gives these answers in order. It records the requests. */
function start(file: string, answers: readonly Description[], more: Partial<Sources> = {}) {
  const left = [...answers]
  const asks: DescribedProgram[] = []
  const first: DescribedProgram[] = []
  const cached = createCachedDescribe({
    cache: openDescriptionCache(file),
    fingerprints: seenAs(() => 'f1'),
    onFirst: (each) => first.push(each),
    describe: async (each) => {
      asks.push(each)
      return left.shift() ?? { ok: false, message: 'asked too often' }
    },
    ...more,
  })
  return { ...cached, asks, first }
}

test('a program is asked once; the next process has its description at once, and asks in the background', async () => {
  const file = makeFile()
  const one = start(file, [known('old')])
  expect(await one.describe(program)).toEqual(known('old'))
  expect(await one.settled()).toEqual([])
  expect([one.asks, one.first]).toEqual([[program], [program]])

  const two = start(file, [known('old')])
  expect(await two.describe(program)).toEqual(known('old'))
  expect(await two.settled()).toEqual([])
  expect([two.asks, two.first]).toEqual([[program], []])
})

test('a changed description is reported, and is used by the next process', async () => {
  const file = makeFile()
  const one = start(file, [known('old')])
  await one.describe(program)
  await one.settled()
  const two = start(file, [known('new')])
  expect(await two.describe(program)).toEqual(known('old'))
  expect(await two.settled()).toEqual([program])
  expect(await start(file, [known('new')]).describe(program)).toEqual(known('new'))
})

test('a refresh asks before it returns', async () => {
  const file = makeFile()
  const one = start(file, [known('old')])
  await one.describe(program)
  await one.settled()
  const two = start(file, [known('new')], { refresh: true })
  expect(await two.describe(program)).toEqual(known('new'))
  expect([two.asks.length, two.first]).toEqual([1, []])
})

test('a program without a description is asked each time, and a failure in the background changes nothing', async () => {
  const file = makeFile()
  const failure: Description = { ok: false, message: 'prose' }
  const one = start(file, [failure])
  expect(await one.describe(program)).toEqual(failure)
  await one.settled()
  const two = start(file, [known('old')])
  expect(await two.describe(program)).toEqual(known('old'))
  await two.settled()
  const three = start(file, [failure])
  expect(await three.describe(program)).toEqual(known('old'))
  expect(await three.settled()).toEqual([])
})

test('a program without a fingerprint is never cached', async () => {
  const file = makeFile()
  const unseen = { fingerprints: seenAs(() => undefined) }
  const one = start(file, [known('old')], unseen)
  await one.describe(program)
  await one.settled()
  expect(await start(file, [known('new')], unseen).describe(program)).toEqual(known('new'))
})

test('the file is the owner’s, keeps what another run had asked, and is written in one step', async () => {
  const file = makeFile()
  const apart = { fingerprints: seenAs(({ command }) => JSON.stringify(command)) }
  const one = start(file, [known('a'), known('b')], apart)
  await one.describe(program)
  await one.describe({ ...program, command: './other' })
  await one.settled()
  expect(statSync(file).mode & 0o777).toBe(0o600)
  const two = start(file, [known('c')], apart)
  await two.describe(program)
  await two.settled()
  expect(Object.keys(keptIn(file).descriptions)).toEqual(['"./other"', '"./tool"'])
  expect(readdirSync(join(file, '..'))).toEqual(['cache.json'])
})

test('of more than 200 entries the oldest are removed', async () => {
  const file = makeFile()
  for (const name of Array.from({ length: 201 }, (_, index) => `f${index}`)) {
    const { describe, settled } = start(file, [known('a')], { fingerprints: seenAs(() => name) })
    await describe(program)
    await settled()
  }
  const names = Object.keys(keptIn(file).descriptions)
  expect([names.length, names[0], names.at(-1)]).toEqual([200, 'f1', 'f200'])
})

test('known descriptions are returned before any program is started', async () => {
  const file = makeFile()
  const one = start(file, [known('old')])
  await one.describe(program)
  await one.settled()
  const two = start(file, [known('old')])
  await two.describe(program)
  expect(two.asks).toEqual([])
  await two.settled()
  expect(two.asks).toEqual([program])
})

test.for([
  ['is empty', () => ''],
  ['is no JSON', () => '{'],
  ['has no hash', (text: string) => text.slice(text.indexOf('\n') + 1)],
  ['was changed in one place', (text: string) => text.replace('old', 'odd')],
  ['ends early', (text: string) => text.slice(0, -2)],
] as const)('a file that %s is an empty cache', async ([, change]) => {
  const file = makeFile()
  const one = start(file, [known('old')])
  await one.describe(program)
  one.keepTool('a', table, made)
  await one.settled()
  writeFileSync(file, change(readFileSync(file, 'utf8')))
  const two = start(file, [known('new')])
  expect(two.findTool('a', table)).toBeUndefined()
  expect(await two.describe(program)).toEqual(known('new'))
})

/** Starts once and creates the tool of the table. */
async function makeTool(file: string): Promise<void> {
  const { describe, keepTool, settled } = start(file, [known('old')])
  await describe(program)
  keepTool('a', table, made)
  await settled()
}

test('a tool that was created before is returned at once, and its program is asked in the background, once', async () => {
  const file = makeFile()
  await makeTool(file)
  const { findTool, settled, asks, first } = start(file, [known('old')])
  expect([findTool('a', table), findTool('a', table)]).toEqual([made, made])
  expect(asks).toEqual([])
  expect(await settled()).toEqual([])
  expect([asks, first]).toEqual([[program], []])
})

test.for<[string, ToolConfiguration, Partial<Sources>]>([
  ['its table is another', { ...table, summary: 'Other.' }, {}],
  ['its program is another', table, { fingerprints: seenAs(() => 'f1', false) }],
  ['every program is to be asked', table, { refresh: true }],
])('a tool is created again if %s', async ([, now, more]) => {
  const file = makeFile()
  await makeTool(file)
  expect(start(file, [], more).findTool('a', now)).toBeUndefined()
})

test('a tool is created again after its program has changed its description', async () => {
  const file = makeFile()
  await makeTool(file)
  const two = start(file, [known('new')])
  expect(two.findTool('a', table)).toMatchObject(made)
  expect(await two.settled()).toEqual([program])
  expect(start(file, []).findTool('a', table)).toBeUndefined()
})

test('a tool whose description is out of date by the end of the start is not cached', async () => {
  const file = makeFile()
  await makeTool(file)
  const two = start(file, [known('new')])
  await two.describe(program)
  two.keepTool('b', table, made)
  await two.settled()
  expect(start(file, []).findTool('b', table)).toBeUndefined()
})

test('a tool without a fingerprint of its program is not cached', async () => {
  const file = makeFile()
  const unseen = {
    fingerprints: seenAs(({ command }) => (command === './tool' ? 'f1' : undefined)),
  }
  const { describe, keepTool, settled } = start(file, [known('old')], unseen)
  await describe(program)
  keepTool('a', { ...table, command: 'npx tool' }, made)
  await settled()
  expect(keptIn(file).tools).toEqual({})
})
