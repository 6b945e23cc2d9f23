import { join, relative } from 'node:path'
import ts from 'typescript-6'

/**
 * Finds declarations without a TSDoc comment: those that an entry exports, those that its exports use, and their members. Each is checked in the
 * package that declares it, so exports of another package are checked there. Members that explain themselves need no comment, by the rules of
 * `explainsItself`. A comment that only repeats the name counts as missing.
 */
export function findMissingComments(entries, root) {
  const program = ts.createProgram(
    entries.map(({ declarations }) => declarations),
    COMPILER_OPTIONS,
  )
  const checker = program.getTypeChecker()
  const seen = new Set()
  const problems = []

  function visitSymbol(symbol, folder) {
    const target = symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol
    const own = (target.declarations ?? []).filter(
      (declaration) =>
        isDeclared(declaration) &&
        declaration.getSourceFile().fileName.startsWith(join(folder, 'dist')),
    )
    for (const declaration of own) visitDeclaration(declaration, { folder, own })
  }

  function visitDeclaration(declaration, { folder, own }) {
    if (seen.has(declaration)) return
    seen.add(declaration)
    const name = declaration.name?.getText() ?? 'default'
    // Overloads, and a value and a type with the same name, share a comment.
    const texts = own.map(getComment).filter((text) => text !== undefined)
    if (texts.length === 0) report(declaration, name, 'has no comment')
    visitMembers(declaration, { folder, path: name, around: texts })
  }

  function visitMembers(node, { folder, path, around }) {
    ts.forEachChild(node, (child) => {
      const reference = getReferenceName(child)
      const symbol = reference && checker.getSymbolAtLocation(reference)
      if (symbol) visitSymbol(symbol, folder)
      if (isPrivate(child)) return
      const memberPath = isMember(child) ? `${path}.${child.name.getText()}` : path
      if (isMember(child)) {
        const text = getComment(child)
        const isDescribed = isDescribedAround(child, around) || explainsItself(child, checker)
        if (text === undefined && !isDescribed) report(child, memberPath, 'has no comment')
        if (text !== undefined && repeats(text, child.name.getText()))
          report(child, memberPath, REPEATS)
      }
      const own = [isMember(child) ? getComment(child) : undefined, commentOnVariant(child)]
      const texts = own.filter((text) => text !== undefined)
      visitMembers(child, { folder, path: memberPath, around: [...around, ...texts] })
    })
  }

  function report(node, name, what) {
    const source = node.getSourceFile()
    const { line } = source.getLineAndCharacterOfPosition(node.getStart())
    problems.push(`${relative(root, source.fileName)}:${line + 1} ${name} ${what}`)
  }

  for (const { declarations, folder } of entries) {
    const symbol = checker.getSymbolAtLocation(program.getSourceFile(declarations))
    for (const each of symbol ? checker.getExportsOfModule(symbol) : []) visitSymbol(each, folder)
  }
  return [...new Set(problems)]
}

const COMPILER_OPTIONS = {
  target: ts.ScriptTarget.ES2024,
  lib: ['lib.es2024.d.ts', 'lib.dom.d.ts'],
  module: ts.ModuleKind.NodeNext,
  moduleResolution: ts.ModuleResolutionKind.NodeNext,
  types: [],
  strict: true,
  skipLibCheck: true,
  allowImportingTsExtensions: true,
  noEmit: true,
}

const REPEATS = 'has a comment that only repeats its name'

/** Words that mean the same in every type: those of MCP, and those of every program. A text with such a name needs no comment. */
const COMMON_WORDS = new Set([
  'arguments',
  'callId',
  'description',
  'id',
  'label',
  'message',
  'mimeType',
  'name',
  'path',
  'text',
  'title',
  'toolName',
  'uri',
  'url',
  'version',
])

/**
 * Whether a member needs no comment of its own. Besides members that a comment around them describes, these are:
 * 1. Tags: members whose type is one value, such as `kind: 'value'`; they distinguish the variants of a union.
 * 2. Common words: texts with a name of `COMMON_WORDS`, and `signal: AbortSignal`, which cancels.
 * 3. Shapes: required members whose type is a declaration, which has its own comment, or an object type, whose members have theirs. Optional
 * members only in data: an option needs a comment about its default.
 * 4. An inline object type that a function takes or returns: the comment on the function describes it.
 * 5. Variants: the one member of a variant besides its tag, if the variant has a comment.
 */
function explainsItself(member, checker) {
  if (ts.isMethodSignature(member) || ts.isMethodDeclaration(member)) return false
  const { type } = member
  // In declarations, a constant is written as its value.
  if (type === undefined) return member.initializer !== undefined
  const only = withoutUndefined(type)
  if (isTag(only) || isPartOfFunction(member) || isAllOfVariant(member)) return true
  const name = member.name.getText()
  if (COMMON_WORDS.has(name) && isText(only, checker)) return true
  if (name === 'signal' && only.getText() === 'AbortSignal') return true
  return isShape(only, checker) && (member.questionToken === undefined || !isOption(member))
}

/**
 * Whether the comment of the containing declaration describes a member: it has the name of the member as code, or a link (`@see`) to the
 * documentation of another program's format, which describes all members.
 */
function isDescribedAround(member, around) {
  const name = member.name.getText().replace(/^['"]|['"]$/g, '')
  return around.some((text) => text.includes(`\`${name}\``) || /@see https:\/\//.test(text))
}

/** The comment before a variant of a union, which is written before its `|`. */
function commentOnVariant(node) {
  if (!ts.isUnionTypeNode(node.parent)) return undefined
  const { types } = node.parent
  const before = types[types.indexOf(node) - 1]
  const start = before?.end ?? node.parent.pos
  const text = node.getSourceFile().text.slice(start, node.getStart())
  return text.includes('/**') ? text : undefined
}

function isAllOfVariant(member) {
  const variant = member.parent
  if (!ts.isTypeLiteralNode(variant) || commentOnVariant(variant) === undefined) return false
  return variant.members.filter(({ type }) => type !== undefined && !isTag(type)).length === 1
}

function withoutUndefined(type) {
  if (!ts.isUnionTypeNode(type)) return type
  const rest = type.types.filter((each) => each.kind !== ts.SyntaxKind.UndefinedKeyword)
  return rest.length === 1 ? rest[0] : type
}

function isTag(type) {
  if (ts.isTypeOperatorNode(type)) return type.operator === ts.SyntaxKind.UniqueKeyword
  return ts.isLiteralTypeNode(type) || type.kind === ts.SyntaxKind.NeverKeyword
}

function isText(type, checker) {
  return (
    (checker.getTypeFromTypeNode(type).flags & ts.TypeFlags.StringLike) !== 0 ||
    type.getText() === 'TerminalText' ||
    type.getText() === 'ModelText'
  )
}

/** A declaration of these packages, an object type, or a list of either. */
function isShape(type, checker) {
  if (ts.isParenthesizedTypeNode(type)) return isShape(type.type, checker)
  if (ts.isTypeOperatorNode(type)) return isShape(type.type, checker)
  if (ts.isArrayTypeNode(type)) return isShape(type.elementType, checker)
  if (ts.isUnionTypeNode(type) || ts.isIntersectionTypeNode(type))
    return type.types.every((each) => isShape(each, checker))
  if (ts.isTypeLiteralNode(type)) return true
  if (!ts.isTypeReferenceNode(type)) return false
  const symbol = checker.getSymbolAtLocation(type.typeName)
  const target =
    symbol && symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol
  return (target?.declarations ?? []).some(
    (declaration) => isDeclared(declaration) && !isOfLibrary(declaration),
  )
}

function isOfLibrary(declaration) {
  return declaration.getSourceFile().fileName.includes('/node_modules/')
}

/** Whether a member is an option of a host, by the name of its type. */
function isOption(member) {
  const declaration = ts.findAncestor(
    member,
    (node) => ts.isInterfaceDeclaration(node) || ts.isTypeAliasDeclaration(node),
  )
  return declaration !== undefined && declaration.name.text.endsWith('Options')
}

function isPartOfFunction(member) {
  const around = ts.findAncestor(
    member.parent,
    (node) => isMember(node) || isFunction(node) || isDeclared(node),
  )
  return around !== undefined && isFunction(around)
}

function isFunction(node) {
  return (
    ts.isFunctionDeclaration(node) ||
    ts.isFunctionTypeNode(node) ||
    ts.isMethodSignature(node) ||
    ts.isMethodDeclaration(node) ||
    ts.isConstructorDeclaration(node) ||
    ts.isCallSignatureDeclaration(node)
  )
}

function isMember(node) {
  return (
    ts.isPropertySignature(node) ||
    ts.isMethodSignature(node) ||
    ts.isPropertyDeclaration(node) ||
    ts.isMethodDeclaration(node) ||
    ts.isGetAccessor(node)
  )
}

function isPrivate(node) {
  return (
    ts.canHaveModifiers(node) &&
    (ts.getModifiers(node) ?? []).some(({ kind }) => kind === ts.SyntaxKind.PrivateKeyword)
  )
}

function isDeclared(node) {
  return (
    ts.isInterfaceDeclaration(node) ||
    ts.isTypeAliasDeclaration(node) ||
    ts.isFunctionDeclaration(node) ||
    ts.isClassDeclaration(node) ||
    ts.isVariableDeclaration(node)
  )
}

function getReferenceName(node) {
  if (ts.isTypeReferenceNode(node)) return node.typeName
  if (ts.isTypeQueryNode(node)) return node.exprName
  return ts.isExpressionWithTypeArguments(node) ? node.expression : undefined
}

/** The text of a comment, with the targets of its `@see` links. */
function getComment(node) {
  const host = ts.isVariableDeclaration(node) ? node.parent.parent : node
  const comments = ts.getJSDocCommentsAndTags(host).filter(ts.isJSDoc)
  return comments.length === 0 ? undefined : comments.map((comment) => comment.getText()).join('\n')
}

const SMALL_WORDS = new Set([
  'a',
  'an',
  'the',
  'of',
  'this',
  'that',
  'is',
  'its',
  'in',
  'for',
  'to',
  'or',
  'whether',
])

/** Whether every word of a comment is also in the name. */
function repeats(text, name) {
  const commentWords = getWords(text).filter((word) => !SMALL_WORDS.has(word))
  const known = new Set(getWords(name))
  return commentWords.every((word) => known.has(word) || known.has(word.replace(/s$/, '')))
}

function getWords(text) {
  const matches = text.match(/[A-Z]?[a-z]+|[A-Z]+(?![a-z])|\d+/g) ?? []
  return matches.map((word) => word.toLowerCase())
}
