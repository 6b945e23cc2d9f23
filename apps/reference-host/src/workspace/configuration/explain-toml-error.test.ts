import fc from 'fast-check'
import { expect, test } from 'vitest'
import { readToml } from './read-toml.ts'

const VALUE = 'expected a text in quotes, a number, true, false, a list or a table'

/** Returns the problem of a text as `LINE:COLUMN: MESSAGE`. */
function explain(text: string): string | undefined {
  const toml = readToml(text)
  if (toml.ok) return undefined
  const { line, column, message } = toml.problem
  return `${line}:${column}: ${message}`
}

test.for([
  [
    '[tools.x]\ncommand: "a"',
    '2:8: expected "=" after the key command, got ":"; write command = …',
  ],
  ['a = {"b": 1}', '1:9: expected "=" after the key "b", got ":"; write "b" = …'],
  ['[a]\nb = True', `2:5: ${VALUE}, got "True"; write true`],
  ['a = no', `1:5: ${VALUE}, got "no"; write false`],
  ['a = None', `1:5: ${VALUE}, got "None"; TOML has no null: remove the key`],
  ['a = echo hi # c', `1:5: ${VALUE}, got "echo hi"; write a text in quotes: a = "echo hi"`],
  ['a = [x]', `1:6: ${VALUE}, got "x]"`],
  ['a = “b”', `1:5: ${VALUE}, got "“"; write straight quotes: "`],
  ['a = .5', `1:5: ${VALUE}, got "."; write 0 before the point`],
  ['a =', `1:4: ${VALUE} after "=", got the end of the line`],
  ['a = 1\r\nb = \r\n[c]\r\n', `2:4: ${VALUE} after "=", got the end of the line`],
  [
    'a = "C:\\Users\\b"',
    String.raw`1:9: the text contains \U, which means nothing in TOML; write a path in single quotes ('C:\folder'), or each backslash twice`,
  ],
  [
    '{\n  "a": 1\n',
    '1:1: expected TOML, got JSON; write each field as key = value, and each object as a table: [tools.NAME]',
  ],
  [
    '[a]\nb = 1\n[c]\n[ a ]',
    '4:3: the table [a] is written twice: line 1 has it too; write it once',
  ],
  ['a = 1\nb = 2\na = 3', '3:1: the key a is written twice: line 1 has it too; write it once'],
  ['a = 1\n[a]', '2:2: the table [a] is written twice: line 1 has it too; write it once'],
  [
    "a = 'it's'",
    `1:9: expected the end of the line after the value, got "s'"; write a text that contains ' in double quotes`,
  ],
  ['a = 1;', '1:6: expected the end of the line after the value, got ";"; remove the ";"'],
  [
    'a = "b\n',
    '1:7: the text is not closed: expected a quotation mark at its end; a text of several lines begins and ends with three',
  ],
  ['a = [1 2]', '1:8: expected "," before the next value, got "2"'],
  [
    'a b = 1',
    '1:3: expected "=" after the key a, got "b"; write key = value, and a key with a space in quotes',
  ],
  ['// a\nb = 1', '1:1: expected a key, got "//"; a comment begins with "#"'],
  ['- a', '1:3: expected a key, got "-"; write a list as key = ["a", "b"]'],
  ['a\0=\0', '1:1: expected UTF-8 text, got a NUL character; save the file as UTF-8'],
  ['a = "\u0001"', String.raw`1:6: expected text, got the control character "\u0001"`],
  ['*', '1:1: expected a key or the header of a table, got "*"'],
])(
  '%j is refused with its place, what was expected, what is there, and what to write',
  ([text, expected]) => {
    expect(explain(text ?? '')).toBe(expected)
  },
)

test.for([
  [
    'api_key = sk-ant-api03-abcdefgh',
    'got a text without quotes; write a text in quotes: api_key = "…"',
  ],
  ['a = abcdefghijklmnopqrstuvwxyz', 'got a text without quotes; write a text in quotes: a = "…"'],
])('%j may have a secret, which is not repeated', ([text, expected]) => {
  expect(explain(text ?? '')).toBe(`1:${text?.startsWith('a =') ? 5 : 11}: ${VALUE}, ${expected}`)
})

/** As long as a configuration may be. */
const LONG = 250_000

// Each of these took minutes, when patterns read complete lines.
test.for([
  ['spaces after a value', `a = yes${' '.repeat(LONG)}x`],
  ['a long key', `${'a'.repeat(LONG)} = {b: 1}`],
  ['escaped quotation marks', `a = ["${String.raw`\"`.repeat(LONG / 2)}`],
  ['a comment with a line separator', `a = yes${'#'.repeat(LONG)}\u2028x`],
  ['tabs', `a = nil${'\t'.repeat(LONG)}x`],
  ['single quotation marks', `a = ['${"'".repeat(LONG + 1)}`],
  ['a header', `[a${' '.repeat(LONG)}\nb`],
  ['a long key in a table', `x = {${'a'.repeat(LONG)}= 1, b c}`],
  ['many lines', `a = yes${' '.repeat(190)}x\n`.repeat(LONG / 200)],
] as const)('law: a file with %s is explained in linear time and one short line', ([, text]) => {
  expect(explain(text)?.length).toBeLessThan(300)
})

test('a byte order mark at the start is no part of the file', () => {
  expect(explain('\uFEFFa = 1')).toBeUndefined()
  expect(explain('a = 1\n\uFEFFb = 1')).toMatch(/^2:1: expected a key/)
})

const FILE = `# A file.
[tools.list]
source = "local"
command = ["ls", '-l', "{{tool.arguments.path}}"]
run = true
parameters.path = { type = "string", default = "." }

[[agents.review.steps]]
at = 2026-01-02T03:04:05Z
text = """
several
lines"""
`

test('law: whatever characters are put into a file or removed from it, a problem has a place in the file and one line', () => {
  const edit = fc.record({
    at: fc.nat({ max: FILE.length }),
    removed: fc.nat({ max: 12 }),
    put: fc.oneof(
      fc.string({ maxLength: 4 }),
      fc.constantFrom(
        '=',
        ':',
        '"',
        "'",
        '[',
        ']',
        '{',
        '\n',
        '\r\n',
        '\\',
        ',',
        '#',
        'True',
        '//',
      ),
    ),
  })
  fc.assert(
    fc.property(edit, ({ at, removed, put }) => {
      const text = FILE.slice(0, at) + put + FILE.slice(at + removed)
      const toml = readToml(text)
      if (toml.ok) return
      const { line, message } = toml.problem
      expect(line).toBeGreaterThan(0)
      expect(line).toBeLessThanOrEqual(text.split('\n').length)
      expect(message).toMatch(/^[^\n]+$/)
      // The words of the parser do not say what to write.
      expect(message).not.toMatch(/Unexpected|is invalid$|Must be|token$/)
    }),
    { numRuns: 1000 },
  )
})
