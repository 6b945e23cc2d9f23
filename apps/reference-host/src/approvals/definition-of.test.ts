import { createSuccessResult, type Tool } from '@toolblocks/protocol'
import { expect, test } from 'vitest'
import type { Configuration } from '../configuration/configuration.ts'
import { definitionOf } from './definition-of.ts'

const tool: Tool = {
  name: 'a',
  inputSchema: { type: 'object' },
  execute: async () => createSuccessResult([]),
}
const local = { source: 'local', command: 'a' }
const server = { source: 'mcp.s.a', server: 's', tool: 'a' }
const tables = (more: object = {}, mcp: object = {}): Pick<Configuration, 'tools' | 'mcp'> => ({
  tools: { a: local },
  mcp: { servers: {}, tools: {}, ...mcp },
  ...more,
})
const hash = (said: Partial<Tool> = {}, kept = tables()): string =>
  definitionOf({ tool: { ...tool, ...said } }, kept)

test.for<[string, Partial<Tool>]>([
  ['title', { title: 'A' }],
  ['summary', { summary: 'A' }],
  ['description', { description: 'A' }],
  ['arguments', { inputSchema: { type: 'object', minProperties: 1 } }],
  ['results', { outputSchema: true }],
  ['hints', { annotations: { readOnlyHint: true } }],
])('another word of its %s makes another tool of it', ([, said]) => {
  expect(hash(said)).not.toBe(hash())
})

test('what nobody is told of a tool changes nothing', () => {
  expect(hash({ _meta: { a: 1 }, execute: async () => createSuccessResult([]) })).toBe(hash())
})

test('what is started for a tool is part of it, of its own table only', () => {
  expect(hash({}, tables({ tools: { a: { ...local, command: 'b' } } }))).not.toBe(hash())
  expect(hash({}, tables({ tools: { a: local, b: local } }))).toBe(hash())
  const servers = { s: { command: 'x' } }
  expect(hash({}, tables({}, { servers }))).toBe(hash())
})

test('of a tool of a server its table is part, and every server, since it does not say which', () => {
  const ofServer = (mcp: object): string => hash({}, tables({ tools: {} }, mcp))
  const known = ofServer({ tools: { a: server }, servers: { s: { command: 'x' } } })
  expect(ofServer({ tools: { a: server }, servers: { s: { command: 'y' } } })).not.toBe(known)
  expect(ofServer({ tools: {}, servers: { s: { command: 'x' } } })).not.toBe(known)
  expect(ofServer({ tools: { a: server, b: server }, servers: { s: { command: 'x' } } })).toBe(
    known,
  )
})

test('a tool that is called as every object has it has no table by that', () => {
  const odd = (more: object): string =>
    definitionOf({ tool: { ...tool, name: 'toString' } }, tables(more))
  expect(odd({})).toBe(odd({ tools: { b: local } }))
})
