import { createQuestionForm } from '@toolblocks/inquiry/form'
import type { JsonSchema, JsonValue } from '@toolblocks/protocol'
import { expect, test } from 'vitest'
import { renderForm, type SentDraft } from './render-form.ts'

function render(schema: JsonSchema, value?: JsonValue, sent?: SentDraft): string {
  const request = {
    id: 'a',
    text: 'Which?',
    schema,
    ...(value !== undefined && { default: value }),
  }
  return renderForm({ id: 'q', request }, createQuestionForm(request), sent)
}

test('a value is shown beside a title that differs from it, because a title may be misleading', () => {
  const markup = render({
    oneOf: [
      { const: 'delete', title: 'Keep' },
      { const: 'x', title: 'X' },
    ],
  })
  expect(markup).toContain('Keep <code>delete</code>')
  expect(markup).toContain('<span>X</span>')
  const reversed = render({
    oneOf: [
      { const: true, title: 'No' },
      { const: false, title: 'Yes' },
    ],
  })
  expect(reversed).toContain('No <code>true</code>')
  expect(reversed).toContain('Yes <code>false</code>')
  expect(render({ type: 'boolean' })).not.toContain('<code>')
})

test('an optional choice may be omitted, and a required one is not chosen for the person', () => {
  const choice = { enum: ['a', 'b'] }
  const optional = render({ type: 'object', properties: { one: choice } })
  expect(optional).toMatch(/value="" checked> <span class="tb-facts">\(omit\)/)
  const required = render({ type: 'object', properties: { one: choice }, required: ['one'] })
  expect(required).not.toMatch(/\(omit\)|checked/)
  expect(render(choice, 'b')).toContain('value="1" checked')
})

test('more than twenty values are a list that opens', () => {
  const many = { enum: Array.from({ length: 21 }, (_, index) => `v${index}`) }
  expect(render(many, 'v3')).toMatch(/<select [^]*<option value="3" selected>v3</)
  expect(render({ enum: many.enum.slice(1) })).not.toContain('<select')
})

test.for([
  ['with characters that are not seen', 'a\u200Bb'],
  ['that is very long', 'x'.repeat(4001)],
])('a default %s is shown and not filled in', ([, text]) => {
  const markup = render({ type: 'string' }, text)
  expect(markup).toMatch(/<textarea[^>]*>\n<\/textarea>/)
  expect(markup).toContain('The default is not filled in')
})

test('a default of several lines is filled in with its line ends', () => {
  expect(render({ type: 'string' }, '\n"a"\n</textarea>')).toContain(
    'spellcheck="false">\n\n&quot;a&quot;\n&lt;/textarea&gt;</textarea>',
  )
})

test('what was sent replaces the default, also if it cannot be seen', () => {
  const problems = [{ field: '', message: 'too <short>' }]
  const markup = render({ type: 'string' }, 'main', {
    draft: new Map([['', ['\u200B']]]),
    problems,
  })
  expect(markup).toContain('>\n\u200B</textarea>')
  expect(markup).toContain('aria-describedby="f0-problem" aria-invalid="true" autofocus')
  expect(markup).toContain('id="f0-problem" class="tb-failure">too &lt;short&gt;')
})
