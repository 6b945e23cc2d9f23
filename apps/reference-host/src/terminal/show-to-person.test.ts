import type { ToolResult } from '@toolblocks/protocol'
import { createRendererRegistry } from '@toolblocks/renderer'
import { expect, test } from 'vitest'
import { PICTURE } from '../demo/gallery.ts'
import { loadAbilities } from './show-to-person.ts'

const COLORS = { colors: 'ansi' } as const
const XTERM = { env: { TERM: 'xterm-256color' } }

function valued(structuredContent: unknown): ToolResult {
  return { content: [], isError: false, structuredContent }
}

const markdown = valued({ kind: 'text', mimeType: 'text/markdown', data: { content: '# Lamps' } })
const code = valued({
  kind: 'lamp',
  data: 'let a',
  display: { preferredView: 'code', language: 'ts' },
})
const picture = valued({ kind: 'image', mimeType: 'image/png', data: { base64: PICTURE } })

test('without colours nothing is loaded', async () => {
  expect(await loadAbilities([markdown, code, picture], { colors: 'none' }, XTERM)).toEqual({})
})

test('text needs no readers, and links are written if the terminal supports them', async () => {
  const text = [{ content: [{ type: 'text', text: '**lit**' }], isError: false }] as const
  expect(await loadAbilities(text, COLORS, XTERM)).toEqual({ links: 'none' })
  const known = { env: { TERM_PROGRAM: 'iTerm.app', TERM_PROGRAM_VERSION: '3.5.0' } }
  expect(await loadAbilities(text, COLORS, known)).toEqual({ links: 'osc8' })
})

test('Markdown, code and pictures in any result load their readers', async () => {
  const { readers, images } = await loadAbilities([markdown, code, picture], COLORS, XTERM)
  expect(readers?.readMarkdown('# a')).toMatchObject([{ kind: 'heading' }])
  expect(readers?.highlight('let a', 'ts')).toBeDefined()
  expect(readers?.highlight('a', 'py')).toBeUndefined()
  expect(images).toBeDefined()
})

test('the output of a renderer of the host decides what is loaded', async () => {
  const registry = createRendererRegistry().register('lamp', () => [
    { kind: 'media', media: 'image', name: 'lamp', facts: [], base64: PICTURE },
  ])
  const abilities = await loadAbilities([code], COLORS, { registry, ...XTERM })
  expect(Object.keys(abilities)).toEqual(['links', 'images'])
})
