import { type AST, parseTOML } from 'toml-eslint-parser'
import { formatTomlTable } from '../../workspace/configuration/format-toml.ts'
import { readToml, replaceTomlTable } from '../../workspace/configuration/read-toml.ts'
import {
  getNewline,
  type HostDocument,
  type HostFormat,
  type LocatedText,
  type LocatedValue,
  type WrittenEntry,
} from './host-format.ts'

function readTomlValue(text: string): HostDocument {
  const read = readToml(text)
  // Its tables have no prototype.
  if (read.ok) return { ok: true, value: structuredClone(read.document.value) }
  const { line, column, message } = read.problem
  const position = column === undefined ? `line ${line}` : `line ${line}, column ${column}`
  return {
    ok: false,
    message: `it is not TOML: ${line === undefined ? '' : `${position}: `}${message}`,
  }
}

/** Replaces or removes the tables of a server. A new one is written at the end. */
function changeToml(
  text: string,
  path: readonly string[],
  { entry, source }: WrittenEntry,
): string {
  const newline = getNewline(text)
  const table = entry && (source ?? formatTomlTable(path, entry).replaceAll('\n', newline))
  const replaced = replaceTomlTable(text, path, table)
  if (table === undefined || replaced.cut !== '') return replaced.text
  const between = text === '' ? '' : text.endsWith('\n') ? newline : newline + newline
  return `${text}${between}${table}`
}

function findSource(text: string, path: readonly string[]): string | undefined {
  return replaceTomlTable(text, path).cut || undefined
}

function locateToml(text: string): LocatedText {
  // A byte order mark is no part of TOML, and the positions stay.
  const program = parseTOML(text.replace(/^\uFEFF/, ' '))
  const nodes = program.body[0].body
  const tables = nodes.filter((node) => node.type === 'TOMLTable').map(({ body }) => body)
  const first = nodes.filter((node) => node.type === 'TOMLKeyValue')
  return {
    values: [first, ...tables].map(locateTable),
    comments: program.comments.map(({ range: [start, end] }) => ({ start, end })),
  }
}

function locateTable(entries: readonly AST.TOMLKeyValue[]): LocatedValue {
  const fields = entries.flatMap(({ key, value }) => {
    const last = key.keys.at(-1)
    const name = last?.type === 'TOMLBare' ? last.name : (last?.value ?? '')
    return locateContent(value).map((located) => [name, located] as const)
  })
  return { kind: 'fields', fields }
}

function locateContent(node: AST.TOMLContentNode): readonly LocatedValue[] {
  if (node.type === 'TOMLInlineTable') return [locateTable(node.body)]
  if (node.type === 'TOMLArray')
    return [{ kind: 'list', items: node.elements.flatMap(locateContent) }]
  if (node.kind !== 'string' && node.kind !== 'integer' && node.kind !== 'float') return []
  const [start, end] = node.range
  const value = node.kind === 'integer' ? String(node.bigint) : String(node.value)
  return [{ kind: 'text', value, start, end }]
}

/** TOML, as Codex writes it. */
export const TOML_FORMAT: HostFormat = {
  read: readTomlValue,
  change: changeToml,
  findSource,
  // A table of servers has no lines of its own.
  removeEmpty: (text) => text,
  locate: locateToml,
}
