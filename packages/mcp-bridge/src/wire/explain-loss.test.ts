import { expect, test } from 'vitest'
import { explainStatus } from './explain-loss.ts'

test('the page of a refusal is quoted up to 2000 characters', () => {
  const { serverText = '' } = explainStatus(500, ` ${'a page. '.repeat(1000)}`)
  expect(serverText).toHaveLength(2001)
  expect(serverText).toMatch(/^a page\. a page\. [^]*…$/)
  expect(explainStatus(500, ' short ').serverText).toBe('short')
})
