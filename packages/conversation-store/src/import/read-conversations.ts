import type { FormatName } from '../events/format-name.ts'
import { DATABASE_FORMATS, RECORD_FORMATS, TEXT_FORMATS } from './formats.ts'
import type { ReadConversation } from './read-conversation.ts'
import { splitDocument } from './records/split-document.ts'
import type { Source, SplitSource } from './sources/source.ts'
import { isSqlite, readSqlite } from './sqlite/sqlite-source.ts'

/** Finds out by its content in which format a file is; `undefined` for none that is known. */
export function detectFormat(source: Source): FormatName | undefined {
  if (isSqlite(source.head))
    return readSqlite(source.path, (database) => DATABASE_FORMATS.find(({ is }) => is(database)))
      ?.name
  const text = TEXT_FORMATS.find(({ is }) => is(source))
  if (text || isText(source)) return text?.name
  const split = splitSource(source)
  return RECORD_FORMATS.find(({ is }) => is(split))?.name
}

/**
 * Reads the conversations of a file: in the format that is given, or in the one its content tells. Empty for a file in no format
 * that is known. What is broken in it costs no record that is whole, and is among the problems.
 */
export function readConversations(
  source: Source,
  { from }: { from?: FormatName } = {},
): readonly ReadConversation[] {
  if (isSqlite(source.head)) return readDatabase(source, from)
  const text = TEXT_FORMATS.find(
    ({ name, is }) => (from === undefined || name === from) && is(source),
  )
  if (text) return text.read(source)
  if (from === undefined && isText(source)) return []
  const split = splitSource(source)
  const format = RECORD_FORMATS.find(({ name, is }) =>
    from === undefined ? is(split) : name === from,
  )
  return format?.read(split) ?? []
}

/** Lines of JSON in a text for people are examples of something else. */
function isText({ path }: Source): boolean {
  return /\.md$/i.test(path)
}

function readDatabase(source: Source, from: FormatName | undefined): readonly ReadConversation[] {
  return readSqlite(source.path, (database) => {
    const format = DATABASE_FORMATS.find(
      ({ name, is }) => is(database) && (from === undefined || name === from),
    )
    return format?.read(database, source) ?? []
  })
}

function splitSource(source: Source): SplitSource {
  const { path, bytes, modifiedAt, beside, inside, blob } = source
  return { path, modifiedAt, beside, inside, blob, document: splitDocument(bytes) }
}
