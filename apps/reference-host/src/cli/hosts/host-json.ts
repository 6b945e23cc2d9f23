import { isJsonObject } from '@toolblocks/protocol'
import { describeValue } from '@toolblocks/protocol/internal'
import {
  type Node,
  type ParseError,
  applyEdits,
  findNodeAtLocation,
  format,
  modify,
  parse,
  parseTree,
  printParseErrorCode,
  visit,
} from 'jsonc-parser'
import {
  getNewline,
  type HostDocument,
  type HostFormat,
  type LocatedText,
  type LocatedValue,
  type TextRange,
  type WrittenEntry,
} from './host-format.ts'

/** Hosts allow comments, and a comma after the last value. */
const OPTIONS = { allowTrailingComma: true }

/** Parses JSON with comments. */
function readJson(text: string): HostDocument {
  const errors: ParseError[] = []
  const value: unknown = parse(text, errors, OPTIONS)
  const [error] = errors
  if (error) {
    const message = `${printParseErrorCode(error.error)} at character ${error.offset}`
    return { ok: false, message }
  }
  return isJsonObject(value)
    ? { ok: true, value }
    : { ok: false, message: `expected an object, got ${describeValue(value)}` }
}

/** Returns JSON in one line in several lines, for a person. */
export function layOutJson(text: string): string {
  if (!isOneLine(text)) return text
  return applyEdits(text, format(text, undefined, { insertSpaces: true, tabSize: 2, eol: '\n' }))
}

/** Whether hosts have written JSON in one line, which stays so. */
function isOneLine(text: string): boolean {
  return !text.trim().includes('\n') && !/^\s*(?:\{\s*\})?\s*$/.test(text)
}

function changeJson(
  text: string,
  path: readonly string[],
  { entry, source }: WrittenEntry,
): string {
  const node = findNode(text, path)
  if (source !== undefined && node)
    return text.slice(0, node.offset) + source + text.slice(node.offset + node.length)
  const formattingOptions = {
    insertSpaces: !/^\t/m.test(text),
    tabSize: 2,
    eol: getNewline(text),
  }
  const edits = modify(text, [...path], entry, { ...(!isOneLine(text) && { formattingOptions }) })
  return applyEdits(text, edits)
}

function findNode(text: string, path: readonly string[]): Node | undefined {
  const tree = parseTree(text, [], OPTIONS)
  return tree && findNodeAtLocation(tree, [...path])
}

function findSource(text: string, path: readonly string[]): string | undefined {
  const node = findNode(text, path)
  return node && text.slice(node.offset, node.offset + node.length)
}

function locateJson(text: string): LocatedText {
  const comments: TextRange[] = []
  const onComment = (start: number, length: number): void => {
    comments.push({ start, end: start + length })
  }
  visit(text, { onComment }, OPTIONS)
  const root = parseTree(text, [], OPTIONS)
  return { values: root ? locateNodes([root]) : [], comments }
}

function locateNodes(nodes: readonly Node[]): readonly LocatedValue[] {
  return nodes.flatMap((node): readonly LocatedValue[] => {
    const { type, offset, length, children = [] } = node
    if (type === 'array') return [{ kind: 'list', items: locateNodes(children) }]
    if (type === 'object') return [{ kind: 'fields', fields: children.flatMap(locateProperty) }]
    if (type !== 'string' && type !== 'number') return []
    return [{ kind: 'text', value: String(node.value), start: offset, end: offset + length }]
  })
}

function locateProperty({ children = [] }: Node): readonly (readonly [string, LocatedValue])[] {
  const [key, ...values] = children
  return locateNodes(values).map((value) => [String(key?.value), value])
}

/** JSON with comments, as hosts write it. */
export const JSON_FORMAT: HostFormat = {
  read: readJson,
  change: changeJson,
  findSource,
  locate: locateJson,
}
