import { expect, test } from 'vitest'
import { createErrorResult, createSuccessResult } from './create-result.ts'

const content = [{ type: 'text', text: 'a' }] as const

test('a success has its blocks and is no error', () => {
  expect(createSuccessResult(content)).toStrictEqual({ content, isError: false })
})

test('an error may be a text, which becomes one block', () => {
  expect(createErrorResult('a')).toStrictEqual({ content, isError: true })
  expect(createErrorResult(content)).toStrictEqual({ content, isError: true })
})

test('id and metadata are set where they are given', () => {
  const metadata = { outcome: 'failed' } as const
  expect(createSuccessResult([], 'call_1', metadata)).toStrictEqual({
    id: 'call_1',
    content: [],
    isError: false,
    metadata,
  })
  expect(createErrorResult('a', 'call_1', metadata)).toStrictEqual({
    id: 'call_1',
    content,
    isError: true,
    metadata,
  })
})
