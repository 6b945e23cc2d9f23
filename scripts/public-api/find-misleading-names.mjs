import ts from 'typescript-6'

/** First words of a name that is a question. Callers of such a function write `if (…)`, and an object is always true there. */
const QUESTION =
  /^(?:accepts|allows|are|can|confirms?|contains|does|equals|exists|fits|had|has|have|includes|is|knows|match|matches|may|must|needs|should|supports|takes|was|were|will|would)(?![a-z])/

/**
 * Finds functions in the code of a report whose name is a question and that return another type than `boolean` or a promise of it. `undefined` and
 * `null` are allowed, because they are false in a condition.
 */
export function findMisleadingNames(code) {
  const source = ts.createSourceFile('entry.d.ts', code, ts.ScriptTarget.Latest, true)
  const aliases = new Map(
    source.statements.filter(ts.isTypeAliasDeclaration).map(({ name, type }) => [name.text, type]),
  )
  const misleading = []
  const visit = (node) => {
    const signature = getSignature(node, aliases)
    if (signature !== undefined && ts.isIdentifier(node.name) && QUESTION.test(node.name.text)) {
      const { type } = signature
      if (type === undefined || !returnsBoolean(type, aliases))
        misleading.push(`${node.name.text} returns ${type?.getText() ?? 'any'}`)
    }
    ts.forEachChild(node, visit)
  }
  visit(source)
  return misleading
}

/** The function that a declaration or member declares. */
function getSignature(node, aliases) {
  if (ts.isFunctionDeclaration(node) || ts.isMethodSignature(node) || ts.isMethodDeclaration(node))
    return node
  if (!ts.isVariableDeclaration(node) && !ts.isPropertySignature(node)) return undefined
  const type = node.type && resolve(node.type, aliases)
  return type !== undefined && ts.isFunctionTypeNode(type) ? type : undefined
}

function resolve(type, aliases) {
  if (ts.isParenthesizedTypeNode(type)) return resolve(type.type, aliases)
  if (!ts.isTypeReferenceNode(type) || !ts.isIdentifier(type.typeName)) return type
  const alias = aliases.get(type.typeName.text)
  return alias === undefined ? type : resolve(alias, aliases)
}

function returnsBoolean(typeNode, aliases) {
  const type = resolve(typeNode, aliases)
  if (ts.isUnionTypeNode(type)) return type.types.every((each) => returnsBoolean(each, aliases))
  if (ts.isTypePredicateNode(type)) return true
  if (ts.isTypeReferenceNode(type) && type.typeName.getText() === 'Promise')
    return type.typeArguments?.every((each) => returnsBoolean(each, aliases)) ?? false
  const kind = ts.isLiteralTypeNode(type) ? type.literal.kind : type.kind
  return YES_OR_NO.has(kind)
}

const YES_OR_NO = new Set([
  ts.SyntaxKind.BooleanKeyword,
  ts.SyntaxKind.TrueKeyword,
  ts.SyntaxKind.FalseKeyword,
  ts.SyntaxKind.UndefinedKeyword,
  ts.SyntaxKind.NullKeyword,
])
