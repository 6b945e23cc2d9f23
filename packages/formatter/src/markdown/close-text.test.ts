import { expect, test } from 'vitest'
import { closeText } from './close-text.ts'

test.for<readonly [string, string]>([
  ['words', 'See `x` and ```y``` for <b>more</b>.\n'],
  ['closed code', '```rs\nfn main() {}\n```\nand\n~~~\n```\n~~~  \n'],
  ['closed HTML', '<!-- a\n```\n--> b\n\n<div>\n\n<?xml?>\n'],
  ['code in a list', '- ```\n  a\n'],
  ['nothing', ''],
])('%s: nothing is open, and nothing is added', ([, text]) => {
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

test('where lists or incomplete tags decide, lines are added that close everything', () => {
  expect(closeText('- ```\n  ```\n```\n')).toBe(
    '- ```\n  ```\n```\n</pre> --> ?> ]]>\n```` end of text\n````',
  )
  expect(closeText('<a\n~~~\n')).toBe('<a\n~~~\n</pre> --> ?> ]]>\n~~~~ end of text\n~~~~')
})
