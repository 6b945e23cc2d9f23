import fc from 'fast-check'
import type { ConversationEvent, HistoryEntry } from '@toolblocks/conversation-store'
import { expect, test } from 'vitest'
import { codeSpan, renderMarkdownExport } from './render-markdown.ts'

const time = '2026-05-06T07:00:00.000Z'

const about = { title: 'A [b](javascript:c) `d`', model: '# m' }

const write = (...events: readonly ConversationEvent[]): string => {
  const entries = events.map((event, index): HistoryEntry => ({
    seq: index + 1,
    at: time,
    turn: 1,
    event,
  }))
  return [...renderMarkdownExport('c', entries, { about, format: {} })].join('')
}

test('every text of a message, a call or a result is in a quotation', () => {
  const hostile = fc.array(fc.constantFrom('\n', '\r', '# x', '```', '`', '<!--', 'a ', '\u2028'))
  fc.assert(
    fc.property(
      hostile.map((pieces) => pieces.join('')),
      (text) => {
        const content = [{ type: 'text', text }] as const
        const written = write(
          { type: 'user_message', content },
          { type: 'tool_call', call: { id: text, name: text, arguments: { [text]: text } } },
          { type: 'tool_result', result: { id: text, content, isError: false } },
        )
        const own = written.split(/\r\n?|\n/).filter((line) => line !== '' && !line.startsWith('>'))
        expect(own.slice(0, 3)).toEqual([
          '# A \\[b\\](javascript:c) \\`d\\`',
          'Conversation `c`, with `# m`',
          '## Turn 1, 2026-05-06 07:00 UTC',
        ])
        expect(own.slice(3)).toEqual(['### Person', expect.stringMatching(/^### Call/)])
      },
    ),
  )
})

test('the values of settings are written up to 60 lines, and counted above', () => {
  const settings = (count: number): string =>
    write({
      type: 'configuration',
      values: { tools: Array.from({ length: count }, (_, index) => index) },
    })
  expect(settings(56)).toContain('55')
  expect(settings(57)).not.toContain('55')
  expect(settings(57)).toContain('(61 lines of JSON, which the export as JSON Lines has)')
})

test('edits are diffs, to-do items a list, commands code, and the model’s text of a result is omitted', () => {
  const call = (id: string, callArguments: object): ConversationEvent => ({
    type: 'tool_call',
    call: { id, name: 'tool', arguments: callArguments as never },
  })
  const result: ConversationEvent = {
    type: 'tool_result',
    result: { id: 'b', content: [{ type: 'text', text: 'ok' }], isError: false },
  }
  const written = write(
    call('a', { file_path: '/w/a.ts', old_string: 'let a', new_string: 'let b\nlet c\n' }),
    call('b', { command: 'npm test' }),
    result,
    { type: 'delivery', callId: 'b', deliveries: [], text: 'ok' },
    call('c', { todos: [{ content: 'Look', status: 'completed' }, { content: 'Mend' }] }),
  )
  expect(written.slice(written.indexOf('### Call'))).toBe(
    [
      '### Call `tool` `/w/a.ts`',
      '',
      '> ```diff',
      '> --- /w/a.ts',
      '> +++ /w/a.ts',
      '> -let a',
      '> +let b',
      '> +let c',
      '> ```',
      '',
      '### Call `tool` `npm test`',
      '',
      '> ```sh',
      '> npm test',
      '> ```',
      '',
      '> ok',
      '',
      '### Call `tool`',
      '',
      '> - [x] `Look`',
      '> - [ ] `Mend`',
      '',
    ].join('\n'),
  )
})

test.for([
  ['a plain name', 'read_file', '`read_file`'],
  ['backticks', 'a``b', '``` a``b ```'],
  ['line ends, controls and what is invisible', 'a\n# b\u0007\u202Ec', '`a # b c`'],
  ['half a character', 'a\uD800', '`a`'],
  ['nothing', ' \n', ''],
  ['a long one', 'x'.repeat(300), `\`${'x'.repeat(200)}\``],
] as const)('%s', ([, text, expected]) => {
  expect(codeSpan(text)).toBe(expected)
})
