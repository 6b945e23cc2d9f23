import { MAX_JSON_DEPTH } from '@toolblocks/protocol/internal'
import { type AST, ParseError, parseTOML, traverseNodes } from 'toml-eslint-parser'
import { explainOtherFile, explainTomlError } from './explain-toml-error.ts'

/** A table of a TOML document; it has no prototype. */
type TomlTable = Readonly<Record<string, unknown>>

/** A TOML document with the lines of its keys and of the elements of its lists. */
export interface TomlDocument {
  value: TomlTable
  /** Returns the line (from 1) of the deepest key or element on the way to a value that the file contains. */
  findLine(path: readonly string[]): number | undefined
}

/** The first problem of a text that is not TOML. */
export interface TomlProblem {
  /** From 1. */
  line?: number
  /** From 1. */
  column?: number
  message: string
}

/** The byte order mark that some editors write first. */
const BYTE_ORDER_MARK = '\uFEFF'

/**
 * Parses TOML. Invalid syntax is returned as a problem with its place. Dates and times are returned as they were written. A byte order mark is no
 * part of the text.
 */
export function readToml(
  written: string,
): { ok: true; document: TomlDocument } | { ok: false; problem: TomlProblem } {
  const text = written.startsWith(BYTE_ORDER_MARK) ? written.slice(1) : written
  try {
    const program = parseTOML(text)
    const line = findPrototypeLine(program)
    if (line !== undefined)
      return { ok: false, problem: { line, message: 'the key "__proto__" is not allowed' } }
    return { ok: true, document: readDocument(program) }
  } catch (error) {
    // The parser recurses for each level, and turns the characters of a text into the arguments of one call.
    if (error instanceof RangeError)
      return {
        ok: false,
        problem: { message: 'a value is nested too deeply, or a text is too long' },
      }
    if (error instanceof DepthError)
      return { ok: false, problem: { line: error.line, message: error.message } }
    if (!(error instanceof ParseError)) throw error
    const other = explainOtherFile(text)
    if (other !== undefined) return { ok: false, problem: { line: 1, column: 1, message: other } }
    const unclosed = isControl(text[error.index]) ? undefined : findUnclosed(text, error.lineNumber)
    if (unclosed)
      return { ok: false, problem: { line: unclosed.line, message: UNCLOSED[unclosed.what] } }
    const { lineNumber: line, column, message } = error
    return { ok: false, problem: explainTomlError(text, { line, column: column + 1, message }) }
  }
}

/** A text of TOML, and the part of it that was taken out. */
interface ReplacedTable {
  text: string
  /** The lines of the table and of those inside it; empty if the text has none. */
  cut: string
}

/**
 * Replaces a table and those inside it in a text that is TOML, with their lines, at the same place; without `lines` they are removed. Comments before
 * them stay. A value without a table of its own stays too.
 */
export function replaceTomlTable(
  written: string,
  path: readonly string[],
  lines?: string,
): ReplacedTable {
  const start = written.startsWith(BYTE_ORDER_MARK) ? 1 : 0
  const text = written.slice(start)
  const parts = findParts(text, path)
  const rest = parts.reduceRight((before, [from, to], index) => {
    const inserted = index === 0 ? lines : undefined
    if (inserted !== undefined) return before.slice(0, from) + inserted + before.slice(to)
    const after = before.slice(to).replace(/^(?:[ \t]*\r?\n)+/, '')
    const head = before.slice(0, from)
    return after === ''
      ? head.trimEnd() + (head.trim() && (/\r?\n/.exec(text)?.[0] ?? '\n'))
      : head + after
  }, text)
  const cut = parts.map(([from, to]) => text.slice(from, to)).join('')
  return { text: written.slice(0, start) + rest, cut }
}

/** Finds the lines of a table and of those inside it. What stands between two of them belongs to them, unless it is another table. */
function findParts(text: string, path: readonly string[]): readonly (readonly [number, number])[] {
  const parts: [number, number][] = []
  let isBefore = false
  for (const node of parseTOML(text).body[0].body) {
    const isInside =
      node.type === 'TOMLTable' && path.every((name, index) => node.resolvedKey[index] === name)
    const [from, to] = node.range
    const newline = text.indexOf('\n', to)
    const end = newline === -1 ? text.length : newline + 1
    const last = parts.at(-1)
    if (isInside && isBefore && last) last[1] = end
    else if (isInside) parts.push([text.lastIndexOf('\n', from) + 1, end])
    isBefore = isInside
  }
  return parts
}

const UNCLOSED = {
  header: 'the header of the table is not closed: expected "]" at its end',
  list: 'the list that begins here is not closed: expected "]" after its last value',
  table: 'the table that begins here is not closed: expected "}" after its last value',
} as const

/** A key or a value at a deeper level than is read. */
class DepthError extends Error {
  readonly line: number

  constructor(line: number) {
    super(`expected at most ${MAX_JSON_DEPTH} levels of tables and lists`)
    this.line = line
  }
}

/** Returns the line of a key that would set the prototype of an object in code that reads the table. */
function findPrototypeLine(program: AST.TOMLProgram): number | undefined {
  let line: number | undefined
  traverseNodes(program, {
    enterNode(node) {
      if (node.type !== 'TOMLBare' && node.type !== 'TOMLQuoted') return
      if (getName(node) === '__proto__') line ??= node.loc.start.line
    },
    leaveNode() {},
  })
  return line
}

type TomlPath = readonly (string | number)[]

type TomlContainer = Record<string | number, unknown>

function readDocument(program: AST.TOMLProgram): TomlDocument {
  const root = createTable()
  const lines = new Map<string, number>()

  function fill(table: TomlContainer, path: TomlPath, entries: readonly AST.TOMLKeyValue[]): void {
    for (const { key, value, loc } of entries) {
      const names = key.keys.map(getName)
      noteLine([...path, ...names], loc.start.line, lines)
      openAt(table, names.slice(0, -1))[names.at(-1) ?? ''] = read(value, [...path, ...names])
    }
  }

  function read(node: AST.TOMLContentNode, path: TomlPath): unknown {
    if (path.length > MAX_JSON_DEPTH) throw new DepthError(node.loc.start.line)
    switch (node.type) {
      case 'TOMLInlineTable': {
        const table = createTable()
        fill(table, path, node.body)
        return table
      }
      case 'TOMLArray':
        return node.elements.map((element, index) => {
          noteLine([...path, index], element.loc.start.line, lines)
          return read(element, [...path, index])
        })
      case 'TOMLValue':
        return 'datetime' in node ? node.datetime : node.value
    }
  }

  for (const node of program.body[0].body) {
    if (node.type === 'TOMLKeyValue') fill(root, [], [node])
    else {
      noteLine(node.resolvedKey, node.loc.start.line, lines)
      fill(openAt(root, node.resolvedKey), node.resolvedKey, node.body)
    }
  }
  return { value: root, findLine: (path) => deepest(path, lines) }
}

function createTable(): TomlContainer {
  return Object.setPrototypeOf({}, null)
}

/** Returns the table at the end of a path and creates it if it is missing. A number is an index in an array of tables. */
function openAt(root: TomlContainer, path: TomlPath): TomlContainer {
  return path.reduce<TomlContainer>((container, step, index) => {
    container[step] ??= typeof path[index + 1] === 'number' ? [] : createTable()
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the parser refuses a key that is a table and a value
    return container[step] as TomlContainer
  }, root)
}

function getName(key: AST.TOMLBare | AST.TOMLQuoted): string {
  return key.type === 'TOMLBare' ? key.name : key.value
}

const getKey = (path: TomlPath): string => path.map(String).join('\0')

/** Records the first line of a path and of each of its parents. */
function noteLine(path: TomlPath, line: number, lines: Map<string, number>): void {
  if (path.length > MAX_JSON_DEPTH) throw new DepthError(line)
  for (let depth = 1; depth <= path.length; depth++) {
    const prefix = getKey(path.slice(0, depth))
    if (!lines.has(prefix)) lines.set(prefix, line)
  }
}

function deepest(path: readonly string[], lines: ReadonlyMap<string, number>): number | undefined {
  for (let depth = path.length; depth > 0; depth--) {
    const line = lines.get(getKey(path.slice(0, depth)))
    if (line !== undefined) return line
  }
  return undefined
}

/** A bracket that was opened and never closed. */
interface Unclosed {
  /** From 1. */
  line: number
  /** The part that it opens: the header of a table, such as `[tools.x]`, or a value. */
  what: 'header' | 'list' | 'table'
}

const CLOSING: Readonly<Record<string, string>> = { '[': ']', '{': '}' }

/**
 * Finds the unclosed bracket that explains a syntax error. The parser reports the line at which it stopped, not the bracket above that is not
 * closed.
 */
export function findUnclosed(text: string, until: number): Unclosed | undefined {
  const open: { bracket: string; at: Unclosed }[] = []
  for (const [index, line] of text.split('\n').slice(0, until).entries()) {
    const syntax = withoutTexts(line)
    const isHeader = open.length === 0 && /^\s*\[/.test(syntax)
    if (isHeader && !syntax.trimEnd().endsWith(']')) return { line: index + 1, what: 'header' }
    if (isHeader) continue
    for (const character of syntax) {
      if (Object.hasOwn(CLOSING, character)) {
        const what = character === '[' ? 'list' : 'table'
        open.push({ bracket: character, at: { line: index + 1, what } })
      } else if (character === CLOSING[open.at(-1)?.bracket ?? '']) open.pop()
    }
  }
  return open.at(-1)?.at
}

/** Whether a character is one that TOML does not allow. */
function isControl(character: string | undefined): boolean {
  return character !== undefined && /[^\P{Cc}\t\r\n]/u.test(character)
}

/** Returns a line without its comment and its quoted texts, in which brackets have no meaning. A text that is not closed ends with the line. */
function withoutTexts(line: string): string {
  let syntax = ''
  for (let index = 0; index < line.length; index += 1) {
    const character = line[index] ?? ''
    if (character === '#') return syntax
    if (character !== '"' && character !== "'") {
      syntax += character
      continue
    }
    index += 1
    while (index < line.length && line[index] !== character)
      index += character === '"' && line[index] === '\\' ? 2 : 1
  }
  return syntax
}
