import fc from 'fast-check'
import { expect, test } from 'vitest'
import { nameTools, getServerPart } from './name-tools.ts'

const named = (server: string, ...tools: string[]): string[] => [
  ...nameTools(server, tools).values(),
]

test('a tool is named after its server and itself', () => {
  expect(named('files', 'read_file', 'get-env')).toEqual(['files__read_file', 'files__get-env'])
})

test.for<[string, string, RegExp]>([
  ['odd characters are replaced', 'read.file', /^files__read_file$/],
  ['a long name ends in a hash', 'x'.repeat(80), /^files__x{50}_[0-9a-f]{6}$/],
])('%s', ([, tool, name]) => expect(named('files', tool)[0]).toMatch(name))

test('if names differ only by case or other characters, the exact one is kept', () => {
  const [dotted, exact] = named('s', 'a.b', 'a_b')
  expect([dotted, exact]).toEqual([expect.stringMatching(/^s__a_b_[0-9a-f]{6}$/), 's__a_b'])
  const [lower, upper] = named('s', 'read', 'Read')
  expect(lower).not.toBe('s__read')
  expect(upper).not.toBe('s__Read')
})

test('a name made to look like the hashed name of another does not take its place', () => {
  const [, hashed = ''] = /__(.*)/.exec(named('s', 'a.b', 'a_b')[0] ?? '') ?? []
  expect(new Set(named('s', 'a.b', 'a_b', hashed)).size).toBe(3)
})

test('names of different servers never collide', () => {
  expect(named('a', '_b')).not.toEqual(named('a_', 'b'))
  expect(named('a__b', 'c')).not.toEqual(named('a', 'b__c'))
  expect(named('my server', 'x')).not.toEqual(named('my_server', 'x'))
})

test('every name is valid for providers, and all are different', () => {
  const name = fc.oneof(fc.string({ maxLength: 90 }), fc.stringMatching(/^[aA._]{0,4}$/))
  fc.assert(
    fc.property(name, fc.uniqueArray(name, { maxLength: 30 }), (server, tools) => {
      const names = named(server, ...tools)
      expect(names.length).toBe(tools.length)
      for (const each of names) expect(each).toMatch(/^[A-Za-z0-9_-]{1,64}$/)
      expect(new Set(names.map((each) => each.toLowerCase())).size).toBe(tools.length)
    }),
  )
})

test('the server of a tool is found by the tool’s name, even if it was changed', () => {
  const name = fc.oneof(fc.string({ maxLength: 90 }), fc.stringMatching(/^[aA._]{0,4}$/))
  fc.assert(
    fc.property(fc.uniqueArray(name, { minLength: 1, maxLength: 8 }), name, (servers, tool) => {
      for (const server of servers)
        expect(getServerPart(named(server, tool)[0] ?? '', servers)).toBe(server)
    }),
  )
  expect(getServerPart('read', ['read'])).toBeUndefined()
  expect(getServerPart('far_off_1a2b3c__read', ['far off'])).toBeUndefined()
})
