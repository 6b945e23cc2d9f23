import { expect, test } from 'vitest'
import { createSuccessResult } from '@toolblocks/protocol'
import { createToolExecutor } from './create-tool-executor.ts'
import { answering, getText } from './executor.support.ts'
import { type ToolEntry, indexTools, unknownTool } from './tool-entry.ts'

const EXPECTED = 'tools[0]: expected {tool, policy?, …} with a tool that has a name and execute'

test.for<[string, unknown, string]>([
  [
    'a tool itself',
    answering(createSuccessResult([])).tool,
    `${EXPECTED}, got a tool itself; write {tool: …}.`,
  ],
  ['a tool without execute', { tool: { name: 'a' } }, `${EXPECTED}, got {"tool":{"name":"a"}}.`],
  [
    'a tool without a name',
    { tool: { execute: () => undefined } },
    `${EXPECTED}, got {"tool":{}}.`,
  ],
  ['a tool that is not a tool', { tool: 'a' }, `${EXPECTED}, got {"tool":"a"}.`],
  ['an object with execute that is no function', { execute: 1 }, `${EXPECTED}, got {"execute":1}.`],
  ['nothing', null, `${EXPECTED}, got null.`],
  [
    'a misspelled policy',
    { ...answering(createSuccessResult([])), policy: 'unatended' },
    'tools[0] ("answer"): policy: expected unattended, ask, deny, skip, got "unatended".',
  ],
])('the invalid entry "%s" is refused with what was expected', ([, entry, message]) => {
  const options = { tools: [entry] } as { tools: ToolEntry[] }
  expect(() => createToolExecutor(options)).toThrow(
    expect.objectContaining({ name: 'ToolExecutorError', code: 'bad-entry', message }),
  )
})

test('a policy named like a property of every object is refused', () => {
  const entry = {
    ...answering(createSuccessResult([])),
    policy: 'toString',
  } as unknown as ToolEntry
  expect(() => createToolExecutor({ tools: [entry] })).toThrow('policy: expected unattended')
})

test('two tools with one name are refused', () => {
  const entry = answering(createSuccessResult([]))
  expect(() => indexTools([entry, entry])).toThrow(
    expect.objectContaining({
      code: 'duplicate-tool',
      message: 'Two tools are named "answer"; rename one.',
    }),
  )
})

test('a model that names an unknown tool gets the names of the existing ones', () => {
  expect(getText(unknownTool('c', ['b', 'a']))).toBe('There is no tool "c". The tools are: a, b.')
  expect(getText(unknownTool('c', []))).toBe('There is no tool "c". There are no tools.')
})
