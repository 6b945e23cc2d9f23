import { expect, test } from 'vitest'
import { findWantedReaders } from './wanted-readers.ts'

const markdown = (content: string): ReturnType<typeof findWantedReaders> =>
  findWantedReaders([
    {
      content: [],
      isError: false,
      structuredContent: { kind: 'text', mimeType: 'text/markdown', data: { content } },
    },
  ])

test.for<[string, string[]]>([
  ['```rs\n```', ['rs']],
  ['~~~~ TS x\n~~~~', ['ts']],
  ['a\n> - \t```c++\n', []],
  ['a\n>  \t```c++\n', ['c++']],
  ['```objective-c.x#y', ['objective-c.x#y']],
  ['``rs', []],
  ['a ```rs', []],
  ['```\nrs', []],
  ['```rs\n```\n```py\n```\n```rs', ['rs', 'py']],
])('Markdown %j wants %j', ([content, languages]) => {
  expect(markdown(content)).toEqual({ languages, markdown: 'wanted' })
})

test('code wants its language, and no Markdown', () => {
  const resource = { uri: 'file:///a.RS', text: 'a' }
  expect(
    findWantedReaders([{ content: [{ type: 'resource', resource }], isError: false }]),
  ).toEqual({ languages: ['rs'], markdown: 'none' })
})

test('code of no known language wants nothing', () => {
  const resource = { uri: 'a:b', text: 'a' }
  expect(
    findWantedReaders([{ content: [{ type: 'resource', resource }], isError: false }]),
  ).toBeUndefined()
})
