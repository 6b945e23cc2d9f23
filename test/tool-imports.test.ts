import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import ts from 'typescript-6'
import { expect, test } from 'vitest'

// No type check reads the programs in tools/, scripts/ and site/, and few of them run in CI.

const root = join(import.meta.dirname, '..')

function parse(file: string): ts.SourceFile {
  return ts.createSourceFile(file, readFileSync(file, 'utf8'), ts.ScriptTarget.Latest)
}

/** Returns the values that a module exports. */
function getExports(file: string): ReadonlySet<string> {
  const names: string[] = []
  for (const node of parse(file).statements) {
    const isExported =
      ts.canHaveModifiers(node) &&
      ts.getModifiers(node)?.some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword) === true
    if (ts.isExportDeclaration(node) && node.exportClause && ts.isNamedExports(node.exportClause))
      names.push(...node.exportClause.elements.map(({ name }) => name.text))
    else if (isExported && ts.isVariableStatement(node))
      names.push(...node.declarationList.declarations.map(({ name }) => name.getText(parse(file))))
    else if (isExported && (ts.isFunctionDeclaration(node) || ts.isClassDeclaration(node)))
      names.push(node.name?.text ?? 'default')
  }
  return new Set(names)
}

/** Returns the names that a program imports from files of the project and that these do not export. */
function findMissing(program: string): readonly string[] {
  return parse(program).statements.flatMap((node) => {
    if (!ts.isImportDeclaration(node) || !ts.isStringLiteral(node.moduleSpecifier)) return []
    const { text } = node.moduleSpecifier
    const bindings = node.importClause?.namedBindings
    if (!text.startsWith('.') || !bindings || !ts.isNamedImports(bindings)) return []
    const file = join(dirname(program), text)
    if (!existsSync(file)) return [`${text}: there is no such file`]
    const known = getExports(file)
    return bindings.elements
      .map(({ name, propertyName }) => (propertyName ?? name).text)
      .filter((name) => !known.has(name))
      .map((name) => `${text} exports no ${name}`)
  })
}

const listed = execFileSync('git', ['ls-files', 'tools/*.mjs', 'scripts/*.mjs', 'site/*.mjs'], {
  cwd: root,
  encoding: 'utf8',
})

test('every program in tools, scripts and site imports names that exist', () => {
  const programs = listed.trim().split('\n')
  expect(programs.length).toBeGreaterThan(50)
  const missing = programs.flatMap((program) =>
    findMissing(join(root, program)).map((reason) => `${program}: ${reason}`),
  )
  expect(missing).toEqual([])
})
