import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import ts from 'typescript-6'
import { expect, test } from 'vitest'

const root = new URL('../', import.meta.url)

/** The sources of the project that git knows, as syntax trees. */
const SOURCES = execFileSync('git', ['ls-files', '*.ts', '*.tsx', '*.mjs'], {
  cwd: root,
  encoding: 'utf8',
})
  .trim()
  .split('\n')
  .filter((file) => !file.startsWith('site/'))
  .map((file) =>
    ts.createSourceFile(file, readFileSync(new URL(file, root), 'utf8'), ts.ScriptTarget.Latest),
  )

/** Calls `visit` with each node, and with the node around it. */
function walk(node: ts.Node, visit: (node: ts.Node, parent: ts.Node) => void): void {
  ts.forEachChild(node, (child) => {
    visit(child, node)
    walk(child, visit)
  })
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

function isFieldOfObject(node: ts.Node, parent: ts.Node, name: string): boolean {
  return (
    FIELDS.has(name) &&
    ts.isBindingElement(node) &&
    node.propertyName === undefined &&
    ts.isObjectBindingPattern(parent)
  )
}

test('the name of a variable, a function or a type says what it is', () => {
  const empty: string[] = []
  for (const source of SOURCES)
    walk(source, (node, parent) => {
      const name = getDeclaredName(node)
      if (!name || !EMPTY_NAMES.has(name.text.toLowerCase())) return
      if (isFieldOfObject(node, parent, name.text)) return
      const { line } = source.getLineAndCharacterOfPosition(name.getStart(source))
      empty.push(`${source.fileName}:${line + 1}: ${name.text}`)
    })
  expect(empty).toEqual([])
})

const IS_SOURCE = /^(?:packages|apps)\/[^/]+\/src\//
const IS_TEST = /\.(?:test|support)\./

test('the name of a type stands in one file', () => {
  const files = new Map<string, Set<string>>()
  for (const source of SOURCES) {
    if (!IS_SOURCE.test(source.fileName) || IS_TEST.test(source.fileName)) continue
    for (const statement of source.statements)
      if (ts.isInterfaceDeclaration(statement) || ts.isTypeAliasDeclaration(statement)) {
        const { text } = statement.name
        files.set(text, (files.get(text) ?? new Set()).add(source.fileName))
      }
  }
  const repeated = [...files].filter(([, places]) => places.size > 1)
  expect(repeated.map(([name, places]) => `${name}: ${[...places].join(', ')}`)).toEqual([])
})
