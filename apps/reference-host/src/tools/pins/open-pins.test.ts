import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
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
  expect(warnings).toEqual([expect.stringContaining('is not recorded')])
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
  expect(left).toMatchObject([{ tool: 'a', reason: 'changed', path: ['tools', 'a'] }])
  expect(record([])).toBeUndefined()
  expect(openPins(configuration, changed).tools).toEqual([])
  record(['a'])
  expect(openPins(configuration, changed).tools).toEqual(changed)
})
