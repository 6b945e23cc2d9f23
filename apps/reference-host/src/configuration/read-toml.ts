import { ParseError, getStaticTOMLValue, parseTOML, type AST } from 'toml-eslint-parser'

/** A TOML document with the lines of its keys. */
export interface TomlDocument {
  value: Readonly<Record<string, unknown>>
  /** The line (from 1) of the deepest key on the way to a value that the file itself has. */
  lineOf(path: readonly string[]): number | undefined
}

/** Reads TOML; bad syntax is a value that says where. */
export function readToml(
  text: string,
): { ok: true; document: TomlDocument } | { ok: false; line: number; message: string } {
  try {
    const program = parseTOML(text)
    const lines = new Map<string, number>()
    for (const node of program.body[0].body) noteLines(node, [], lines)
    const value = getStaticTOMLValue(program) as Record<string, unknown>
    return { ok: true, document: { value, lineOf: (path) => deepest(path, lines) } }
  } catch (error) {
    if (!(error instanceof ParseError)) throw error
    return { ok: false, line: error.lineNumber, message: error.message }
  }
}

const key = (path: readonly (string | number)[]): string => path.map(String).join('\0')

function noteLines(
  node: AST.TOMLTable | AST.TOMLKeyValue,
  parent: readonly (string | number)[],
  lines: Map<string, number>,
): void {
  const path =
    node.type === 'TOMLTable'
      ? node.resolvedKey
      : [
          ...parent,
          ...node.key.keys.map((part) => (part.type === 'TOMLBare' ? part.name : part.value)),
        ]
  for (let depth = parent.length + 1; depth <= path.length; depth++) {
    const prefix = key(path.slice(0, depth))
    if (!lines.has(prefix)) lines.set(prefix, node.loc.start.line)
  }
  if (node.type === 'TOMLTable') for (const entry of node.body) noteLines(entry, path, lines)
  else if (node.value.type === 'TOMLInlineTable')
    for (const entry of node.value.body) noteLines(entry, path, lines)
}

function deepest(path: readonly string[], lines: ReadonlyMap<string, number>): number | undefined {
  for (let depth = path.length; depth > 0; depth--) {
    const line = lines.get(key(path.slice(0, depth)))
    if (line !== undefined) return line
  }
  return undefined
}
