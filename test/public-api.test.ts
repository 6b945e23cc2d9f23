import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { findMisleadingNames } from '../scripts/public-api/find-misleading-names.mjs'
import { findMissingComments } from '../scripts/public-api/find-missing-comments.mjs'
import { readEntries } from '../scripts/public-api/read-entries.mjs'
import { writeReports } from '../scripts/public-api/write-reports.mjs'

test.for([
  'export function isText(value: unknown): value is string;',
  'export function hasLink(uri: string): boolean;',
  'export function confirm(): Promise<boolean | undefined>;',
  'type Guard = (value: unknown) => boolean; export const isText: Guard;',
  'export function issueOf(value: unknown): object;',
  'export interface Server { readonly canAsk?: boolean; hasLinked(uri: string): true | null; }',
])('a name that is a question is accepted if the function returns a boolean: %s', (code) => {
  expect(findMisleadingNames(code)).toEqual([])
})

test.for([
  ['export function isText(value: unknown): { ok: boolean };', 'isText returns { ok: boolean }'],
  ['export function confirm(): Promise<"yes" | "no">;', 'confirm returns Promise<"yes" | "no">'],
  ['export function mayRun(): string | undefined;', 'mayRun returns string | undefined'],
  ['export const matchesRule: (rule: string) => number;', 'matchesRule returns number'],
  ['export interface Server { accepts(name: string): Answer; }', 'accepts returns Answer'],
  ['export interface Server { canAsk?: () => Answer; }', 'canAsk returns Answer'],
])(
  'a name that is a question is reported if the function returns another type: %s',
  ([code, problem]) => {
    expect(findMisleadingNames(code ?? '')).toEqual([problem])
  },
)

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'public-api-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

/** A package of one entry, with these declarations. */
function entryWith(declarations: string, files: Readonly<Record<string, string>> = {}) {
  const written = { 'dist/index.d.ts': declarations, ...files }
  for (const [name, text] of Object.entries(written)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true })
    writeFileSync(join(folder, name), text)
  }
  writeFileSync(
    join(folder, 'package.json'),
    '{ "name": "one", "type": "module", "version": "1.0.0" }',
  )
  const file = join(folder, 'dist/index.d.ts')
  return { packageName: 'one', name: 'one', folder, declarations: file, report: join(folder, 'a') }
}

test.for<[string, string, string[]]>([
  ['an export', 'export declare const LIMIT: number;', ['LIMIT']],
  [
    'a type that an export is made of',
    '/** Reads. */\nexport declare function read(): Page;\ninterface Page {}',
    ['Page'],
  ],
  [
    'a type named by typeof',
    '/** Reads. */\nexport declare const read: typeof inner;\ndeclare const inner: number;',
    ['inner'],
  ],
  ['a number', '/** A page. */\nexport interface Page { size: number; }', ['Page.size']],
  ['a function', '/** A page. */\nexport interface Page { close(): void; }', ['Page.close']],
  [
    'a nested member',
    '/** A page. */\nexport type Page = { place: { line: number } };',
    ['Page.place.line'],
  ],
  [
    'an option, also with a described type',
    '/** Codes. */\nexport type Code = "a";\n/** How. */\nexport interface PageOptions { code?: Code; }',
    ['PageOptions.code'],
  ],
  [
    'a text with a name of its own',
    '/** A page. */\nexport interface Page { mark: string; }',
    ['Page.mark'],
  ],
])('%s without a comment is reported', ([, declarations, names]) => {
  const reports = findMissingComments([entryWith(declarations)], folder)
  expect(reports.map((line) => line.split(' ').slice(1).join(' '))).toEqual(
    names.map((name) => `${name} has no comment`),
  )
})

test.for<[string, string]>([
  ['a tag', "/** A page. */\nexport interface Page { type: 'page'; }"],
  [
    'a common word',
    '/** A page. */\nexport interface Page { title?: string; signal: AbortSignal; }',
  ],
  [
    'a described shape',
    '/** A code. */\nexport type Code = "a";\n/** A page. */\nexport interface Page { codes: readonly Code[]; }',
  ],
  [
    'a part of what a function takes',
    '/** Reads. */\nexport declare function read(place: { line: number }): { rest: number };',
  ],
  [
    'a member that the comment around it names',
    '/** A page of `size` lines. */\nexport interface Page { size: number; }',
  ],
  [
    'the only member of a variant with a comment',
    "/** What came. */\nexport type Came = { kind: 'none' } | /** So many. */ { kind: 'some'; count: number };",
  ],
  [
    'the format of another program',
    '/**\n * A page.\n * @see https://example.org/page\n */\nexport interface Page { size: number; }',
  ],
  ['a private member', '/** A page. */\nexport declare class Page { private size; }'],
])('%s needs no comment', ([, declarations]) => {
  expect(findMissingComments([entryWith(declarations)], folder)).toEqual([])
})

test('a comment that only repeats the name is reported', () => {
  const declarations =
    '/** A page. */\nexport interface Page {\n /** The line number. */\n lineNumber: number;\n}'
  expect(findMissingComments([entryWith(declarations)], folder)).toEqual([
    'dist/index.d.ts:4 Page.lineNumber has a comment that only repeats its name',
  ])
})

test('a report has every export with its members and the types that they use, and no comments', () => {
  const entry = entryWith(
    "export { read } from './read.ts';\nexport type { Page as Sheet } from './page.ts';\n",
    {
      'dist/read.d.ts':
        "import type { Page } from './page.ts';\n/** Reads. */\nexport declare function read(at: Place): Page;\ninterface Place { line: number }\n",
      'dist/page.d.ts':
        '/** A page. */\nexport interface Page {\n  /** In lines. */\n  size: number;\n}\n',
    },
  )
  const [report] = writeReports([entry], join(folder, 'reports'))
  expect(report?.text).toMatchInlineSnapshot(`
    "# one

    Written by \`pnpm api:update\`. Declarations without \`export\` cannot be imported: exports are made of them.

    \`\`\`ts
    interface Place {
        line: number;
    }

    export function read(at: Place): Sheet;

    export interface Sheet {
        size: number;
    }
    \`\`\`
    "
  `)
  expect(writeReports([entry], join(folder, 'again'))[0]?.text).toBe(report?.text)
})

test('every entry of a published package has a report', () => {
  const entries = readEntries(resolve(import.meta.dirname, '..'))
  expect(entries.length).toBeGreaterThan(30)
  for (const { name, report } of entries)
    expect(readFileSync(report, 'utf8')).toContain(`# ${name}\n`)
})
