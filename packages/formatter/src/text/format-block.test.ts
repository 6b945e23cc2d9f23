import fc from 'fast-check'
import { type ContentBlock, type Resource } from '@toolblocks/protocol'
import { Parser } from 'commonmark'
import { expect, test } from 'vitest'
import { format, resource, rust, png } from './format-result.support.ts'

test('text is unchanged', () => {
  const text = '  # not touched\r\n\t```\n\u0000\u202e '
  expect(format({ type: 'text', text, mimeType: 'text/markdown' })).toBe(text)
})

test('a resource has a fence with the language of its MIME type', () => {
  expect(format(rust)).toBe('```rs\nfn main() {}\n```')
})

test.for([undefined, 'application/x-of-our-own'])(
  'a resource of type %s has a plain fence, for any uri',
  (mimeType) => {
    const fields = { uri: 'file:///a.rs', text: 'x', ...(mimeType !== undefined && { mimeType }) }
    expect(format(resource(fields))).toBe('```\nx\n```')
  },
)

test('formatted text is unchanged and replaces the fence', () => {
  const formatted = '```rs (src/main.rs, lines 1-3)\nfn main() {\n```'
  expect(format(resource({ uri: 'file:///a', text: 'x' }, formatted))).toBe(formatted)
  expect(format(resource({ uri: 'file:///a', text: 'x' }, ''))).toBe(
    '[The tool returned no output.]',
  )
})

test('blobs, media and links are one line of facts, never base64', () => {
  const blob = 'QUJD'.repeat(1000)
  expect(format(resource({ uri: 'file:///a.bin', mimeType: 'application/zip', blob }))).toBe(
    '[block 1, resource: file:///a.bin, application/zip, 3.0 KB]',
  )
  expect(format(resource({ uri: 'file:///a.bin', blob: 'QQ==' }))).toBe(
    '[block 1, resource: file:///a.bin, unknown type, 1 byte]',
  )
  expect(format(png)).toBe('[block 1, image: image/png, 8 bytes]')
  expect(format({ type: 'audio', data: '', mimeType: 'audio/wav' })).toBe(
    '[block 1, audio: audio/wav, 0 bytes]',
  )
  const link = { type: 'resource_link', uri: 'demo://1', name: 'one', size: 2_500_000 } as const
  expect(format({ ...link, mimeType: 'text/csv', description: 'The table.' })).toBe(
    '[resource link, not read: demo://1, one, text/csv, 2.5 MB, The table.]',
  )
  expect(format({ ...link, title: 'First' })).toBe(
    '[resource link, not read: demo://1, First, 2.5 MB]',
  )
})

test('empty facts are omitted from a line', () => {
  expect(format({ type: 'resource_link', uri: 'a:b', name: ' ', description: '\u200B' })).toBe(
    '[resource link, not read: a:b]',
  )
})

test.for([
  [999, '999 bytes'],
  [1000, '1.0 KB'],
  [999_949, '999.9 KB'],
  [1_000_000, '1.0 MB'],
] as const)('%i bytes are %s', ([size, formatted]) => {
  const link = { type: 'resource_link', uri: 'a:b', name: 'c', size } as const
  expect(format(link)).toBe(`[resource link, not read: a:b, c, ${formatted}]`)
})

test('a question is one line with everything that an answer needs', () => {
  const question = { id: 'confirm', text: 'Overwrite?\n\n# Yes', schema: { type: 'boolean' } }
  expect(format({ type: 'question', question })).toBe(
    '[question "confirm": "Overwrite?\\n\\n# Yes"; the answer must match this JSON Schema: {"type":"boolean"}]',
  )
})

const header = (fields: Partial<Resource>, root?: string): string => {
  const block = resource({ uri: 'file:///w/src/a.rs', text: 'x', ...fields } as Resource)
  const options = { resourceHeader: 'name', ...(root !== undefined && { root }) } as const
  return format(block, options).split('\n')[0] ?? ''
}

test('a header has the title or name of a resource, and always its workspace path or uri', () => {
  expect(header({ title: 'Main', name: 'a.rs' }, '/w')).toBe('Resource Main (src/a.rs):')
  expect(header({ name: 'a.rs' }, '/w')).toBe('Resource a.rs (src/a.rs):')
  expect(header({ name: 'src/a.rs' }, '/w')).toBe('Resource src/a.rs:')
  const lines = { title: 'Main', uri: 'file:///w/src/a.rs#L3-L4' }
  expect(header(lines, '/w')).toBe('Resource Main (src/a.rs, lines 3-4):')
  expect(header({ title: ' ', name: '\u200B' }, '/w')).toBe('Resource src/a.rs:')
  expect(header({}, '/w')).toBe('Resource src/a.rs:')
  expect(header({}, '/elsewhere')).toBe('Resource file:///w/src/a.rs:')
  expect(header({})).toBe('Resource file:///w/src/a.rs:')
})

test('`formatted` has no header', () => {
  const block = resource({ uri: 'file:///w/a.rs', text: 'x' }, 'a.rs, line 1:\n1 x')
  expect(format(block, { resourceHeader: 'name', root: '/w' })).toBe('a.rs, line 1:\n1 x')
})

test('a resource with omitted content does not say that nobody has read it', () => {
  const link: ContentBlock = { type: 'resource_link', uri: 'file:///w/a.rs', name: 'a.rs' }
  expect(format(link)).toBe('[resource link, not read: file:///w/a.rs, a.rs]')
  for (const identity of [null, { uri: 'file:///w/a.rs', sha256: 'a'.repeat(64), bytes: 1 }])
    expect(format({ ...link, _meta: { 'toolblocks/identity': identity } })).toBe(
      '[resource, content omitted: file:///w/a.rs, a.rs]',
    )
})

test('a header names the lines of the fragment', () => {
  expect(header({ uri: 'file:///w/a.rs#L10-20' }, '/w')).toContain('(lines 10-20):')
  expect(header({ uri: 'file:///w/a.rs#L10-L20' }, '/w')).toContain('(lines 10-20):')
  expect(header({ uri: 'file:///w/a.rs#L7' }, '/w')).toContain('(line 7):')
  expect(header({ uri: 'file:///w/a.rs#L7-L7' }, '/w')).toContain('(line 7):')
  expect(header({ uri: 'file:///w/a.rs#L7-8-9' }, '/w')).not.toContain('(')
  expect(header({ uri: 'file:///w/a.rs#section' }, '/w')).not.toContain('(')
})

test('with any header, the resource is one code block with its text', () => {
  const parts = fc.constantFrom(
    '```',
    '<pre>',
    '<!--',
    '[a]: b',
    '\n',
    '# ',
    '> ',
    'x',
    '\u2028',
    ' ',
  )
  const title = fc.array(parts, { maxLength: 6 }).map((pieces) => pieces.join(''))
  fc.assert(
    fc.property(title, (titleText) => {
      const block = resource({ uri: 'file:///a', text: 'content', title: titleText })
      const markdown = format(block, { resourceHeader: 'name' })
      const last = new Parser().parse(markdown).lastChild
      expect([last?.type, last?.literal]).toEqual(['code_block', 'content\n'])
    }),
    { numRuns: 2000 },
  )
})
