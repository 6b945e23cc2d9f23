import type { Problem, TextContent } from '@toolblocks/protocol'
import { expect, test } from 'vitest'
import { createInbox } from './inbox.ts'

const block = (text: string): TextContent => ({ type: 'text', text })

const warning: Problem = { path: '/a', message: 'odd', code: 'odd' }

test('taken messages are in order, with their warnings, and are removed', () => {
  const inbox = createInbox(10)
  inbox.add([block('a'), block('b')], [warning], 4)
  inbox.add([block('c')], [], 6)
  expect(inbox.take()).toEqual({
    content: [block('a'), block('b'), block('c')],
    warnings: [warning],
  })
  expect(inbox.take()).toEqual({ content: [], warnings: [] })
})

test('a message that does not fit is omitted, counted and reported; a later one that fits is kept', () => {
  const inbox = createInbox(10)
  inbox.add([block('a')], [], 6)
  inbox.add([block('b')], [warning], 5)
  inbox.add([block('c')], [], 4)
  inbox.add([block('d')], [], 3)
  expect(inbox.take()).toEqual({
    content: [block('a'), block('c')],
    warnings: [
      {
        path: '',
        message:
          'the tool printed more than is kept between two fetches: 8 bytes are lost; fetch more often',
        expected: 'at most 10 bytes',
        code: 'over-limit',
      },
    ],
  })
  inbox.add([block('e')], [], 10)
  expect(inbox.take()).toEqual({ content: [block('e')], warnings: [] })
})
