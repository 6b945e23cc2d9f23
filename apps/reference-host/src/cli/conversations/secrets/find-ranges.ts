import { lintSource } from '@secretlint/core'
import { secretLintProfiler } from '@secretlint/profiler'
import { rules } from '@secretlint/secretlint-rule-preset-recommend'
import { findAssignedSecrets, type FoundRange } from './assigned-secrets.ts'
import { removeHidden } from './control-sequences.ts'
import { findMark, isPlaceholder } from './placeholders.ts'
import type { SearchedText } from './quoted-values.ts'
import { findTokens } from './token-forms.ts'
import { unescapeOnce, unescapeText } from './unescape-text.ts'

/** A range of a text that a rule reports, and the secret: the range without escapes of JSON. */
export interface FoundValue extends FoundRange {
  value: string
}

// It keeps some 80 marks of each text, and reads all of them for the next text.
secretLintProfiler.setEnabled(false)

const PREFIX = '@secretlint/secretlint-rule-'

/**
 * The rules that are omitted: `secretlint-disable` in a conversation must not hide a secret, and the range of a key of AWS begins at its name but has
 * the length of the key, so that a part of the key would stay.
 */
const OMITTED = new Set([`${PREFIX}filter-comments`, `${PREFIX}aws`])

const RULES = rules
  .filter(({ meta }) => !OMITTED.has(meta.id))
  .map((rule) => ({ id: rule.meta.id, rule }))

/** Rules that report an address with a password in it. */
const ADDRESSES = new Set(['basicauth', 'database-connection-string'])

/** Finds probable secrets in a text, also in JSON inside of it. Ranges that overlap are one range; one inside another stays. */
export async function findRanges(text: string): Promise<readonly FoundValue[]> {
  const unescaped = unescapeText(text)
  const ranges = await findVisible({
    text: unescaped?.text ?? text,
    ...(unescaped && { written: { text, starts: unescaped.starts } }),
  })
  if (!unescaped) return join(ranges, text).flatMap((range) => withValues(range, text))
  const { starts } = unescaped
  const mapped = ranges.map((range) => mapRange(range, (end) => starts[end] ?? text.length, starts))
  // What is an escape of JSON may be a part of a value that was not written as JSON.
  return join([...mapped, ...findAssignedSecrets(text)], text).flatMap((range) =>
    withValues(range, text),
  )
}

/** Returns the value as it is written, and as a terminal shows it. */
function withValues(range: FoundRange, text: string): readonly FoundValue[] {
  // A scrubber finds a value also where it is written as JSON more often.
  const values = [range.end, ...(range.wordEnd === undefined ? [] : [range.wordEnd])].flatMap(
    (end) => {
      const value = unescapeOnce(text.slice(range.start, end)).text
      return [value, removeHidden(value)?.text ?? value]
    },
  )
  return [...new Set(values)].map((value) => ({ ...range, value }))
}

/** Finds secrets in a text, and in the text that a terminal shows of it. */
async function findVisible(source: SearchedText): Promise<readonly FoundRange[]> {
  const { text, written } = source
  const ranges = await findPlain(source)
  const visible = removeHidden(text)
  if (!visible) return ranges
  const { starts } = visible
  const inWritten = written
    ? { text: written.text, starts: starts.map((start) => written.starts[start] ?? 0) }
    : { text, starts }
  const inVisible = await findPlain({ text: visible.text, written: inWritten })
  // What is hidden after a value is no part of it.
  const mapped = inVisible.map((range) =>
    mapRange(range, (end) => (starts[end - 1] ?? 0) + 1, starts),
  )
  return [...ranges, ...mapped]
}

/** Returns a range of a text as the range of the text that it was before it was rewritten. */
function mapRange(
  range: FoundRange,
  mapEnd: (end: number) => number,
  starts: Uint32Array,
): FoundRange {
  return {
    ...range,
    start: starts[range.start] ?? 0,
    end: mapEnd(range.end),
    ...(range.wordEnd !== undefined && { wordEnd: mapEnd(range.wordEnd) }),
  }
}

async function findPlain({ text, written }: SearchedText): Promise<readonly FoundRange[]> {
  const { messages } = await lintSource({
    source: { content: text, filePath: 'conversation.txt', ext: '.txt', contentType: 'text' },
    options: {
      config: { rules: RULES },
      noPhysicFilePath: true,
    },
  })
  // secretlint removes a byte order mark, so its ranges start after it.
  const before = text.startsWith('\ufeff') ? 1 : 0
  const own = [...findTokens(text), ...findAssignedSecrets(text, written)]
  const others = messages
    .map(({ range: [start, end], ruleId }) =>
      complete(
        { start: start + before, end: end + before, rule: ruleId.replace(PREFIX, '') },
        text,
      ),
    )
    .filter((range) => {
      const value = text.slice(range.start, range.end)
      if (findMark(value) < value.length) return false
      return !ADDRESSES.has(range.rule) || isAddressNeeded(range, value, own)
    })
  return [...others, ...own]
}

/** Whether a complete address is removed: only if its password is too short to be removed alone, and is not a placeholder. */
function isAddressNeeded(
  { start, end }: FoundRange,
  value: string,
  own: readonly FoundRange[],
): boolean {
  const password = /:\/\/[^:]*:(.*)@/.exec(value)?.[1] ?? ''
  if (isPlaceholder(password)) return false
  return !own.some((each) => each.rule === 'address' && each.start > start && each.end < end)
}

/** Returns the range with the rest of its last word: a pattern of a fixed length would leave the rest of a longer key. */
function complete(range: FoundRange, text: string): FoundRange {
  const { start, end, rule } = range
  if (rule === 'privatekey') return range
  if (ADDRESSES.has(rule)) {
    const host = text.lastIndexOf('@', end - 1)
    const rest = /["'`<>\\]/.exec(text.slice(Math.max(host, start), end))
    return rest && host > start ? { ...range, end: host + rest.index } : range
  }
  const word = /[\w-]{0,2000}/y
  word.lastIndex = end
  return { ...range, end: end + (word.exec(text)?.[0].length ?? 0) }
}

/** Joins ranges that share some of their characters: if one were removed first, the rest of the other would stay. */
function join(ranges: readonly FoundRange[], text: string): readonly FoundRange[] {
  const sorted = ranges
    .map((range) => trim(range, text))
    .toSorted((one, other) => one.start - other.start || other.end - one.end)
  const joined: FoundRange[] = []
  let last: FoundRange | undefined
  for (const range of sorted) {
    const isWithin = last !== undefined && range.end <= last.end
    if (last && !isWithin && range.start < last.end) last.end = range.end
    else if (!(last && isWithin && (range.start === last.start || range.end === last.end))) {
      const copy = { ...range }
      joined.push(copy)
      if (!isWithin) last = copy
    }
  }
  return joined
}

function trim(range: FoundRange, text: string): FoundRange {
  const value = text.slice(range.start, range.end)
  const start = range.start + value.length - value.trimStart().length
  return { ...range, start, end: start + value.trim().length }
}
