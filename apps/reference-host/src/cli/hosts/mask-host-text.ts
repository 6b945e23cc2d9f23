import { findAssignedSecrets } from '../conversations/secrets/assigned-secrets.ts'
import { findTokens } from '../conversations/secrets/token-forms.ts'
import { isSecret } from '../../workspace/servers/mask-server.ts'
import { FORMATS } from './host-file.ts'
import type { LocatedValue, TextRange } from './host-format.ts'
import { type HostName, MCP_HOSTS } from './mcp-hosts.ts'
import { isAddress, MASK, maskCommandLine, maskCommandWords } from './secret-words.ts'

/** A string or a number of the file, and what is shown in its place. */
interface ShownValue extends TextRange {
  value: string
  masked: string
}

/**
 * Returns the text of a host's file without probable secrets, for a person who reads a change of it: values with the name of a secret at any place, secrets
 * in command lines, addresses and comments, and what is known by its form. The text keeps its lines.
 */
export function maskHostText(host: HostName, text: string): string {
  const format = FORMATS[MCP_HOSTS[host].format]
  if (text.trim() === '' || !format.read(text).ok) return text
  const { values, comments } = format.locate(text)
  const showing = values.flatMap((value) => showValues('', value))
  const secrets = new Set(
    showing.flatMap(({ value, masked }) => (masked === MASK && value.length > 3 ? [value] : [])),
  )
  const edits = showing.flatMap(({ value, masked, ...range }) => {
    const replacement = secrets.has(value) ? MASK : masked
    return replacement === value ? [] : [{ ...range, text: JSON.stringify(replacement) }]
  })
  const ofComments = comments.map(({ start, end }) => ({
    start,
    end,
    text: maskComment(text.slice(start, end), secrets),
  }))
  const masked = replaceRanges(text, [...edits, ...ofComments])
  const tokens = [...findTokens(masked), ...findAssignedSecrets(masked)]
  return replaceRanges(
    masked,
    tokens.map(({ start, end }) => ({ start, end, text: MASK })),
  )
}

/** Lists the strings and numbers inside a value. `program`: the program whose arguments a list has. */
function showValues(name: string, value: LocatedValue, program = ''): readonly ShownValue[] {
  if (value.kind === 'text') return [{ ...value, masked: maskValue(name, value.value) }]
  if (value.kind === 'fields') {
    const started = findText(value, 'command') ?? findText(value, 'path') ?? ''
    return value.fields.flatMap(([field, inside]) => showValues(field, inside, started))
  }
  const texts = value.items.flatMap((item) => (item.kind === 'text' ? [item] : []))
  const args = maskCommandWords([program, ...texts.map((text) => text.value)]).slice(1)
  const others = value.items.filter((item) => item.kind !== 'text')
  return [
    ...texts.map((text, index) => {
      const masked = maskValue(name, text.value)
      return { ...text, masked: masked === MASK ? MASK : (args[index] ?? masked) }
    }),
    ...others.flatMap((item) => showValues(name, item)),
  ]
}

function findText(
  { fields }: Extract<LocatedValue, { kind: 'fields' }>,
  name: string,
): string | undefined {
  const [, value] = fields.find(([field]) => field === name) ?? []
  return value?.kind === 'text' ? value.value : undefined
}

/** References to values that stand elsewhere. */
const REFERENCE = /^\$\{(?:env|input):[\w.-]+\}$/

function maskValue(name: string, value: string): string {
  if (REFERENCE.test(value) || /_env_vars?$/.test(name)) return value
  // The parts of an address that are no secret stay.
  if (isSecret(name, isAddress(value) ? 'https://' : value)) return MASK
  const masked = maskCommandLine(value)
  return masked === value && isSecret(name, value) ? MASK : masked
}

/** A name with a value in quotation marks, or with a number. */
const ASSIGNED = /([\w.-]+)(["']?\s{0,20}[:=]\s{0,20})(?:"([^"\n]*)"|'([^'\n]*)'|(\d+))/g

function maskComment(comment: string, secrets: ReadonlySet<string>): string {
  const masked = comment.replaceAll(
    ASSIGNED,
    (whole, name: string, between: string, ...values: readonly string[]) => {
      const value = values.slice(0, 3).find((each) => each !== undefined) ?? ''
      return secrets.has(value) || maskValue(name, value) === MASK
        ? `${name}${between}"${MASK}"`
        : whole
    },
  )
  return maskCommandLine(masked)
}

/** Replaces ranges of a text, also if they overlap. Line breaks in them stay. */
function replaceRanges(text: string, ranges: readonly (TextRange & { text: string })[]): string {
  let position = 0
  const parts: string[] = []
  for (const range of ranges.toSorted((one, other) => one.start - other.start)) {
    if (range.end <= position) continue
    const start = Math.max(range.start, position)
    const replaced = text.slice(start, range.end)
    const missing = countLines(replaced) - countLines(range.text)
    parts.push(text.slice(position, start), range.text + '\n'.repeat(Math.max(missing, 0)))
    position = range.end
  }
  return parts.join('') + text.slice(position)
}

function countLines(text: string): number {
  return text.split('\n').length
}
