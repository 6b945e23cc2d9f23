import { formatTomlTable } from '../../workspace/configuration/format-toml.ts'
import { readToml, replaceTomlTable } from '../../workspace/configuration/read-toml.ts'
import { getNewline, type HostDocument, type HostFormat, type WrittenEntry } from './host-format.ts'

function readTomlValue(text: string): HostDocument {
  const read = readToml(text)
  return read.ok
    ? // Its tables have no prototype.
      { ok: true, value: structuredClone(read.document.value) }
    : { ok: false, message: read.problem.message }
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

/** TOML, as Codex writes it. */
export const TOML_FORMAT: HostFormat = { read: readTomlValue, change: changeToml, findSource }
