import { type JsonObject, type WellKnownKind, isJsonObject } from '@toolblocks/protocol'
import {
  findKindMismatch,
  findValueForPerson,
  getOwnField,
  isToolResultValue,
  isValidKind,
  isWellKnownKind,
  describeValue,
  quoteBriefly,
} from '@toolblocks/protocol/internal'
import { findMeantName } from './find-meant-name.ts'
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

// oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the keys of the record
const KINDS = Object.keys(DATA) as readonly WellKnownKind[]

/** Warns the author of a semantic value whose kind is not used, because the kind or the data does not fit, or whose hints are not used. */
export function warnOfValue(value: unknown, reading: Reading): void {
  if (!isJsonObject(value)) return
  const kind = getOwnField(value, 'kind')
  if (typeof kind !== 'string') return
  if (!Object.hasOwn(value, 'data')) return warnOfMeantKind(value, kind, reading)
  if (!Object.keys(value).every((name) => FIELDS.has(name))) return
  if (isWellKnownKind(kind)) warnOfData(kind, getOwnField(value, 'data'), reading)
  else warnOfMeantKind(value, kind, reading)
  warnOfHints(value, reading)
}

function warnOfData(kind: WellKnownKind, data: unknown, reading: Reading): void {
  const mismatch = findKindMismatch(kind, data)
  if (!mismatch) return
  const { at, got } = mismatch
  const message = `"data" is not that of the kind "${kind}".`
  const expected = at === '' ? DATA[kind] : mismatch.expected
  warnOfKind(reading, { at: `/data${at}`, message, expected, got })
}

/** Warns of a kind that is not valid or almost a known one. Another kind is the tool's own. */
function warnOfMeantKind(value: JsonObject, kind: string, reading: Reading): void {
  const facts = { at: '/kind', got: quoteBriefly(kind) }
  const meant = findMeantKind(value, kind)
  if (meant !== undefined) {
    const message = `${quoteBriefly(kind)} is not a known kind; did you mean "${meant}"?`
    warnOfKind(reading, { ...facts, message, expected: `"${meant}"` })
  } else if (!isValidKind(kind) && Object.hasOwn(value, 'data')) {
    const expected = 'words of a-z, 0-9 and _, joined by dots, such as "git.status"'
    warnOfKind(reading, { ...facts, message: '"kind" is not valid.', expected })
  }
}

/** Finds the known kind that a kind almost is. If the data is that of a known kind, one more letter may be wrong; fields beside `kind` have to be its data. */
function findMeantKind(value: JsonObject, kind: string): WellKnownKind | undefined {
  if (isWellKnownKind(kind)) return undefined
  const meant = Object.hasOwn(value, 'data') ? findMeantName(kind, KINDS) : undefined
  if (meant !== undefined) return meant
  const fitting = KINDS.filter(
    (each) => each !== 'structured' && findValueForPerson({ ...value, kind: each })?.kind === each,
  )
  return findMeantName(kind, fitting, 1)
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

function warnOfKind(
  reading: Reading,
  { at, message, ...facts }: ValueMismatch & { message: string },
): void {
  const whole = `The kind is not used: ${message}`
  warn(reading, { code: 'unfit-value', at: `/structuredContent${at}`, message: whole, ...facts })
}

function warnOfHint(reading: Reading, { at, ...facts }: ValueMismatch): void {
  const message = 'The hint is not used.'
  warn(reading, { code: 'unfit-value', at: `/structuredContent${at}`, message, ...facts })
}
