import type { InputRequest, JsonSchema } from '@toolblocks/protocol'
import { createElement as h } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import { QuestionForm, type QuestionFormProps } from './question-form.ts'

const render = (
  question: Partial<InputRequest> & { schema: JsonSchema },
  rest: Partial<QuestionFormProps> = {},
): string =>
  renderToStaticMarkup(
    h(QuestionForm, {
      question: { id: 'q', text: 'Which?', ...question },
      onAnswer: () => {},
      ...rest,
    }),
  )

const many = Array.from({ length: 21 }, (_, index) => `v${index}`)

test('only a list says that it has one value in each line', () => {
  expect(render({ schema: { type: 'object' } })).not.toContain('one per line')
  expect(render({ schema: { type: 'string' } })).not.toContain('one per line')
})

test.for<[string, JsonSchema, RegExp]>([
  ['yes or no', { type: 'boolean' }, /<legend>Which\?<\/legend>.*type="radio".*Yes.*No/],
  ['one of a few values', { enum: ['a', 'b'] }, /type="radio".*a.*type="radio".*b/],
  [
    'a title that says something else',
    { oneOf: [{ const: 'rm', title: 'Keep' }] },
    /Keep <code>rm<\/code>/,
  ],
  ['one of many values', { enum: many }, /<select.*Choose one.*<option value="20">v20/],
  [
    'several values',
    { type: 'array', items: { enum: ['a', 'b'] } },
    /type="checkbox".*type="checkbox"/,
  ],
  [
    'text',
    { type: 'string' },
    /<label for="[^"]+">Which\?<\/label><textarea class="tb-typed" rows="1"/,
  ],
  ['a line', { type: 'string', format: 'email' }, /<\/label>.*<input type="text"/],
  ['a number', { type: 'integer' }, /inputMode="decimal"/i],
  ['a list of texts', { type: 'array', items: { type: 'string' } }, />one per line<.*<textarea/],
  [
    'a list of texts in a form',
    { type: 'object', properties: { a: { type: 'array', items: { type: 'string' } } } },
    />optional\none per line<.*<textarea/,
  ],
  ['a form', { type: 'object', properties: { a: { type: 'string', title: 'Name' } } }, />Name</],
  ['anything else', { type: 'object' }, /Type the answer as JSON.*<textarea/s],
  [
    'a value that may be omitted',
    { type: 'object', properties: { a: { type: 'boolean' } } },
    /\(omit\)/,
  ],
])('%s is asked for', ([, schema, expected]) => {
  expect(render({ schema })).toMatch(expected)
})

test.for<[string, JsonSchema, RegExp]>([
  ['text', { type: 'string', default: 'here' }, /<textarea [^>]*>here</],
  ['a line', { type: 'string', format: 'email', default: 'a@b.c' }, /<input [^>]*value="a@b\.c"/],
  ['a number', { type: 'integer', default: 7 }, /<input [^>]*value="7"/],
  ['a secret', { type: 'string', format: 'password' }, /<input type="password" [^>]*value=""/],
  ['one of many', { enum: many, default: 'v20' }, /<option value="20" selected="">/],
  ['a list', { type: 'array', items: { type: 'string' }, default: ['a'] }, /<textarea [^>]*>a</],
])(
  'the field of %s has its label and its default, and says that it is required',
  ([, field, expected]) => {
    const markup = render({
      schema: { type: 'object', properties: { a: field }, required: ['a'] },
    })
    const [, key = 'no label'] = /<label for="([^"]+)"/.exec(markup) ?? []
    const [element = ''] =
      new RegExp(`<(?:input|textarea|select) [^>]*id="${key}"[^>]*>`).exec(markup) ?? []
    expect(element).toContain('aria-required="true"')
    expect(markup).toMatch(expected)
  },
)

test('a secret is masked, in a field, alone, and in JSON', () => {
  const schema = {
    type: 'object',
    properties: { user: { type: 'string' }, pin: { type: 'string' } },
  }
  expect(render({ schema }).match(/type="password"/g)).toHaveLength(1)
  expect(render({ id: 'password', schema: { type: 'string' } })).toContain('type="password"')
  const nested = { type: 'object', properties: { a: { properties: { token: {} } } } }
  expect(render({ schema: nested })).toContain('class="tb-masked"')
})

test('a default is filled in only if a person sees it unchanged', () => {
  expect(render({ schema: { type: 'string' }, default: 'here' })).toMatch(/<textarea[^>]*>here</)
  const markup = render({ schema: { type: 'string' }, default: 'a\u202Eb' })
  expect(markup).toMatch(/<textarea[^>]*><\/textarea>/)
  expect(markup).toContain('The default is not filled in')
  expect(markup).toContain('a\\u{202E}b')
})

test('an address is complete, and a link only if a page may link to it', () => {
  const url = `https://example.com/${'a'.repeat(300)}`
  expect(render({ schema: { type: 'boolean' }, url })).toContain(`href="${url}"`)
  const script = render({ schema: { type: 'boolean' }, url: 'javascript:alert(1)' })
  expect(script).toContain('javascript:alert(1)')
  expect(script).not.toContain('href')
})

test('what the tool showed before and after is complete', () => {
  const text = 'line\n'.repeat(1000) + 'last'
  const markup = render(
    { schema: { type: 'boolean' } },
    { before: [{ type: 'text', text }], after: [{ type: 'text', text: 'the end' }] },
  )
  expect(markup.match(/line\n/g)).toHaveLength(1000)
  expect(markup).not.toContain('data-lines')
  expect(markup).toContain('the end')
})
