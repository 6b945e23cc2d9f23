import { createTerminalStyle } from '@toolblocks/renderer'
import { loadContentReaders } from '@toolblocks/renderer/readers'
import { expect, test } from 'vitest'
import { renderEvent } from './render-event.ts'

const terminal = {
  colors: 'none',
  columns: 80,
  style: createTerminalStyle('none'),
} as const

test('what a model says is Markdown, and what a person says is text', async () => {
  const abilities = { readers: await loadContentReaders() }
  const view = { root: '/', lines: undefined, abilities }
  const content = [
    { type: 'text', text: 'It is **lit**.' },
    { type: 'text', text: '' },
  ] as const
  const render = (type: 'user_message' | 'assistant_message'): string =>
    renderEvent({ seq: 1, at: '', turn: 1, event: { type, content } }, terminal, view)
  expect(render('assistant_message')).toBe('#1   assistant\n     It is lit.')
  expect(render('user_message')).toContain('It is **lit**.')
})
