import type { ToolResult } from '@toolblocks/protocol'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { createImageWriter } from '../images/create-image-writer.ts'
import { loadContentReaders } from '../readers/load-content-readers.ts'
import { hostileText } from '../sanitize/attack-fragments.support.ts'
import { createTerminalOracle } from '../sanitize/terminal-oracle.support.ts'
import { showResult } from '../show/show-result.ts'
import { renderTerminal } from './render-terminal.ts'

const readers = await loadContentReaders()
const makeMarkdown = (hostile: string): string =>
  `# ${hostile}\n\n${hostile}\n\n- ${hostile}\n\n> ${hostile}\n\n|${hostile}|b|\n|-|-|\n|${hostile}|c|\n\n` +
  `[${hostile}](https://a.b/${hostile}) ![${hostile}](${hostile}) \`${hostile}\`\n\n\`\`\`${hostile}\n${hostile}\n\`\`\`\n`

/** Every character as a numeric Markdown reference. */
const byNumber = (text: string): string =>
  Array.from(text, (character) => `&#${character.codePointAt(0)};`).join('')

/** Values with a tool's text in every place for text. */
const makeValues = (hostile: string): readonly unknown[] => [
  { kind: 'text', mimeType: 'text/markdown', data: { content: makeMarkdown(hostile) } },
  {
    kind: 'text',
    mimeType: 'text/markdown',
    data: { content: `${byNumber(hostile)} [${byNumber(hostile)}](https://${byNumber(hostile)})` },
  },
  { kind: 'text', mimeType: 'text/rust', data: { content: `fn "${hostile}" // ${hostile}` } },
  { kind: 'file_content', data: { path: 'a.html', content: `<b ${hostile}>${hostile}`, size: 1 } },
  {
    kind: 'file_list',
    data: { path: hostile, entries: [{ name: hostile, modified: hostile, size: 1 }] },
  },
  {
    kind: 'diff',
    data: {
      path: hostile,
      original: `a b ${hostile}\n`,
      modified: `a c ${hostile}\n`,
      isNew: false,
    },
  },
  { kind: 'a.b', data: `@@ -1 +1 @@\n-${hostile}\n+a`, display: { preferredView: 'diff' } },
  {
    kind: 'table',
    data: {
      columns: [{ key: 'a', label: hostile }],
      rows: [{ a: hostile }, { a: `https://${hostile}` }],
    },
    display: { fieldTypes: { a: 'url' } },
  },
  { kind: 'a.b', data: [{ [hostile]: hostile }], summary: hostile },
  { kind: 'a.b', data: { [hostile]: [hostile] }, display: { preferredView: 'tree' } },
  { kind: 'a.b', data: hostile, summary: hostile, display: { collapsed: true } },
  {
    kind: 'image',
    mimeType: hostile,
    data: { base64: `iVBORw0KGgo${hostile}`, alt: hostile, url: `https://${hostile}` },
  },
]
const result: fc.Arbitrary<ToolResult> = hostileText(8).chain((hostile) =>
  fc.constantFrom(...makeValues(hostile)).map((structuredContent) => ({
    content: [{ type: 'text', mimeType: 'text/markdown', text: hostile }],
    isError: false,
    structuredContent,
    _meta: { ui: { resourceUri: hostile } },
  })),
)
const options = fc.record({
  colors: fc.constantFrom('none' as const, 'ansi' as const),
  columns: fc.constantFrom(20, 80, Infinity),
  links: fc.constantFrom('none' as const, 'osc8' as const),
  images: fc.constantFrom('kitty', 'iterm', 'sixel', 'blocks').map(createImageWriter),
})

// oxlint-disable-next-line no-control-regex -- links begin with it
const OUR_LINK = /\u001B\]8;;(?:(?:https?:|mailto:)[!-~]+)?\u001B\\/g

describe('for any value', () => {
  test(
    'no text controls the terminal, and only our links are links',
    { timeout: 30_000 },
    async () => {
      const oracle = createTerminalOracle()
      await fc.assert(
        fc.asyncProperty(result, options, async (hostile, renderOptions) => {
          const rendered = renderTerminal(hostile, { ...renderOptions, readers, root: '/home/ada' })
          expect(await oracle.readEffects(rendered.replaceAll(OUR_LINK, ''))).toEqual([])
        }),
        { numRuns: 400 },
      )
    },
  )

  test('the shown value is plain JSON: its copy is equal', () => {
    fc.assert(
      fc.property(result, (hostile) => {
        const parts = showResult(hostile, { readers })
        expect(JSON.parse(JSON.stringify(parts))).toStrictEqual(parts)
      }),
    )
  })

  test('of megabytes only a part is shown, unless everything is requested', () => {
    const text = `${'a '.repeat(500)}\n`.repeat(1000)
    for (const structuredContent of makeValues(text)) {
      const renderOptions = { readers, columns: 80, colors: 'ansi' } as const
      const rendered = renderTerminal(
        { content: [], isError: false, structuredContent },
        renderOptions,
      )
      expect(rendered.length).toBeLessThan(200_000)
    }
  })
})
