import type { ToolContext } from '@toolblocks/protocol'
import { expect, test } from 'vitest'
import { liveRequest, toolRequest, serializeRequest } from './tool-request.ts'

const call = { id: 'c', name: 'called', arguments: { a: 1 } }
const context: ToolContext = {
  root: '/w',
  answers: { q: true },
  signal: new AbortController().signal,
}

test('a program receives the action, the workspace and the call, and nothing else of the host', () => {
  expect(toolRequest('run', 'entry', { call, context })).toStrictEqual({
    context: { action: 'run', root: '/w', access: null, call_id: 'c' },
    tool: { name: 'entry', arguments: { a: 1 }, answers: { q: true }, options: {} },
  })
})

test('it receives its options, its workspace and its conversation if they are known', () => {
  const known = { ...context, options: { o: 1 }, workspaceId: 'w1', conversationId: 'c1' }
  expect(toolRequest('spawn', 'entry', { call, context: known })).toStrictEqual({
    context: {
      action: 'spawn',
      root: '/w',
      access: null,
      workspace_id: 'w1',
      conversation_id: 'c1',
      call_id: 'c',
    },
    tool: { name: 'entry', arguments: { a: 1 }, answers: { q: true }, options: { o: 1 } },
  })
})

test('formatting needs no answers', () => {
  const { tool } = toolRequest('format_arguments', 'entry', { call, context })
  expect(tool).toStrictEqual({ name: 'entry', arguments: { a: 1 }, options: {} })
})

test('a tool that is already running receives only new values', () => {
  const values = { input: 'more' }
  expect(liveRequest('apply', 'entry', { call, context, values })).toStrictEqual({
    context: { action: 'apply', root: '/w', access: null },
    tool: { name: 'entry', input: 'more' },
  })
})

test('a request is one line of JSON, or undefined if that is not possible', () => {
  const request = liveRequest('fetch', 'entry', { call, context, values: {} })
  expect(serializeRequest({ ...request, seq: 1 })).toBe(JSON.stringify({ ...request, seq: 1 }))
  const odd = { call: { ...call, arguments: { n: 1n } }, context }
  expect(serializeRequest(toolRequest('run', 'entry', odd))).toBeUndefined()
})
