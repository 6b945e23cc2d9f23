import { createFailure, createSuccessResult } from '@toolblocks/protocol'
import { expect, test } from 'vitest'
import { watchTelemetry } from '../../protocol/src/telemetry/open-telemetry.support.ts'
import { createToolExecutor } from './create-tool-executor.ts'
import { answering, context, makeCall } from './executor.support.ts'
import { traceCalls } from './trace-calls.ts'

const WELL = createSuccessResult([{ type: 'text', text: 'well' }])

test('a call is a span of its tool, without its arguments and its result', async () => {
  const { telemetry, spans, series } = watchTelemetry()
  const executor = createToolExecutor({
    tools: [
      answering(async () => {
        telemetry.start({ name: 'inner', kind: 'client', attributes: {} }).end()
        return WELL
      }),
    ],
    telemetry,
  })
  const call = makeCall('answer', { password: 'swordfish' })
  await executor.execute(call, { ...context, conversationId: 'c' })
  const [inner, outer] = spans()
  const attributes = {
    'gen_ai.operation.name': 'execute_tool',
    'gen_ai.tool.name': 'answer',
    'gen_ai.tool.type': 'function',
  }
  expect(outer).toMatchObject({ name: 'execute_tool answer', kind: 'internal', isError: false })
  expect(outer?.attributes).toEqual({
    ...attributes,
    'gen_ai.tool.call.id': 'call-1',
    'gen_ai.conversation.id': 'c',
  })
  expect(inner?.parent).toBe(outer?.id)
  expect(await series('gen_ai.execute_tool.duration')).toMatchObject([{ count: 1, attributes }])
})

test.for([
  ['failed', createFailure('no')],
  ['timeout', createFailure('late', 'timeout')],
  ['failed', { content: [], isError: true }],
] as const)('the span of a failed call says %s', async ([error, result]) => {
  const { telemetry, spans } = watchTelemetry()
  const executor = createToolExecutor({ tools: [answering(result)], telemetry })
  await executor.execute(makeCall('answer'), context)
  expect(spans()).toMatchObject([{ isError: true, attributes: { 'error.type': error } }])
})

test('a call that is denied is a failure of its own', async () => {
  const { telemetry, spans } = watchTelemetry()
  const executor = createToolExecutor({ tools: [answering(WELL, { policy: 'deny' })], telemetry })
  await executor.execute(makeCall('answer'), context)
  expect(spans()).toMatchObject([{ attributes: { 'error.type': 'denied' } }])
})

test('tools that a model invents are one series', async () => {
  const { telemetry, series } = watchTelemetry()
  const executor = createToolExecutor({ tools: [answering(WELL)], telemetry })
  for (const name of ['a', 'b', 'constructor']) await executor.execute(makeCall(name), context)
  expect(await series('gen_ai.execute_tool.duration')).toMatchObject([
    { count: 3, attributes: { 'gen_ai.tool.name': '_OTHER' } },
  ])
})

test('arguments and results are reported only if the host wants them', async () => {
  const { telemetry, spans } = watchTelemetry({ captureContent: true })
  const executor = createToolExecutor({ tools: [answering(WELL)], telemetry })
  await executor.execute(makeCall('answer', { who: 'Ada' }), context)
  await executor.execute(makeCall('answer', { who: 'A'.repeat(100_000) }), context)
  expect(spans()[1]?.attributes['gen_ai.tool.call.arguments']).toHaveLength(65_536)
  expect(spans()[0]?.attributes).toMatchObject({
    'gen_ai.tool.call.arguments': '{"who":"Ada"}',
    'gen_ai.tool.call.result': '[{"type":"text","text":"well"}]',
  })
})

test('the span of a call ends also if its host fails', async () => {
  const { telemetry, spans } = watchTelemetry()
  const error = new Error('secret')
  const execute = traceCalls(
    async () => {
      throw error
    },
    { telemetry, isKnown: () => true },
  )
  await expect(execute(makeCall('answer'), context)).rejects.toBe(error)
  expect(spans()).toMatchObject([{ isError: true, attributes: { 'error.type': '_OTHER' } }])
})

test('an executor without telemetry reports nothing', async () => {
  const { spans } = watchTelemetry()
  await createToolExecutor({ tools: [answering(WELL)] }).execute(makeCall('answer'), context)
  expect(spans()).toEqual([])
})
