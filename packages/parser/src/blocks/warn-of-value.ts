import { type JsonObject, type WellKnownKind, isJsonObject } from '@toolblocks/protocol'
import {
  findKindMismatch,
  getOwnField,
  isToolResultValue,
  isValidKind,
  isWellKnownKind,
  describeValue,
  quoteBriefly,
} from '@toolblocks/protocol/internal'
import { type Reading, warn } from '../reading/reading.ts'

/** The fields of a semantic value. An object with other ones is a tool's own JSON. */
const FIELDS = new Set(['kind', 'data', 'summary', 'mimeType', 'display'])

/** The complete data of each kind, as `docs/protocol.md` describes it. */
const DATA: Readonly<Record<WellKnownKind, string>> = {
  text: '{content}',
  diff: '{path, modified, isNew, original?, hunks?, bytesWritten?}',
  file_content: '{path, content, size, encoding?}',
  file_list: '{path, entries of {name, type?, size?, modified?}, truncated?}',
  table: '{columns of {key, label?, type?, align?}, rows}',
  image: '{url?, base64?, alt?} with url or base64',
  structured: 'any JSON',
}

/** Warns the author of a semantic value whose kind is not used, because the kind or the data does not fit, or whose hints are not used. */
export function warnOfValue(value: unknown, reading: Reading): void {
  if (!isJsonObject(value) || !Object.hasOwn(value, 'data')) return
  if (!Object.keys(value).every((name) => FIELDS.has(name))) return
  const kind = getOwnField(value, 'kind')
  if (typeof kind !== 'string') return
  const data = getOwnField(value, 'data')
  if (!isValidKind(kind)) {
    const expected = 'words of a-z, 0-9 and _, joined by dots, such as "git.status"'
    say(reading, { at: '/kind', message: '"kind" is not valid', expected, got: quoteBriefly(kind) })
  } else if (isWellKnownKind(kind)) {
    const mismatch = findKindMismatch(kind, data)
    if (mismatch) {
      const { at, got } = mismatch
      const message = `"data" is not that of the kind "${kind}"`
      const expected = at === '' ? DATA[kind] : mismatch.expected
      say(reading, { at: `/data${at}`, message, expected, got })
    }
  }
  warnOfHints(value, reading)
}

function warnOfHints({ summary, mimeType, display }: JsonObject, reading: Reading): void {
  for (const [name, hint] of Object.entries({ summary, mimeType }))
    if (hint !== undefined && typeof hint !== 'string')
      warnOfHint(reading, { at: `/${name}`, expected: 'a string', got: describeValue(hint) })
  if (display === undefined) return
  if (!isJsonObject(display))
    return warnOfHint(reading, {
      at: '/display',
      expected: 'an object',
      got: describeValue(display),
    })
  const view = getOwnField(display, 'preferredView')
  const value = { kind: 'structured', data: null, display: { preferredView: view } }
  if (view === undefined || isToolResultValue(value)) return
  warnOfHint(reading, { at: '/display/preferredView', expected: VIEWS, got: describeValue(view) })
}

const VIEWS = 'text, markdown, code, diff, table, tree, image, raw or hidden'

interface ValueMismatch {
  at: string
  expected: string
  got: string
}

function say(
  reading: Reading,
  { at, message, ...facts }: ValueMismatch & { message: string },
): void {
  const whole = `The kind is not used: ${message}.`
  warn(reading, { code: 'unfit-value', at: `/structuredContent${at}`, message: whole, ...facts })
}

function warnOfHint(reading: Reading, { at, ...facts }: ValueMismatch): void {
  const message = 'The hint is not used.'
  warn(reading, { code: 'unfit-value', at: `/structuredContent${at}`, message, ...facts })
}
