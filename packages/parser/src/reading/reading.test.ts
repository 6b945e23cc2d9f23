import type { Problem } from '@toolblocks/protocol'
import { expect, test } from 'vitest'
import { parseToolDefinition } from '../parse-tool-definition.ts'
import { parseToolDescriptions } from '../parse-tool-descriptions.ts'
import { parseToolOutput } from '../parse-tool-output.ts'
import { parseToolResult } from '../parse-tool-result.ts'

const ask = (id: string): unknown => ({ type: 'question', question: { id, text: 'b', schema: {} } })
const MANY = Array.from({ length: 33 }, (_, index) => ask(`q${index}`))
const TOOMANY = Array.from({ length: 10_001 }, () => ({ type: 'text', text: '' }))
const BIG = ' '.repeat(16 * 1024 * 1024 + 1)

const TRAP = {
  get name(): never {
    throw new Error('a trap')
  },
}

type Warnings = readonly Problem[]
const output = (text: string | Uint8Array): Warnings => parseToolOutput(text).warnings
const printed = (content: unknown): Warnings => output(JSON.stringify({ content }))
const definition = (value: unknown): Warnings => parseToolDefinition(value).warnings

function result(value: unknown): Warnings {
  const parsed = parseToolResult(value, { from: 'mcp' })
  return parsed.kind === 'complete' ? parsed.warnings : []
}

function descriptions(text: string): Warnings {
  const parsed = parseToolDescriptions(text)
  return parsed.ok ? parsed.warnings : []
}

/** A reader and its warnings: code, path, message, expected and got. */
type Row = readonly [warnings: () => Warnings, ...said: string[]]

const rows: readonly Row[] = [
  [
    () => printed([ask('a'), ask('a')]),
    'duplicate-question-id /content/1: The block was skipped: another question has the same id. Expected a different "question.id", got string "a".',
  ],
  [
    () => printed(MANY),
    'too-many-questions /content/32: The block was skipped: the result has too many questions; ask the rest after the answers. Expected at most 32 questions, got question 33.',
  ],
  [
    () => output('{"content":[],"x":1,"x":2}'),
    'repeated-key /x: The key is repeated in its object; the last value was used. Expected different keys, got a repeated key.',
  ],
  [
    () => result({ content: 7 }),
    'coerced-content /content: "content" is not an array; it was converted to one. Expected array of blocks, got number 7.',
  ],
  [
    () => result({ content: [], isError: 'no' }),
    'coerced-is-error /isError: "isError" was read as false. Expected true or false, got string "no".',
  ],
  [
    () => result({ content: null }),
    'coerced-content /content: "content" is not an array; it was converted to one. Expected array of blocks, got null.',
  ],
  [
    () => result({ content: [], isError: true, _meta: { 'computer.jp/error': 'no' } }),
    'dropped-field /_meta/computer.jp~1error: The field "computer.jp/error" was omitted: expected object, got string "no". Expected object, got string "no".',
  ],
  [
    () =>
      result({
        content: [],
        isError: true,
        _meta: { 'computer.jp/error': { transient: 'yes', trace: ['a', 1], more: 1 } },
      }),
    'dropped-field /_meta/computer.jp~1error/transient: The field "transient" was omitted: expected true or false, got string "yes". Expected true or false, got string "yes".',
    'dropped-field /_meta/computer.jp~1error/trace: The field "trace" was omitted: expected array of strings, got array of 2. Expected array of strings, got array of 2.',
  ],
  [
    () => result({ content: [], _meta: { 'computer.jp/error': { transient: true } } }),
    'missing-is-error /_meta/computer.jp~1error/transient: A result that is not an error is not transient; the result was read as a success. Expected "isError": true beside "content", got "transient": true without it.',
  ],
  [
    () => result({ content: [], is_error: true }),
    'renamed-field /is_error: "is_error" was read as "isError". Expected "isError", got "is_error".',
  ],
  [
    () => result({ content: [], id: 'a', metadata: {} }),
    'moved-to-wire /metadata: "metadata" belongs to the host; it was moved to _meta["toolblocks/wire"]. Expected nothing, got empty object.',
    'moved-to-wire /id: "id" belongs to the host; it was moved to _meta["toolblocks/wire"]. Expected nothing, got string "a".',
  ],
  [
    () => result({ toolResult: 1 }),
    'legacy-tool-result /toolResult: "toolResult" of an old protocol was read as "structuredContent". Expected "content", got "toolResult".',
  ],
  [
    () => result(7),
    'malformed-result : The result is not an object; it was kept unchanged. Expected object with a "content" array, got number 7.',
  ],
  [
    () => result(null),
    'malformed-result : The result is not an object; it was kept unchanged. Expected object with a "content" array, got null.',
  ],
  [
    () => result({ content: TOOMANY }),
    'over-limit /content: The blocks after the first 10000 were omitted. Expected at most 10000 blocks, got 10001 blocks.',
  ],
  [
    () => output('{"content":[{]}'),
    'invalid-json : The output looks like content blocks but is plain text: it is not valid JSON. Expected one JSON document, got SyntaxError: ….',
  ],
  [
    () => output('a\n{"content":[]}'),
    'text-around-json : The output looks like content blocks but is plain text: print nothing else to stdout, logs go to stderr. Expected one JSON document, got text before it.',
  ],
  [
    () => output('{"content":[]} a'),
    'text-around-json : The output looks like content blocks but is plain text: print nothing else to stdout, logs go to stderr. Expected one JSON document, got SyntaxError: ….',
  ],
  [
    () => output(Buffer.from([0xff])),
    'invalid-utf-8 : The output is not UTF-8; invalid bytes became U+FFFD. Expected UTF-8, got other bytes.',
  ],
  [
    () => output(Buffer.from('\uFEFFa', 'utf16le')),
    'utf-16 : The output is UTF-16 and was converted; print UTF-8. Expected UTF-8, got UTF-16.',
  ],
  [
    () => output(BIG),
    'over-limit : The output has more than 16777216 bytes: it was read as text, and only its beginning and end were kept. Expected at most 16777216 bytes, got more.',
  ],
  [
    () => output('{"content":null}'),
    'missing-content /content: The output looks like a result but is plain text: its "content" is not an array. Print {"content": [{"type": "text", "text": "…"}]}. Expected an object with an array "content", got null.',
  ],
  [
    () => output('{"content":"a"}'),
    'missing-content /content: The output looks like a result but is plain text: its "content" is not an array. Print {"content": [{"type": "text", "text": "…"}]}. Expected an object with an array "content", got string "a".',
  ],
  [
    () => output('{"isError":true}'),
    'missing-content : The output looks like a result but is plain text: it has no "content". Print {"content": [{"type": "text", "text": "…"}], "isError": true}. Expected an object with an array "content", got nothing.',
  ],
  [
    () => output('{"isError":true,"structuredContent":1}'),
    'missing-content : The output looks like a result but is plain text: it has no "content". Keep "structuredContent" and add "content" beside it: {"content": [{"type": "text", "text": "…"}], "structuredContent": …}. Expected an object with an array "content", got nothing.',
  ],
  [
    () => output('{"content":"a","structuredContent":1}'),
    'missing-content /content: The output looks like a result but is plain text: its "content" is not an array. Keep "structuredContent" beside an array: {"content": [{"type": "text", "text": "…"}], "structuredContent": …}. Expected an object with an array "content", got string "a".',
  ],
  [
    () => output('[{"type":"text","text":"a"}]'),
    'missing-content : The output looks like a result but is plain text: its blocks are not in an object. Print {"content": […]}. Expected an object with an array "content", got array of 1.',
  ],
  [
    () => output('{"kind":"table","columns":["a"],"rows":[[1]]}'),
    'missing-content : The output looks like a result but is plain text: it is a table without a result around it. Print {"content": [{"type": "text", "text": "…"}], "structuredContent": {"kind": "table", …}}. Expected an object with an array "content", got a value of the kind "table".',
  ],
  [
    () => output('{"kind":"diff","data":{"path":"a","modified":"c","isNew":true}}'),
    'missing-content : The output looks like a result but is plain text: it is a diff without a result around it. Print {"content": [{"type": "text", "text": "…"}], "structuredContent": {"kind": "diff", …}}. Expected an object with an array "content", got a value of the kind "diff".',
  ],
  [
    () => definition(null),
    'malformed-definition : The tool was omitted: its definition needs an object. Expected an object, got null.',
  ],
  [
    () => definition({ name: 7 }),
    'malformed-definition : The tool was omitted: its definition needs a "name". Expected a "name", got number 7.',
  ],
  [
    () => definition(TRAP),
    'malformed-definition : The tool was omitted: its definition needs an object. Expected an object, got something that throws.',
  ],
  [
    () => definition({ name: 'a' }),
    'malformed-definition : The tool was omitted: its definition needs an "inputSchema". Expected an "inputSchema", got nothing.',
  ],
  [
    () => definition({ name: 'a', inputSchema: {}, title: 7 }),
    'dropped-field /title: The field "title" was omitted: expected string, got number 7. Expected string, got number 7.',
  ],
  [
    () => descriptions('{"tools":[{}]}'),
    'malformed-definition /tools/0: The tool was omitted: its description needs a "name", got nothing. Expected a "name", got nothing.',
  ],
  [
    () =>
      descriptions('{"tools":[{"name":"a","actions":["fetch"],"stateful":1,"outputSchema":7}]}'),
    'dropped-field /tools/0/actions: The field "actions" was omitted: expected list of spawn, fetch, apply, abort, got array of 1. Expected list of spawn, fetch, apply, abort, got array of 1.',
    'dropped-field /tools/0/stateful: The field "stateful" was omitted: expected boolean, got number 1. Expected boolean, got number 1.',
    'dropped-field /tools/0/outputSchema: The field "outputSchema" was omitted: expected JSON Schema, got number 7. Expected JSON Schema, got number 7.',
  ],
]

test.for(rows.map(([warnings, ...report]) => [report.join('\n'), warnings] as const))(
  'the warning names the author: %s',
  ([report, warnings]) => {
    const lines = warnings().map(
      ({ code, path, message, expected, got }) =>
        `${code} ${path}: ${message} Expected ${expected}, got ${(got ?? '').replace(/^(SyntaxError: ).*/, '$1…')}.`,
    )
    expect(lines.join('\n')).toBe(report)
  },
)
