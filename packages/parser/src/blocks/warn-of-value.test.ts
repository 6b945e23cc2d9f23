import { expect, test } from 'vitest'
import { parseToolOutput } from '../parse-tool-output.ts'

const content = [{ type: 'text', text: 'a' }]

function findWarnings(structuredContent: unknown): readonly string[] {
  const { warnings, result } = parseToolOutput(JSON.stringify({ content, structuredContent }))
  expect(result.structuredContent).toEqual(structuredContent)
  return warnings.map(
    ({ code, path, message, expected, got }) =>
      `${code} ${path}: ${message} Expected ${expected}, got ${got}.`,
  )
}

test.for<[string, unknown, string]>([
  [
    'a kind that is not valid',
    { kind: 'Git Status', data: {} },
    'unfit-value /structuredContent/kind: The kind is not used: "kind" is not valid. Expected words of a-z, 0-9 and _, joined by dots, such as "git.status", got "Git Status".',
  ],
  [
    'data of another kind',
    { kind: 'table', data: { rows: [], cols: [] } },
    'unfit-value /structuredContent/data: The kind is not used: "data" is not that of the kind "table". Expected {columns of {key, label?, type?, align?}, rows}, got {"rows", "cols"}.',
  ],
  [
    'data that is no object',
    { kind: 'text', data: 'a' },
    'unfit-value /structuredContent/data: The kind is not used: "data" is not that of the kind "text". Expected {content}, got string "a".',
  ],
  [
    'a list as the data of a table',
    { kind: 'table', data: [{ name: 'a' }] },
    'unfit-value /structuredContent/data: The kind is not used: "data" is not that of the kind "table". Expected {columns of {key, label?, type?, align?}, rows}, got array of 1.',
  ],
  [
    'a column that is a name',
    { kind: 'table', data: { columns: ['name', { key: 'n' }], rows: [] } },
    'unfit-value /structuredContent/data/columns/0: The kind is not used: "data" is not that of the kind "table". Expected an object with "key", got string "name".',
  ],
  [
    'a column without a key',
    { kind: 'table', data: { columns: [{ key: 'n' }, { name: 'a' }], rows: [] } },
    'unfit-value /structuredContent/data/columns/1: The kind is not used: "data" is not that of the kind "table". Expected an object with "key", got {"name"}.',
  ],
  [
    'a column with an unknown type',
    { kind: 'table', data: { columns: [{ key: 'n', type: 'integer' }], rows: [] } },
    'unfit-value /structuredContent/data/columns/0/type: The kind is not used: "data" is not that of the kind "table". Expected string, number, boolean or date, got string "integer".',
  ],
  [
    'a row that is a list',
    { kind: 'table', data: { columns: [], rows: [{}, ['a']] } },
    'unfit-value /structuredContent/data/rows/1: The kind is not used: "data" is not that of the kind "table". Expected an object, got array of 1.',
  ],
  [
    'an image without its bytes',
    { kind: 'image', data: { alt: 'a' } },
    'unfit-value /structuredContent/data: The kind is not used: "data" is not that of the kind "image". Expected {url?, base64?, alt?} with url or base64, got {"alt"}.',
  ],
  [
    'an unknown view',
    { kind: 'text', data: { content: 'a' }, display: { preferredView: 'grid' } },
    'unfit-value /structuredContent/display/preferredView: The hint is not used. Expected text, markdown, code, diff, table, tree, image, raw or hidden, got string "grid".',
  ],
  [
    'a summary that is no text',
    { kind: 'git.status', data: {}, summary: 7 },
    'unfit-value /structuredContent/summary: The hint is not used. Expected a string, got number 7.',
  ],
  [
    'a kind with two letters that changed places',
    { kind: 'tabel', data: { columns: [], rows: [] } },
    'unfit-value /structuredContent/kind: The kind is not used: "tabel" is not a known kind; did you mean "table"? Expected "table", got "tabel".',
  ],
  [
    'a kind in capitals, with other data',
    { kind: 'Table', data: {} },
    'unfit-value /structuredContent/kind: The kind is not used: "Table" is not a known kind; did you mean "table"? Expected "table", got "Table".',
  ],
  [
    'a kind with another sign between its words',
    { kind: 'fileList', data: { path: '.', entries: [] } },
    'unfit-value /structuredContent/kind: The kind is not used: "fileList" is not a known kind; did you mean "file_list"? Expected "file_list", got "fileList".',
  ],
  [
    'a short kind with a wrong letter and the data of the known one',
    { kind: 'dif', data: { path: 'a', modified: '', isNew: true } },
    'unfit-value /structuredContent/kind: The kind is not used: "dif" is not a known kind; did you mean "diff"? Expected "diff", got "dif".',
  ],
  [
    'a kind with two wrong letters and the data of the known one',
    { kind: 'tebla', data: { columns: [], rows: [] } },
    'unfit-value /structuredContent/kind: The kind is not used: "tebla" is not a known kind; did you mean "table"? Expected "table", got "tebla".',
  ],
  [
    'a misspelled kind with its data beside it',
    { kind: 'tabel', columns: [], rows: [] },
    'unfit-value /structuredContent/kind: The kind is not used: "tabel" is not a known kind; did you mean "table"? Expected "table", got "tabel".',
  ],
])('%s gives a warning', ([, value, warning]) => {
  expect(findWarnings(value)).toEqual([warning])
})

test.for<[string, unknown]>([
  [
    'a value that fits',
    { kind: 'text', data: { content: 'a' }, display: { preferredView: 'code' } },
  ],
  ['a kind of a tool', { kind: 'git.status', data: 7 }],
  ['JSON of another program', { kind: 'ConfigMap', data: {}, apiVersion: 'v1' }],
  ['a flat value', { kind: 'text', content: 'a' }],
  ['a kind of a tool that is one letter from a short one', { kind: 'test', data: { passed: 3 } }],
  ['a kind of a tool that begins like a known one', { kind: 'table.row', data: {} }],
  ['a flat value of a tool, with a kind near a known one', { kind: 'tables', names: ['a'] }],
  ['an array', [{ kind: 'Git', data: 1 }]],
])('%s gives no warning', ([, value]) => {
  expect(findWarnings(value)).toEqual([])
})
