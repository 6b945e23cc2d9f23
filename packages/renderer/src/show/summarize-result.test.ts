import { sayAndQuote, type ToolResult } from '@toolblocks/protocol'
import { expect, test } from 'vitest'
import { summarizeResult } from './summarize-result.ts'

const text = (said: string) => ({ type: 'text', text: said }) as const
const image = { type: 'image', data: 'QQ==', mimeType: 'image/png' } as const

test.for<[Partial<ToolResult>, string]>([
  [{}, 'no output'],
  [{ content: [text('\n first\nsecond')] }, 'first'],
  [{ content: [text(' \n'), text('said')] }, 'said'],
  [{ content: [image, text('said')] }, 'said'],
  [{ content: [image] }, 'image'],
  [{ content: [image, image] }, '2 blocks'],
  [{ content: [text(' ')] }, 'text'],
  [{ structuredContent: { a: 1, b: 2 } }, '2 fields'],
  [{ structuredContent: [1] }, '1 item'],
  [{ structuredContent: null }, 'null'],
  [{ structuredContent: { a: 1 }, content: [text('said')] }, 'said'],
  [{ structuredContent: { kind: 'text', data: { content: 'of a value' } } }, 'of a value'],
  [{ structuredContent: { kind: 'text', content: 'older' }, content: [text('said')] }, 'older'],
  [
    { structuredContent: { kind: 'git.log', data: [1, 2] }, content: [text('said')] },
    'git.log: 2 items',
  ],
  [{ structuredContent: { kind: 'git.log', count: 2 }, content: [text('said')] }, 'said'],
  [
    {
      structuredContent: {
        kind: 'text',
        data: { content: 'a' },
        display: { preferredView: 'hidden' },
      },
    },
    'text: hidden',
  ],
  [{ isError: true }, 'failed'],
  [{ isError: true, content: [text('no such file\nat a')] }, 'failed: no such file'],
  [
    { isError: true, content: sayAndQuote('The call failed.', 'no disk\nat a') },
    'failed: The call failed. no disk',
  ],
  [{ isError: true, content: [text('out'), ...sayAndQuote('It ended.', 'why')] }, 'failed: out'],
  [
    {
      isError: true,
      content: [text('a')],
      structuredContent: { kind: 'text', data: { content: 'b' } },
    },
    'failed: a',
  ],
  [{ isError: true, metadata: { outcome: 'denied' } }, 'denied'],
  [{ isError: true, metadata: { outcome: 'denied', skipped: true } }, 'skipped'],
  [{ isError: true, metadata: { outcome: 'cancelled' } }, 'cancelled'],
  [{ isError: true, metadata: { outcome: 'timeout' } }, 'timed out'],
  [
    { isError: true, metadata: { outcome: 'unanswered' } },
    'unanswered: the tool asked, and there was nobody to answer',
  ],
  [{ isError: true, metadata: { outcome: 'failed' } }, 'failed'],
])('%j in one line is %j', ([result, line]) => {
  expect(summarizeResult({ content: [], isError: false, ...result })).toBe(line)
})
