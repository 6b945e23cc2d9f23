import {
  createSuccessResult,
  type CallContext,
  type InputRequest,
  type Tool,
} from '@toolblocks/protocol'
import { createToolExecutor, type ToolEntry } from '@toolblocks/tool-executor'
import { expect, test } from 'vitest'
import { readTypedAnswers, type TypedAnswers } from './typed-answers.ts'

const go: InputRequest = { id: 'go', text: 'Go?', schema: { type: 'boolean' } }

/** A tool that asks questions and returns their answers. */
function asking(routes: ToolEntry['routes'] = {}): ToolEntry {
  const tool: Tool = {
    name: 'tool',
    inputSchema: {},
    execute: async (_call, { answers }) =>
      createSuccessResult([
        Object.hasOwn(answers, 'go')
          ? { type: 'text', text: `answered ${JSON.stringify(answers['go'])}` }
          : { type: 'question', question: go },
      ]),
  }
  return { tool, policy: 'unattended', routes }
}

function typed(...pairs: string[]): TypedAnswers {
  const read = readTypedAnswers(pairs)
  if (!read.ok) throw new Error(read.message)
  return read.typed
}

async function call(entry: ToolEntry, answers: TypedAnswers, more: Partial<CallContext> = {}) {
  const executor = createToolExecutor({ tools: [answers.reading(entry)] })
  const signal = new AbortController().signal
  const context = { signal, root: '/', answers: answers.answers, ...more }
  const { content } = await executor.execute({ id: 'c', name: 'tool', arguments: {} }, context)
  return content
}

test('an answer is read with the schema of its question', async () => {
  expect(await call(asking(), typed('go=true'))).toEqual([{ type: 'text', text: 'answered true' }])
})

test('a typed answer takes priority over the configuration, also for questions to the model', async () => {
  const configured = asking({ go: { answer: true } })
  expect(await call(configured, typed('go=false'))).toMatchObject([{ text: 'answered false' }])
  const forModel = asking({ go: { target: 'assistant' } })
  expect(await call(forModel, typed('go=false'))).toMatchObject([{ text: 'answered false' }])
})

test('an answer that does not match its schema ends the call, and no person is asked', async () => {
  const answers = typed('go=perhaps')
  const user = () => Promise.reject(new Error('somebody was asked'))
  const [block] = await call(asking(), answers, { ask: { user } })
  expect(block).toMatchObject({ text: '--answer go: expected boolean, got string "perhaps"' })
  expect(answers.validationErrors).toEqual(['--answer go: expected boolean, got string "perhaps"'])
})

test('an answer to a question that was not asked is reported, with a suggestion', async () => {
  const answers = typed('goo=true', 'go=true')
  await call(asking(), answers)
  expect(answers.unused()).toEqual(['--answer goo: not used; did you mean "go"? The tool asked go'])
  expect(typed('go=true').unused()).toEqual([
    '--answer go: the tool asked no question, so this answer was not used',
  ])
})

test('a live call is aborted if its answer does not match the schema', async () => {
  const actions: string[] = []
  const { tool } = asking()
  const live: Tool = {
    ...tool,
    spawn: async () => ({
      started: createSuccessResult([{ type: 'question', question: go }]),
      fetch: async () => createSuccessResult([]),
      apply: async () => createSuccessResult([]),
      abort: async () => {
        actions.push('abort')
        return createSuccessResult([])
      },
    }),
  }
  const answers = typed('go=perhaps')
  const executor = createToolExecutor({
    tools: [answers.reading({ tool: live, policy: 'unattended' })],
  })
  const values = { action: 'spawn', id: 'a' }
  await executor.execute(
    { id: 'c', name: 'tool', arguments: values },
    { signal: new AbortController().signal, root: '/', answers: answers.answers },
  )
  expect(actions).toEqual(['abort'])
  expect(answers.validationErrors).toHaveLength(1)
})

test.for<[string[], string]>([
  [['x'], '--answer "x": expected id=value'],
  [['=x'], '--answer "=x": expected id=value'],
  [['a=1', 'a=2'], '--answer "a=2": "a" has two answers; write a list as JSON'],
])('%j gets an error with the expected form', ([pairs, message]) => {
  expect(readTypedAnswers(pairs)).toEqual({ ok: false, message })
})
