import { expect, test } from 'vitest'
import { renderHtml } from './render-html.ts'

const entriesOf = (...entries: readonly object[]): string =>
  renderHtml({
    content: [],
    isError: false,
    structuredContent: { kind: 'file_list', data: { path: '/', entries } },
  })

test('entries have their sizes, and their times to the minute in UTC', () => {
  const html = entriesOf({
    name: 'a',
    type: 'file',
    size: 1834,
    modified: '2026-03-01T10:30:00+01:00',
  })
  expect(html).toContain('<td class="tb-to-right">1.8 KB</td><td>2026-03-01 09:30 UTC</td>')
  expect(entriesOf({ name: 'a', type: 'file', modified: 'yesterday' })).toContain(
    '<td>yesterday</td>',
  )
})

test('columns that no entry has anything for are not there', () => {
  const html = entriesOf({ name: 'a', type: 'file' }, { name: 'b', type: 'directory' })
  expect(html.match(/<th /g)).toHaveLength(1)
  expect(html.match(/<td>/g)).toHaveLength(2)
})
