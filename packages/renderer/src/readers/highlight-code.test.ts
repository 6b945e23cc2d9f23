import type { LanguageFn } from 'lowlight'
import { describe, expect, test } from 'vitest'
import type { CodeRole } from '../show/content-readers.ts'
import { GRAMMARS, findGrammar } from './grammars.ts'
import { createHighlighter } from './highlight-code.ts'

/** A language in which every `x` has one class. */
const getLanguage =
  (scope: string): LanguageFn =>
  () => ({ name: 'x', contains: [{ scope, match: /x/ }] })

describe('the classes of a highlighter', () => {
  const table: readonly (readonly [string, CodeRole])[] = [
    ['keyword operator', 'keyword'],
    ['literal number', 'number'],
    ['string regexp char char.escape link', 'string'],
    ['quote comment doctag', 'comment'],
    ['title title.function section name selector-tag', 'name'],
    ['built_in type class selector-class selector-id', 'type'],
    ['attr attribute property variable', 'property'],
    ['meta symbol bullet', 'meta'],
    ['addition', 'added'],
    ['deletion', 'removed'],
    ['subst params constructor', 'plain'],
  ]
  test.for(
    table.flatMap(([scopes, role]) => scopes.split(' ').map((scope) => [scope, role] as const)),
  )('%s is shown as %s', ([scope, role]) => {
    const highlight = createHighlighter({ typescript: getLanguage(scope) })
    expect(highlight('a x', 'ts')).toEqual(
      role === 'plain'
        ? [{ text: 'a x', role }]
        : [
            { text: 'a ', role: 'plain' },
            { text: 'x', role },
          ],
    )
  })
})

test('adjacent pieces of one role become one', () => {
  const highlight = createHighlighter({ typescript: getLanguage('keyword') })
  expect(highlight('xxa', 'ts')).toEqual([
    { text: 'xx', role: 'keyword' },
    { text: 'a', role: 'plain' },
  ])
})

test('a language that was not loaded is not read, and two million characters are the maximum', () => {
  const highlight = createHighlighter({ typescript: getLanguage('keyword') })
  expect(highlight('a', 'rust')).toBeUndefined()
  expect(highlight('a', 'toString')).toBeUndefined()
  const most = 'a'.repeat(2_000_000)
  expect(highlight(most, 'ts')).toEqual([{ text: most, role: 'plain' }])
  expect(highlight(`${most}a`, 'ts')).toBeUndefined()
})

describe('a language by its other names', () => {
  test.for([
    ['bash', 'sh shell zsh Bash'],
    ['c', 'h C'],
    ['cpp', 'c++ cc cxx hpp'],
    ['csharp', 'cs c#'],
    ['diff', 'patch'],
    ['dockerfile', 'docker Dockerfile'],
    ['go', 'golang'],
    ['graphql', 'gql'],
    ['ini', 'toml conf'],
    ['javascript', 'js jsx mjs cjs JavaScript'],
    ['json', 'jsonc json5 jsonl ndjson JSON'],
    ['kotlin', 'kt kts'],
    ['makefile', 'make mk'],
    ['markdown', 'md'],
    ['perl', 'pl'],
    ['python', 'py'],
    ['ruby', 'rb'],
    ['rust', 'rs'],
    ['typescript', 'ts tsx mts cts'],
    ['xml', 'html svg xhtml vue'],
    ['yaml', 'yml'],
  ] as const)('%s is %s', ([grammar, names]) => {
    for (const name of names.split(' ')) expect(findGrammar(name)).toBe(grammar)
  })

  test('every language has its grammar, and its own name', async () => {
    for (const [name, load] of Object.entries(GRAMMARS)) {
      expect(findGrammar(name)).toBe(name)
      const highlight = createHighlighter({ [name]: (await load()).default })
      expect(
        highlight('"a" 1', name)
          ?.map(({ text }) => text)
          .join(''),
      ).toBe('"a" 1')
    }
  })
})
