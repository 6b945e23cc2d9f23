import { type JsonObject, isJsonObject } from '@toolblocks/protocol'
import { describeValue } from '@toolblocks/protocol/internal'
import {
  type Node,
  type ParseError,
  applyEdits,
  findNodeAtLocation,
  format,
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

/** What is wrong with a text, for each code of the parser. */
const PROBLEMS: Readonly<Record<ReturnType<typeof printParseErrorCode>, string>> = {
  InvalidSymbol: 'expected a value of JSON, got another word',
  InvalidNumberFormat: 'expected a number of JSON',
  PropertyNameExpected: 'expected the name of a property in double quotation marks',
  ValueExpected: 'expected a value',
  ColonExpected: 'expected a colon',
  CommaExpected: 'expected a comma',
  CloseBraceExpected: 'expected "}"',
  CloseBracketExpected: 'expected "]"',
  EndOfFileExpected: 'expected the end of the file',
  InvalidCommentToken: 'expected no comment',
  UnexpectedEndOfComment: 'expected "*/" after the comment',
  UnexpectedEndOfString: 'expected a double quotation mark after the text',
  UnexpectedEndOfNumber: 'expected a digit after the number',
  InvalidUnicode: String.raw`expected four hexadecimal digits after "\u"`,
  InvalidEscapeCharacter: String.raw`expected one of " \ / b f n r t u after a backslash`,
  InvalidCharacter: 'expected an escape in place of a control character',
  '<unknown ParseErrorCode>': 'expected JSON',
}

/** Parses JSON with comments. */
function readJson(text: string): HostDocument {
  const errors: ParseError[] = []
  const value: unknown = parse(withoutMark(text), errors, OPTIONS)
  const [error] = errors
  if (error) return { ok: false, message: `it is not JSON: ${describeError(text, error)}` }
  return isJsonObject(value)
    ? { ok: true, value }
    : { ok: false, message: `expected an object, got ${describeValue(value)}` }
}

/** Says where a text is not JSON, and what is wrong. Names and values may be secrets, so only other signs are named. */
function describeError(text: string, { error, offset }: ParseError): string {
  const lines = withoutMark(text)
    .slice(0, offset)
    .split(/\r\n|\r|\n/)
  const column = (lines.at(-1)?.length ?? 0) + 1
  const sign = text[offset]
  const got =
    sign === undefined
      ? ', got the end of the file'
      : /[[\]{}:,]/.test(sign)
        ? `, got ${JSON.stringify(sign)}`
        : ''
  const problem = PROBLEMS[printParseErrorCode(error)]
  return `line ${lines.length}, column ${column}: ${problem}${got}`
}

/** A byte order mark, which some editors write first, is no part of JSON. All positions stay. */
function withoutMark(text: string): string {
  return text.replace(/^\uFEFF/, ' ')
}

/** Returns JSON in one line in several lines, for a person. */
export function layOutJson(text: string): string {
  if (!isOneLine(text)) return text
  const bare = withoutMark(text).trimStart()
  return applyEdits(bare, format(bare, undefined, { insertSpaces: true, tabSize: 2, eol: '\n' }))
}

/** Whether hosts have written JSON in one line, which stays so. */
function isOneLine(text: string): boolean {
  return !text.trim().includes('\n') && !/^\s*(?:\{\s*\})?\s*$/.test(text)
}

/** Changes one value. A new property stands after the last one; all other text stays, except for a comma between them. */
function changeJson(
  text: string,
  path: readonly string[],
  { entry, source }: WrittenEntry,
): string {
  const node = findNode(text, path)
  if (entry === undefined) return node ? removeProperty(text, node) : text
  if (!node) return addProperty(text, path, entry)
  const { offset, length, parent: property } = node
  const layout = getLayout(text, property?.offset ?? offset)
  const value = source ?? formatValue(text, entry, isOneLine(text) ? undefined : layout)
  return text.slice(0, offset) + value + text.slice(offset + length)
}

function findNode(text: string, path: readonly string[]): Node | undefined {
  const tree = parseTree(withoutMark(text), [], OPTIONS)
  return tree && findNodeAtLocation(tree, [...path])
}

/** Adds a value at a path, with the objects on the way to it that the text does not have. */
function addProperty(text: string, path: readonly string[], value: JsonObject): string {
  const depth = path.findLastIndex((_, index) => findNode(text, path.slice(0, index)))
  const object = findNode(text, path.slice(0, depth))
  const [key = '', ...inside] = path.slice(depth)
  const whole = inside.reduceRight<JsonObject>((child, name) => ({ [name]: child }), value)
  if (!object) return text
  const last = object.children?.at(-1)
  return last
    ? addAfter(text, { object, last }, [key, whole])
    : addFirst(text, object, [key, whole])
}

/** A comment of JSON. */
const COMMENT = String.raw`\/\/[^\r\n]*(?=[\r\n]|$)|\/\*(?:(?!\*\/)[^])*\*\/`

/** Adds a property after the last one of an object, its comma, and the comments of its line. */
function addAfter(
  text: string,
  { object, last }: { object: Node; last: Node },
  [key, value]: readonly [string, JsonObject],
): string {
  const end = last.offset + last.length
  const comma = findComma(text, end)
  const position = skipComments(text, comma === undefined ? end : comma + 1)
  const layout =
    getLayout(text, last.offset) ??
    (endsLineComment(text, position) ? getInnerLayout(text, object) : undefined)
  const [name, first] = last.children ?? []
  const colon = name && first ? text.slice(name.offset + name.length, first.offset) : ':'
  const separator = layout
    ? getNewline(text) + layout.indentation
    : (/[ \t]*$/.exec(text.slice(object.offset + 1, last.offset))?.[0] ?? '')
  const property = [
    separator,
    JSON.stringify(key),
    layout ? ': ' : /^[ \t]*:[ \t]*$/.test(colon) ? colon : ':',
    formatValue(text, value, layout),
    comma === undefined ? '' : ',',
  ]
  return [
    text.slice(0, end),
    comma === undefined ? ',' : '',
    text.slice(end, position),
    ...property,
    text.slice(position),
  ].join('')
}

/** Adds the first property of an object, after its comments. */
function addFirst(text: string, object: Node, [key, value]: readonly [string, JsonObject]): string {
  const close = object.offset + object.length - 1
  const position = findPreviousEnd(text, object.offset, close)
  const isEmpty = position === object.offset + 1
  const rest = text.slice(position, close)
  const isInLine = !rest.includes('\n') && (!isEmpty || isOneLine(text))
  const layout = isInLine ? undefined : getInnerLayout(text, object)
  const newline = getNewline(text)
  return [
    text.slice(0, position),
    layout ? newline + layout.indentation : isEmpty ? '' : ' ',
    JSON.stringify(key),
    layout ? ': ' : ':',
    formatValue(text, value, layout),
    layout && !rest.includes('\n') ? newline + getIndentation(text, object.offset) : rest,
    text.slice(close),
  ].join('')
}

/** Removes a property with its comma and the comments of its line, or with the comma before it if it is the last one. */
function removeProperty(text: string, { parent: property }: Node): string {
  const object = property?.parent
  if (!property || !object) return text
  const { children = [] } = object
  const index = children.indexOf(property)
  const previous = children[index - 1]
  const end = property.offset + property.length
  const comma = findComma(text, end)
  const start = findPreviousEnd(text, object.offset, property.offset)
  const rest = text.slice(findRestStart(text, comma === undefined ? end : comma + 1))
  const before = previous && comma === undefined ? findComma(text, getEnd(previous)) : undefined
  const head = text.slice(0, start)
  // After such a comment, the rest needs a line of its own.
  const newline =
    endsLineComment(text, start) && !/^[ \t]*[\r\n]/.test(rest) ? getNewline(text) : ''
  const kept = before === undefined ? head : head.slice(0, before) + head.slice(before + 1)
  return kept + newline + rest
}

/** Returns the end of the comments that belong to a property: those of its line, if no other one follows there. */
function findRestStart(text: string, from: number): number {
  const end = skipComments(text, from)
  return /^[ \t]*[\r\n}]/.test(text.slice(end)) ? end : from
}

/** Whether a comment ends at a position that also ends with its line. */
function endsLineComment(text: string, position: number): boolean {
  return listComments(text).some(
    ({ start, end }) => end === position && text.startsWith('//', start),
  )
}

function listComments(text: string): readonly TextRange[] {
  const comments: TextRange[] = []
  const onComment = (start: number, length: number): void => {
    comments.push({ start, end: start + length })
  }
  visit(withoutMark(text), { onComment }, OPTIONS)
  return comments
}

/** Removes an object that has neither properties nor comments, nor a comment after it. */
function removeEmptyObject(text: string, path: readonly string[]): string {
  const node = findNode(text, path)
  if (!node?.parent || !isEmptyObject(text, node)) return text
  const comma = findComma(text, getEnd(node))
  const end = comma === undefined ? getEnd(node) : comma + 1
  // A person has commented on it.
  if (skipComments(text, end) !== end) return text
  const removed = removeProperty(text, node)
  const root = findNode(removed, [])
  if (!root || !isEmptyObject(removed, root)) return removed
  return `${removed.slice(0, root.offset)}{}${removed.slice(getEnd(root))}`
}

function isEmptyObject(text: string, node: Node): boolean {
  return node.type === 'object' && text.slice(node.offset + 1, getEnd(node) - 1).trim() === ''
}

function getEnd({ offset, length }: Node): number {
  return offset + length
}

/** Finds the comma after a property. */
function findComma(text: string, from: number): number | undefined {
  const pattern = new RegExp(String.raw`(?:\s|${COMMENT})*,`, 'y')
  pattern.lastIndex = from
  return pattern.test(text) ? pattern.lastIndex - 1 : undefined
}

/** Returns the end of the comments that begin in the same line. */
function skipComments(text: string, from: number): number {
  const pattern = new RegExp(String.raw`(?:[ \t]*(?:${COMMENT}))*`, 'y')
  pattern.lastIndex = from
  pattern.test(text)
  return pattern.lastIndex
}

/** Returns the end of what stands before a position in an object: its bracket, a comma or a comment. */
function findPreviousEnd(text: string, from: number, position: number): number {
  const last = listComments(text).findLast(({ start }) => start > from && start < position)
  return Math.max(text.slice(0, position).trimEnd().length, last?.end ?? 0)
}

/** How a value is written in lines. */
interface PropertyLayout {
  /** What stands before a property in its line. */
  indentation: string
  /** What stands before a value inside it, in addition. */
  unit: string
}

/** Returns how a property that begins a line is written; `undefined` if it does not begin one. */
function getLayout(text: string, offset: number): PropertyLayout | undefined {
  const indentation = getIndentation(text, offset)
  const start = offset - indentation.length
  if (start === 0 || !/[\r\n]/.test(text.charAt(start - 1))) return undefined
  return { indentation, unit: getUnit(text) }
}

/** Returns how a property of an object is written that begins a line. */
function getInnerLayout(text: string, object: Node): PropertyLayout {
  const unit = getUnit(text)
  return { indentation: getIndentation(text, object.offset) + unit, unit }
}

/** Returns the blanks at the beginning of the line of a position. */
function getIndentation(text: string, offset: number): string {
  const line =
    text
      .slice(0, offset)
      .split(/[\r\n]/)
      .at(-1) ?? ''
  return /^[ \t]*/.exec(line)?.[0] ?? ''
}

/** Returns the blanks by which the first line that is indented is. */
function getUnit(text: string): string {
  return /^[ \t]+(?=[^\s])/m.exec(text)?.[0] ?? '  '
}

function formatValue(text: string, value: JsonObject, layout: PropertyLayout | undefined): string {
  if (!layout) return JSON.stringify(value)
  return JSON.stringify(value, null, layout.unit).replaceAll(
    '\n',
    getNewline(text) + layout.indentation,
  )
}

function findSource(text: string, path: readonly string[]): string | undefined {
  const node = findNode(text, path)
  return node && text.slice(node.offset, node.offset + node.length)
}

function locateJson(text: string): LocatedText {
  const root = parseTree(withoutMark(text), [], OPTIONS)
  return { values: root ? locateNodes([root]) : [], comments: listComments(text) }
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
  removeEmpty: removeEmptyObject,
  locate: locateJson,
}
