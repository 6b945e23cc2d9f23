import fc from 'fast-check'
import { expect, test } from 'vitest'
import { changeHostText, readEntrySource, readHostServers } from './host-file.ts'

const ENTRY = { source: 'custom', command: '/bin/node', args: ['main.js', 'serve'], env: {} }

/** Adds the server to the text of Zed's settings. */
function install(text: string): string {
  const changed = changeHostText('zed', text, [{ name: 'srv', entry: ENTRY }])
  if (!changed.ok) throw new Error(changed.message)
  return changed.text
}

function uninstall(text: string): string {
  const changed = changeHostText('zed', text, [{ name: 'srv' }])
  if (!changed.ok) throw new Error(changed.message)
  return changed.text
}

const WRITTEN = `"srv": {
      "source": "custom",
      "command": "/bin/node",
      "args": [
        "main.js",
        "serve"
      ],
      "env": {}
    }`
const IN_LINE = `"srv":${JSON.stringify(ENTRY)}`

test.for([
  [
    'after the comma and the comment of the last one',
    '{\n  "context_servers": {\n    "z": {"command":"z"}, // c\n  },\n}\n',
    `{\n  "context_servers": {\n    "z": {"command":"z"}, // c\n    ${WRITTEN},\n  },\n}\n`,
  ],
  [
    'after a comma of its own',
    '{\n  "context_servers": {\n    "z": {"command":"z"} // c\n    // d\n  }\n}',
    `{\n  "context_servers": {\n    "z": {"command":"z"}, // c\n    ${WRITTEN}\n    // d\n  }\n}`,
  ],
  [
    'in the line of the others',
    '{\n  "context_servers": { "z": {} /* c */ }\n}\n',
    `{\n  "context_servers": { "z": {}, /* c */ "srv": ${JSON.stringify(ENTRY)} }\n}\n`,
  ],
  [
    'in the line of a file with one line',
    '{"a":1,"context_servers":{"z":{}}}',
    `{"a":1,"context_servers":{"z":{},${IN_LINE}}}`,
  ],
  [
    'after a comment of an object without servers',
    '{\n  "context_servers": {\n    // mine\n  }\n}\n',
    `{\n  "context_servers": {\n    // mine\n    ${WRITTEN}\n  }\n}\n`,
  ],
  [
    'in an object of its own',
    '{\n  "a": 1\n}\n',
    `{\n  "a": 1,\n  "context_servers": {\n    ${WRITTEN}\n  }\n}\n`,
  ],
  ['in a file with one line', '{"a":1}', `{"a":1,"context_servers":{${IN_LINE}}}`],
  [
    'with tabs',
    '{\r\n\t"context_servers": {\r\n\t\t"z": {}\r\n\t}\r\n}',
    `{\r\n\t"context_servers": {\r\n\t\t"z": {},\r\n\t\t${WRITTEN.replaceAll('\n      ', '\n    \t').replaceAll('\n        ', '\n    \t  ').replaceAll('    ', '\t\t').replaceAll('  ', '\t').replaceAll('\n', '\r\n')}\r\n\t}\r\n}`,
  ],
])('a server is written %s, and all other text stays', ([, before = '', after]) => {
  expect(install(before)).toBe(after)
  expect(uninstall(install(before))).toBe(before)
})

test('the object of servers is removed with its last server, if it has no comment', () => {
  expect(uninstall('{"context_servers":{"srv":{}}}')).toBe('{}')
  expect(uninstall('{\n  "a": 1,\n  "context_servers": {\n    "srv": {},\n  },\n}\n')).toBe(
    '{\n  "a": 1,\n}\n',
  )
  expect(uninstall('{"context_servers":{/* mine */"srv":{}}}')).toBe(
    '{"context_servers":{/* mine */}}',
  )
})

test.for([
  ['{"context_servers":{"srv":{}, /* of z */ "z":{}}}', '{"context_servers":{ /* of z */ "z":{}}}'],
  [
    '{"context_servers":{\n"y":{}, // y\n"srv":{}, // srv\n"z":{} // z\n}}',
    '{"context_servers":{\n"y":{}, // y\n"z":{} // z\n}}',
  ],
  ['{"context_servers":{"y":{}, // y\n"srv":{} }}', '{"context_servers":{"y":{} // y\n }}'],
])('a removed server leaves the others with their comments: %j', ([before = '', after]) => {
  expect(uninstall(before)).toBe(after)
})

const newline = fc.constantFrom('\n', '\r\n')
const blanks = fc.constantFrom('', ' ', '  ', '\t')
const lineComment = fc.constantFrom('// c', '// "srv": {}, }', '//', '// https://h ')
const blockComment = fc.constantFrom('/* c */', '/* } , */', '/**/', '/* a\n b */')

/** Blanks, line breaks and comments between two signs of a file. */
const between = newline.chain((eol) =>
  fc
    .array(
      fc.oneof(
        blanks,
        fc.constant(eol),
        blockComment,
        lineComment.map((text) => text + eol),
      ),
      {
        maxLength: 4,
      },
    )
    .map((parts) => parts.join('')),
)

const value = fc.constantFrom('{}', '{"command":"x"}', '{ "a": [1, 2], // d\n }', '{"b":"}, //"}')

/** An object with these properties, and anything between them. A comma may follow the last one. */
function makeObject(
  properties: fc.Arbitrary<readonly (readonly [string, string])[]>,
): fc.Arbitrary<string> {
  return fc
    .tuple(properties, fc.array(between, { minLength: 30, maxLength: 30 }), fc.boolean())
    .map(([list, gaps, hasComma]) => {
      let index = 0
      const gap = (): string => gaps[index++ % gaps.length] ?? ''
      const written = list.map(
        ([name, text]) => `${gap()}${JSON.stringify(name)}${gap()}:${gap()}${text}${gap()}`,
      )
      return `{${written.join(',')}${hasComma && list.length > 0 ? `,${gap()}` : ''}${gap()}}`
    })
}

const servers = makeObject(
  fc
    .uniqueArray(fc.tuple(fc.constantFrom('x', 'y', 'z'), value), {
      selector: ([name]) => name,
      minLength: 1,
    })
    .map((list) => list),
)

/** Files with other servers, or without an object of servers. */
const files = fc
  .tuple(
    between,
    fc.oneof(
      servers.chain((text) =>
        makeObject(
          fc.constantFrom(
            [['context_servers', text]],
            [
              ['a', '1'],
              ['context_servers', text],
            ],
            [
              ['context_servers', text],
              ['a', '[]'],
            ],
          ),
        ),
      ),
      makeObject(fc.constant([['a', '1']])),
    ),
    between,
  )
  .map((parts) => parts.join(''))

test('law: an added server changes no text of others, and a file without it is the earlier one', () => {
  fc.assert(
    fc.property(files, (text) => {
      const installed = install(text)
      const read = readHostServers('zed', text)
      const after = readHostServers('zed', installed)
      if (!read.ok || !after.ok) throw new Error('the file cannot be read')
      expect(after.servers.map(({ name }) => name)).toEqual([
        ...read.servers.map(({ name }) => name),
        'srv',
      ])
      for (const server of read.servers)
        expect(readEntrySource('zed', installed, server)).toBe(readEntrySource('zed', text, server))
      expect(uninstall(installed)).toBe(text)
    }),
    { numRuns: 1000 },
  )
})

test('an empty object of servers with a comment after it stays', () => {
  const text = '{\n  "a": 1,\n  "context_servers": {}, // filled on Mondays\n}\n'
  expect(uninstall(install(text))).toMatch(/\{\s*\}, \/\/ filled on Mondays/)
})
