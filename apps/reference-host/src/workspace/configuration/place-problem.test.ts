import { expect, test } from 'vitest'
import { placeProblem, placeSchemaProblem } from './place-problem.ts'

test.for<[string, Record<string, unknown>]>([
  ['/tools/x/run', {}],
  ['/tools/x/run', { tools: null }],
  ['/tools/x/run/length', { tools: { x: { run: 'asks' } } }],
  ['/tools/x/run', { tools: { x: 1 } }],
  ['/tools/x/run', { tools: { x: { run: 1 } } }],
  ['/tools/x/run', { tools: { x: Object.create({ run: 'asks' }) } }],
])('a problem at %s of %j gets no suggestion', ([path, value]) => {
  expect(placeProblem({ path, message: 'wrong', code: 'enum' }, value)).toEqual({
    path: path.split('/').slice(1),
    message: 'wrong',
  })
})

test('a typed word may be one of its place, or one of a schema', () => {
  const value = { tools: { x: { run: 'asks' } } }
  const problem = { path: '/tools/x/run', message: 'wrong', code: 'enum' }
  expect(placeProblem(problem, value).message).toBe('wrong; did you mean "ask"?')
  const type = { path: '/a/type', message: 'wrong' }
  expect(placeSchemaProblem(type, ['p'], { a: { type: 'strng' } })).toEqual({
    path: ['p', 'a', 'type'],
    message: 'wrong; did you mean "string"?',
  })
})

test('only the address of a store is described by its forms', () => {
  const url = { path: '/store/url', message: 'wrong', got: 'string "x"' }
  expect(placeProblem({ ...url, code: 'pattern' }, {}).message).toBe(
    'expected "sqlite:PATH" or "postgres://…", got string "x"',
  )
  expect(placeProblem({ ...url, code: 'type' }, {}).message).toBe('wrong')
  expect(placeProblem({ ...url, path: '/store', code: 'pattern' }, {}).message).toBe('wrong')
})

test('an unknown key is reported with the known ones, also at the top', () => {
  const unknown = (path: string): string =>
    placeProblem({ path, message: 'wrong', code: 'additionalProperties' }, {}).message
  expect(unknown('/stor')).toBe(
    'is not a known key; did you mean "store"? Expected tools, mcp, format, deduplication, budget, tool_search, model, agents, prompts, resources, serve, approvals, questions, store',
  )
  expect(unknown('/store/ur')).toBe('is not a known key; did you mean "url"? Expected url')
  expect(unknown('/approvals/deny')).toBe(
    'is not a known key; expected rules, such as rules = ["deny git(command^=git push)"]',
  )
})
