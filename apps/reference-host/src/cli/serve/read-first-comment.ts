import { closeSync, openSync, readSync } from 'node:fs'

/** The number of bytes of a file that are read. */
const MAX_BYTES = 4096
/** The maximum length of a description. It is short, because a model reads the descriptions of all tools in every request. */
const MAX_LENGTH = 400

const LINE_COMMENT = /^\s*(?:#|\/\/|--|;)+ ?(.*)$/
/** Lines for programs: an interpreter, an encoding, settings of editors and linters. */
const FOR_PROGRAMS =
  /^\s*(?:#!|#+\s*$|#.*-\*-.*-\*-|# *(?:vim?:|shellcheck |coding[:=]|type:|pylint:|frozen_string_literal)|\/\/ *(?:@ts-|eslint-|oxlint-|prettier-))/
const QUOTES = ['"""', "'''"] as const

/**
 * Reads the first comment of a script, which describes it. Returns `undefined` if there is none. It reads comment lines (`#`, `//`, `--`), a block
 * (`/* … *\/`), or the text in three quotes at the beginning of a Python file. Only the first paragraph is returned.
 */
export function readFirstComment(path: string): string | undefined {
  const lines = readStart(path).split(/\r?\n/)
  const first = lines.findIndex((line) => line.trim() !== '' && !FOR_PROGRAMS.test(line))
  if (first === -1) return undefined
  const rest = lines.slice(first)
  const text = (readBlock(rest) ?? readLines(rest)).join(' ').replaceAll(/\s+/g, ' ').trim()
  if (text === '' || /^(?:copyright|spdx-)/i.test(text)) return undefined
  return text.length > MAX_LENGTH ? `${text.slice(0, MAX_LENGTH - 1)}…` : text
}

function readLines(lines: readonly string[]): readonly string[] {
  const end = lines.findIndex((line) => (LINE_COMMENT.exec(line)?.[1]?.trim() ?? '') === '')
  return (end === -1 ? lines : lines.slice(0, end)).map(
    (line) => LINE_COMMENT.exec(line)?.[1] ?? '',
  )
}

/** Reads the first paragraph between two marks. Returns `undefined` if the lines do not begin with a mark. */
function readBlock(lines: readonly string[]): readonly string[] | undefined {
  const text = lines.join('\n').trimStart()
  const marks = text.startsWith('/*')
    ? { begin: /^\/\*+/, end: '*/' }
    : QUOTES.flatMap((quotes) =>
        text.startsWith(quotes) ? [{ begin: new RegExp(`^${quotes}`), end: quotes }] : [],
      )[0]
  if (!marks) return undefined
  const inside = text.replace(marks.begin, '')
  const end = inside.indexOf(marks.end)
  const commentLines = (end === -1 ? inside : inside.slice(0, end)).split('\n')
  const plain = commentLines.map((line) => line.replace(/^\s*\*? ?/, '').trim())
  const begin = plain.findIndex((line) => line !== '')
  const after = plain.findIndex((line, index) => index > begin && line === '')
  return plain.slice(Math.max(begin, 0), after === -1 ? undefined : after)
}

function readStart(path: string): string {
  const file = openSync(path, 'r')
  try {
    const bytes = Buffer.alloc(MAX_BYTES)
    const count = readSync(file, bytes)
    const start = bytes.subarray(0, count)
    // A binary has no comments.
    return start.includes(0) ? '' : start.toString('utf8')
  } finally {
    closeSync(file)
  }
}
