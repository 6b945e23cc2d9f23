import { createTerminalStyle, sanitizeTerminalText } from '@toolblocks/renderer'
import { describe, expect, test } from 'vitest'
import { type Ran, toolblocks, visit } from '../../toolblocks.support.ts'
import { TWO_TURNS, useConversations } from '../conversations.support.ts'
import { markWords, searchWords } from './search-conversations.ts'

const workspace = useConversations()

const search = async (...args: string[]): Promise<Ran> =>
  await toolblocks(workspace.folder, 'conversations', 'search', ...args)

describe('toolblocks conversations search', () => {
  test('shows the events that contain all words, the last event first', async () => {
    await workspace.keep('lamps', ...TWO_TURNS.slice(0, 6))
    const { code, stdout } = await search('lamps')
    expect(stdout).toBe(
      'Count the lamps, please.  lamps #6  tool result · 2026-05-06 07:05 UTC\n  Seven lamps.\n' +
        'Count the lamps, please.  lamps #3  tool call · 2026-05-06 07:02 UTC\n  count_lamps {"room":"hall","list":[1,2]}\n' +
        'Count the lamps, please.  lamps #2  user message · 2026-05-06 07:01 UTC\n  Count the lamps, please.\n',
    )
    expect(code).toBe(0)
    expect((await search('lamps seven')).stdout).toMatch(
      /^Count the lamps, please\.  lamps #6 .*\n.*\n$/,
    )
  })

  test('the words are bold at a terminal', async () => {
    await workspace.keep('lamps', ...TWO_TURNS)
    const { written } = await visit(
      workspace.folder,
      ['conversations', 'search', 'SEVEN lamps'],
      [],
    )
    expect(written).toContain('\u001B[1mSeven\u001B[22m \u001B[1mlamps\u001B[22m.')
  })

  test('--in searches one conversation, which must exist', async () => {
    await workspace.keep('lamps', ...TWO_TURNS)
    await workspace.keep('other', ...TWO_TURNS)
    const { stdout } = await search('lamps', '--in', 'other', '--limit', '1')
    expect(stdout).toMatch(/^Count the lamps, please\.  other #10 .*\n.*\n$/)
    const { code, stderr } = await search('lamps', '--in', 'othr')
    expect(code).toBe(2)
    expect(stderr).toContain('did you mean "other"?')
  })

  test('a text of more than 500 characters is refused', async () => {
    const { code, stderr } = await search('lamp '.repeat(101))
    expect({ code, stderr }).toEqual({
      code: 2,
      stderr: 'error: the text has 505 characters; expected at most 500: search for fewer words\n',
    })
  })

  test('--output json prints the hits', async () => {
    await workspace.keep('lamps', ...TWO_TURNS)
    expect(JSON.parse((await search('seven lamps', '--output', 'json')).stdout)).toEqual([
      {
        conversation: 'lamps',
        seq: 6,
        at: '2026-05-06T07:05:00.000Z',
        type: 'tool_result',
        excerpt: 'Seven lamps.',
        title: 'Count the lamps, please.',
      },
    ])
  })

  test('reports that nothing was found, or that the text has no word', async () => {
    await workspace.keep('lamps', ...TWO_TURNS)
    expect(await search('mouse')).toEqual({ code: 0, stdout: '', stderr: 'Nothing was found.\n' })
    const { code, stderr } = await search('...')
    expect(code).toBe(2)
    expect(stderr).toBe('error: "..." contains no word; expected letters or digits\n')
  })
})

const style = createTerminalStyle('ansi')

const bold = (text: string): string => `\u001B[1m${text}\u001B[22m`

test('words are letters and digits, with any characters between them', () => {
  expect(searchWords('two-words, "ÄÖ" .*+7')).toEqual(['two', 'words', 'ÄÖ', '7'])
  expect(searchWords(' .* ')).toEqual([])
})

test('every word is bold, in any case; a longer word is matched before its beginning', () => {
  expect(markWords('The LAMP, lamps', ['lamp', 'lamps'], style)).toBe(
    `The ${bold('LAMP')}, ${bold('lamps')}`,
  )
})

test('without colours the line is unchanged', () => {
  expect(markWords('a lamp', ['lamp'], createTerminalStyle('none'))).toBe('a lamp')
})

test('the text between the words is sanitized', () => {
  const marked = markWords('\u001B[2Jlamp\u202E', ['lamp'], style)
  expect(sanitizeTerminalText(marked)).toBe(marked)
  expect(marked).toBe(`\\u{1B}[2J${bold('lamp')}\\u{202E}`)
})
