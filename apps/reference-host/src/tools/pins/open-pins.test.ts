import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createSuccessResult } from '@toolblocks/protocol'
import { expect, onTestFinished, test } from 'vitest'
import type { Configuration } from '../../configuration/configuration.ts'
import type { PinnedDefinition } from '../define-tool.ts'
import type { ResolvedTool } from '../resolve-tool.ts'
import { openPins } from './open-pins.ts'

function configuredIn(folder: string, name = 'toolblocks.toml'): Configuration {
  return {
    file: join(folder, name),
    root: folder,
    tools: { a: { source: 'local', command: 'a' } },
    mcp: { servers: {}, tools: {} },
    format: {},
    deduplication: {},
    budget: {},
    agents: {},
    locate: ({ path, message }) => ({ file: name, key: path.join('.'), message }),
  }
}

function saying(words: Partial<PinnedDefinition>, isPinned = false): ResolvedTool {
  const described = { name: 'a', inputSchema: { type: 'object' }, ...words }
  const tool = { ...described, execute: async () => createSuccessResult([]) }
  return { entry: { tool }, origins: {}, described, isPinned }
}

function makeFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'pins-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  return folder
}

test('every configuration has a file of its own, written in one step', () => {
  const folder = makeFolder()
  openPins(configuredIn(folder), [saying({})])
  openPins(configuredIn(folder, 'dev.toml'), [saying({})])
  expect(readdirSync(folder).toSorted()).toEqual(['dev.lock.json', 'toolblocks.lock.json'])
})

test('where it cannot be written, that is a warning, and the tools can be called', () => {
  const { warnings, tools } = openPins(configuredIn('/not/there'), [saying({}, true)])
  expect(warnings).toEqual([
    expect.stringMatching(
      /^what tools say of themselves is not recorded, so that a change goes unseen: \S/,
    ),
  ])
  expect(tools).toHaveLength(1)
})

test('the order of keys is no change; whether a tool stays alive is one', () => {
  const configuration = configuredIn(makeFolder())
  const changesOf = (words: Partial<PinnedDefinition>): number =>
    openPins(configuration, [saying(words)]).changes.length
  changesOf({ inputSchema: { type: 'object', minProperties: 1 } })
  expect(changesOf({ inputSchema: { minProperties: 1, type: 'object' } })).toBe(0)
  expect(changesOf({ inputSchema: { minProperties: 1, type: 'object' }, stateful: true })).toBe(1)
})

test('a pinned tool that has changed is left out until the change is recorded', () => {
  const configuration = configuredIn(makeFolder())
  openPins(configuration, [saying({})])
  const changed = [saying({ summary: 'New.' }, true)]
  const { tools, left, record } = openPins(configuration, changed)
  expect(tools).toEqual([])
  expect(left).toEqual([
    {
      tool: 'a',
      reason: 'changed',
      path: ['tools', 'a'],
      message:
        'pinned, and it describes itself otherwise than recorded, so it is left out: "toolblocks tools" shows the difference, and "toolblocks tools accept a" takes it',
    },
  ])
  expect(record([])).toBeUndefined()
  expect(openPins(configuration, changed).tools).toEqual([])
  record(['a'])
  expect(openPins(configuration, changed).tools).toEqual(changed)
})

test('a tool that is not pinned may be called though it has changed, which is said', () => {
  const configuration = configuredIn(makeFolder())
  openPins(configuration, [saying({})])
  const changed = [saying({ summary: 'New.' })]
  const { tools, left, changes, warnings } = openPins(configuration, changed)
  expect([tools, left, warnings]).toEqual([changed, [], []])
  expect(changes).toMatchObject([
    { tool: 'a', isPinned: false, now: { definition: { summary: 'New.' } } },
  ])
  expect(changes[0]?.before.definition).not.toHaveProperty('summary')
})

test('where what is recorded cannot be read, pinned tools are left out and nothing is written over it', () => {
  const configuration = configuredIn(makeFolder())
  const file = join(configuration.root, 'toolblocks.lock.json')
  writeFileSync(file, '{')
  const [free, pinned] = [saying({}), saying({ name: 'b' }, true)]
  const opened = openPins(configuration, [free, pinned])
  expect(opened).toMatchObject({ file, tools: [free], changes: [] })
  expect(opened.left).toEqual([
    {
      tool: 'b',
      reason: 'changed',
      path: ['tools', 'b'],
      message: 'pinned, and what is recorded of it cannot be read, so it is left out',
    },
  ])
  expect(opened.warnings).toEqual([opened.record(['b'])])
  expect(opened.warnings[0]).toContain(`${file} cannot be used: `)
  expect(readFileSync(file, 'utf8')).toBe('{')
})

test('pins of tools that are configured no more go when others are recorded', () => {
  const configuration = configuredIn(makeFolder())
  const file = join(configuration.root, 'toolblocks.lock.json')
  const names = (): string[] => Object.keys(JSON.parse(readFileSync(file, 'utf8')).tools)
  openPins(configuration, [saying({ name: 'a' }), saying({ name: 'gone' })])
  expect(names()).toEqual(['a', 'gone'])
  openPins(configuration, [saying({ name: 'a' })])
  expect(names()).toEqual(['a', 'gone'])
  const more = {
    ...configuration,
    tools: { ...configuration.tools, b: { source: 'local', command: 'b' } },
  }
  openPins(more, [saying({ name: 'b' })])
  expect(names()).toEqual(['a', 'b'])
})
