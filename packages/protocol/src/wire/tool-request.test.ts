import { expect, test } from 'vitest'
import { ACTIONS, isToolRequest } from './tool-request.ts'

const context = { action: 'run', root: '/w', access: null }
const tool = { name: 'read' }

test.for([
  { context },
  ...ACTIONS.map((action) => ({ context: { ...context, action } })),
  { seq: 0, context: { ...context, workspace_id: 'w', conversation_id: 'c' }, tool },
  { context, tool: { ...tool, arguments: {}, answers: { a: null }, options: {}, input: null } },
])('%j is a request', (request) => {
  expect(isToolRequest(request)).toBe(true)
})

test.for([
  null,
  {},
  { seq: -1, context },
  { context: null },
  { context: { root: '/w' } },
  { context: { action: 'run' } },
  { context: { action: 'walk', root: '/w' } },
  { context: { ...context, root: 7 } },
  { context: { ...context, workspace_id: 7 } },
  { context: { ...context, conversation_id: null } },
  { context, tool: null },
  { context, tool: {} },
  { context, tool: { ...tool, arguments: [] } },
  { context, tool: { ...tool, answers: 'none' } },
  { context, tool: { ...tool, options: null } },
  { context, tool: { ...tool, input: undefined } },
])('%j is not a request', (request) => {
  expect(isToolRequest(request)).toBe(false)
})
