import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import ts from 'typescript-6'
import { expect, test } from 'vitest'

const root = new URL('../', import.meta.url)

/** The sources of the project that git knows, as syntax trees. */
function* readSources(...patterns: readonly string[]): Generator<ts.SourceFile> {
  const listed = execFileSync('git', ['ls-files', ...patterns], { cwd: root, encoding: 'utf8' })
  for (const file of listed.trim().split('\n'))
    if (!file.startsWith('site/'))
      yield ts.createSourceFile(
        file,
        readFileSync(new URL(file, root), 'utf8'),
        ts.ScriptTarget.Latest,
        true,
      )
}

function* walk(node: ts.Node): Generator<ts.Node> {
  yield node
  const children: ts.Node[] = []
  ts.forEachChild(node, (child) => void children.push(child))
  for (const child of children) yield* walk(child)
}

/** Words that do not say what a thing is. */
const EMPTY_NAMES = new Set('given said told found shown place placed words at of'.split(' '))
/** Fields of events and of progress that a function takes out of an object under their own name. */
const FIELDS = new Set(['at', 'of'])

/** Returns the name that a node declares: of a variable, a parameter, a function or a type. */
function getDeclaredName(node: ts.Node): ts.Identifier | undefined {
  const isDeclaration =
    ts.isVariableDeclaration(node) ||
    ts.isParameter(node) ||
    ts.isBindingElement(node) ||
    ts.isFunctionDeclaration(node) ||
    ts.isTypeAliasDeclaration(node) ||
    ts.isInterfaceDeclaration(node) ||
    ts.isTypeParameterDeclaration(node)
  return isDeclaration && node.name && ts.isIdentifier(node.name) ? node.name : undefined
}

function isFieldOfObject(node: ts.Node, name: string): boolean {
  return (
    FIELDS.has(name) &&
    ts.isBindingElement(node) &&
    node.propertyName === undefined &&
    ts.isObjectBindingPattern(node.parent)
  )
}

test('the name of a variable, a function or a type says what it is', () => {
  const empty: string[] = []
  for (const source of readSources('*.ts', '*.tsx', '*.mjs'))
    for (const node of walk(source)) {
      const name = getDeclaredName(node)
      if (!name || !EMPTY_NAMES.has(name.text.toLowerCase())) continue
      if (isFieldOfObject(node, name.text)) continue
      const { line } = source.getLineAndCharacterOfPosition(name.getStart())
      empty.push(`${source.fileName}:${line + 1}: ${name.text}`)
    }
  expect(empty).toEqual([])
})

test('the name of a type stands in one file', () => {
  const files = new Map<string, Set<string>>()
  for (const source of readSources(
    'packages/*/src/*.ts',
    'packages/*/src/*.tsx',
    'apps/*/src/*.ts',
  )) {
    if (/\.(?:test|support)\./.test(source.fileName)) continue
    for (const statement of source.statements)
      if (ts.isInterfaceDeclaration(statement) || ts.isTypeAliasDeclaration(statement)) {
        const { text } = statement.name
        files.set(text, (files.get(text) ?? new Set()).add(source.fileName))
      }
  }
  const repeated = [...files].filter(([, places]) => places.size > 1)
  expect(repeated.map(([name, places]) => `${name}: ${[...places].join(', ')}`)).toEqual([])
})
