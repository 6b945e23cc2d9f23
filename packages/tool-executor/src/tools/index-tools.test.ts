import { expect, test } from 'vitest'
import { createSuccessResult } from '@toolblocks/protocol'
import { createToolExecutor } from '../create-tool-executor.ts'
import { answering } from '../executor.suite.ts'
import type { ToolEntry } from './tool-entry.ts'

test.for<[string, unknown, string]>([
  ['a tool itself', answering(createSuccessResult([])).tool, 'got a tool itself; write {tool: …}'],
  ['a tool without execute', { tool: { name: 'a' } }, 'got {"tool":{"name":"a"}}'],
  ['nothing', null, 'tools[0]: expected {tool, policy?, …}'],
  [
    'a misspelled policy',
    { ...answering(createSuccessResult([])), policy: 'unatended' },
    'tools[0] ("answer"): policy: expected unattended, ask, deny, skip, got "unatended".',
  ],
])('%s for an entry is refused with what was expected', ([, entry, message]) => {
  const options = { tools: [entry] } as { tools: ToolEntry[] }
  expect(() => createToolExecutor(options)).toThrow(
    expect.objectContaining({
      code: 'bad-entry',
      message: expect.stringContaining(message) as string,
    }),
  )
})
