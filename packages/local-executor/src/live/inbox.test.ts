import type { Problem, TextContent } from '@toolblocks/protocol'
import { expect, test } from 'vitest'
import { createInbox } from './inbox.ts'
import type { LiveLine } from './live-line.ts'

const block = (text: string): TextContent => ({ type: 'text', text })

const line = (content: TextContent[], warnings: Problem[] = []): LiveLine => ({
  result: { content, isError: false },
  warnings,
})

const warning: Problem = { path: '/a', message: 'odd', code: 'odd' }

test('taken messages are in order, with their warnings, and are removed', () => {
  const inbox = createInbox(10)
  inbox.add(line([block('a'), block('b')], [warning]), 4)
  inbox.add(line([block('c')]), 6)
  expect(inbox.take()).toEqual(line([block('a'), block('b'), block('c')], [warning]))
  expect(inbox.take()).toEqual(line([]))
})

test('a message that does not fit is omitted, counted and reported; a later one that fits is kept', () => {
  const inbox = createInbox(10)
  inbox.add(line([block('a')]), 6)
  inbox.add(line([block('b')], [warning]), 5)
  inbox.add(line([block('c')]), 4)
  inbox.add(line([block('d')]), 3)
  expect(inbox.take()).toEqual(
    line(
      [block('a'), block('c')],
      [
        {
          path: '',
          message:
            'the tool printed more than is kept between two fetches: 8 bytes are lost; fetch more often',
          expected: 'at most 10 bytes',
          code: 'over-limit',
        },
      ],
    ),
  )
  inbox.add(line([block('e')]), 10)
  expect(inbox.take()).toEqual(line([block('e')]))
})
