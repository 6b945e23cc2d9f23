import { createSuccessResult } from '@toolblocks/protocol'
import {
  existsSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeEach, expect, onTestFinished, test, vi } from 'vitest'
import type { Configuration } from '../configuration/configuration.ts'
import type { PinnedDefinition } from '../tools/define-tool.ts'
import type { ResolvedTool } from '../tools/resolve-tools.ts'
import {
  definitionLines,
  getPin,
  getPinFile,
  type OpenedPins,
  openPins,
  readPins,
  writePins,
} from './pins.ts'

function configuredIn(folder: string, name = 'toolblocks.toml'): Configuration {
  return {
    file: join(folder, name),
    root: folder,
    tools: { a: { source: 'local', command: 'a' } },
    mcp: { servers: {}, tools: {} },
    format: {},
    deduplication: {},
    budget: {},
    tool_search: {},
    agents: {},
    prompts: {},
    locate: ({ path, message }) => ({ file: name, key: path.join('.'), message }),
  }
}

function saying(definition: Partial<PinnedDefinition>, isPinned = false): ResolvedTool {
  const described = { name: 'a', inputSchema: { type: 'object' }, ...definition }
  const tool = { ...described, execute: async () => createSuccessResult([]) }
  return { tool, origins: {}, described, isPinned }
}

function makeFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'pins-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  return folder
}

/** The locks of these tests are not among those of the person who runs them. */
beforeEach(() => {
  vi.stubEnv('XDG_DATA_HOME', makeFolder())
  onTestFinished(() => void vi.unstubAllEnvs())
})

/** Opens the pins of a configuration that has these tools in its file. */
async function open(
  configuration: Configuration,
  tools: readonly ResolvedTool[],
  configured: readonly string[] = ['a'],
): Promise<OpenedPins> {
  return await openPins(configuration, tools, {
    readConfigured: async () => (name) => configured.includes(name),
  })
}

test('every configuration has a file of its own, written in one step', async () => {
  const folder = makeFolder()
  await open(configuredIn(folder), [saying({})])
  await open(configuredIn(folder, 'dev.toml'), [saying({})])
  expect(readdirSync(folder).toSorted()).toEqual(['dev.lock.json', 'toolblocks.lock.json'])
})

test('if it cannot be written, there is a warning, and the tools can be called', async () => {
  const { warnings, tools } = await open(configuredIn('/not/there'), [saying({}, true)])
  expect(warnings).toEqual([
    expect.stringMatching(
      /^the descriptions of tools are not recorded, so changes are not detected: \S/,
    ),
  ])
  expect(tools).toHaveLength(1)
})

test('the order of keys is not a change; becoming stateful is one', async () => {
  const configuration = configuredIn(makeFolder())
  const getChanges = async (definition: Partial<PinnedDefinition>): Promise<number> =>
    (await open(configuration, [saying(definition)])).changes.length
  await getChanges({ inputSchema: { type: 'object', minProperties: 1 } })
  expect(await getChanges({ inputSchema: { minProperties: 1, type: 'object' } })).toBe(0)
  expect(
    await getChanges({ inputSchema: { minProperties: 1, type: 'object' }, stateful: true }),
  ).toBe(1)
})

test('a pinned tool that has changed is omitted until the change is recorded', async () => {
  const configuration = configuredIn(makeFolder())
  await open(configuration, [saying({})])
  const changed = [saying({ summary: 'New.' }, true)]
  const { tools, left, record } = await open(configuration, changed)
  expect(tools).toEqual([])
  expect(left).toEqual([
    {
      tool: 'a',
      reason: 'changed',
      path: ['tools', 'a'],
      message:
        'pinned, and its description differs from the recorded one, so it is not available: "toolblocks tools" shows the difference, and "toolblocks tools accept a" accepts it',
    },
  ])
  expect(await record([])).toBeUndefined()
  expect((await open(configuration, changed)).tools).toEqual([])
  await record(['a'])
  expect((await open(configuration, changed)).tools).toEqual(changed)
})

test('a tool that is not pinned may be called although it has changed, with a warning', async () => {
  const configuration = configuredIn(makeFolder())
  await open(configuration, [saying({})])
  const changed = [saying({ summary: 'New.' })]
  const { tools, left, changes, warnings } = await open(configuration, changed)
  expect([tools, left, warnings]).toEqual([changed, [], []])
  expect(changes).toMatchObject([
    { tool: 'a', isPinned: false, now: { definition: { summary: 'New.' } } },
  ])
  expect(changes[0]?.before.definition).not.toHaveProperty('summary')
})

test('if the record cannot be read, pinned tools are omitted and it is not overwritten', async () => {
  const configuration = configuredIn(makeFolder())
  const file = join(configuration.root, 'toolblocks.lock.json')
  writeFileSync(file, '{')
  const [free, pinned] = [saying({}), saying({ name: 'b' }, true)]
  const opened = await open(configuration, [free, pinned])
  expect(opened).toMatchObject({ file, tools: [free], changes: [] })
  expect(opened.left).toEqual([
    {
      tool: 'b',
      reason: 'changed',
      path: ['tools', 'b'],
      message: 'pinned, and the record of its description cannot be read, so it is not available',
    },
  ])
  expect(opened.warnings).toEqual([await opened.record(['b'])])
  expect(opened.warnings[0]).toContain(`${file} cannot be used: `)
  expect(readFileSync(file, 'utf8')).toBe('{')
})

test('pins of tools that no file configures now are removed when others are recorded', async () => {
  const configuration = configuredIn(makeFolder())
  const file = join(configuration.root, 'toolblocks.lock.json')
  const names = (): string[] => Object.keys(JSON.parse(readFileSync(file, 'utf8')).tools)
  await open(configuration, [saying({ name: 'a' }), saying({ name: 'gone' })])
  expect(names()).toEqual(['a', 'gone'])
  await open(configuration, [saying({ name: 'a' })], ['a', 'b'])
  expect(names()).toEqual(['a', 'gone'])
  await open(configuration, [saying({ name: 'b' })], ['a', 'b'])
  expect(names()).toEqual(['a', 'b'])
})

test('a tool that another process records meanwhile is compared with that record, which is kept', async () => {
  const configuration = configuredIn(makeFolder())
  const file = getPinFile(configuration.file)
  const [changed, own] = [saying({}, true), saying({ name: 'b' })]
  const theirs = getPin({ name: 'a', inputSchema: { type: 'object' }, summary: 'Another.' })
  const { tools, changes } = await openPins(configuration, [changed, own], {
    readConfigured: async () => () => true,
    // Asked after the first look at the file, and before the lock is taken.
    isRecorded: () => {
      if (!existsSync(file)) writePins(file, new Map([['a', theirs]]))
      return true
    },
  })
  expect(tools).toEqual([own])
  expect(changes).toMatchObject([{ tool: 'a', before: theirs }])
  expect(readPins(file)).toMatchObject({
    pins: new Map([
      ['a', theirs],
      ['b', getPin({ name: 'b', inputSchema: { type: 'object' } })],
    ]),
  })
})

test('each line has its path, and texts have one line each', () => {
  const lines = definitionLines({
    name: 'a',
    summary: 'Reads.',
    description: 'One.\nTwo.',
    inputSchema: {
      type: 'object',
      properties: { 'a.b': { type: ['string', 'null'] }, c: {} },
      required: ['c'],
    },
    stateful: true,
  })
  expect(lines.split('\n')).toEqual([
    'description: "One."',
    'description: "Two."',
    'inputSchema.required: ["c"]',
    'inputSchema.type: "object"',
    'parameters."a.b".type: ["string","null"]',
    'parameters.c: {}',
    'stateful: true',
    'summary: "Reads."',
  ])
})

test('a schema that is not an object is also a line', () => {
  expect(definitionLines({ name: 'a', inputSchema: true })).toBe('inputSchema: true')
})

function makeFile(text?: string): string {
  const folder = mkdtempSync(join(tmpdir(), 'pin-file-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const file = join(folder, 'toolblocks.lock.json')
  if (text !== undefined) writeFileSync(file, text)
  return file
}

const pin = getPin({ name: 'a', inputSchema: { type: 'object' } })

const other = getPin({ name: 'b', inputSchema: true, summary: 'B.' })

test('pins are read back as written, by name, in a file that others may read', () => {
  const file = makeFile()
  writePins(
    file,
    new Map([
      ['b', other],
      ['a', pin],
    ]),
  )
  expect(readPins(file)).toEqual({
    ok: true,
    pins: new Map([
      ['a', pin],
      ['b', other],
    ]),
  })
  expect(readFileSync(file, 'utf8')).toBe(
    `${JSON.stringify({ version: 1, tools: { a: pin, b: other } }, null, 2)}\n`,
  )
  expect(statSync(file).mode & 0o777).toBe(0o644)
})

test('a missing file has no pins', () => {
  expect(readPins(makeFile())).toEqual({ ok: true, pins: new Map() })
})

const SHAPE = 'expected {"version":1,"tools":{…}}'

const DAMAGED = 'tools.a: the description does not match its sha256'

test.for<[unknown, string]>([
  [[], SHAPE],
  [{ version: 2, tools: {} }, SHAPE],
  [{ version: 1 }, SHAPE],
  [{ version: 1, tools: [] }, SHAPE],
  [{ version: 1, tools: { a: null } }, DAMAGED],
  [{ version: 1, tools: { a: { ...pin, sha256: other.sha256 } } }, DAMAGED],
  [{ version: 1, tools: { a: { sha256: pin.sha256 } } }, DAMAGED],
  [{ version: 1, tools: { b: other, a: { ...pin, definition: { name: 'a' } } } }, DAMAGED],
])('%j is reported, because an empty file would accept every change: %s', ([document, message]) => {
  const file = makeFile(JSON.stringify(document))
  expect(readPins(file)).toEqual({
    ok: false,
    message: `${file} cannot be used: ${message}; correct it, or delete it to record all descriptions anew`,
  })
})

test('invalid JSON and a folder are reported, too', () => {
  const file = makeFile('{')
  expect(readPins(file)).toMatchObject({
    ok: false,
    message: expect.stringContaining(`${file} cannot be used: `),
  })
  expect(readPins(tmpdir())).toMatchObject({ ok: false })
})

test.for([
  ['/w/toolblocks.toml', '/w/toolblocks.lock.json'],
  ['/w/dev', '/w/dev.lock.json'],
  ['/w/a.toml.toml', '/w/a.toml.lock.json'],
] as const)('the pins of %s are in %s', ([configuration, file]) => {
  expect(getPinFile(configuration)).toBe(file)
})
