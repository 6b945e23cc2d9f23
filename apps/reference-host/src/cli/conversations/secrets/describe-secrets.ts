import type { ScrubResult } from '@toolblocks/conversation-store'
import type { ProbableSecret, FoundSecret, SecretSearch } from './find-secrets.ts'

const LONG = 24

const MEDIUM = 12

const PLACES = 3

/** Shows the first and last characters of a secret, if they do not reveal the rest. */
export function maskSecret(value: string): string {
  const line = value.replaceAll(/\s+/g, ' ')
  const visibleLength = line.length >= LONG ? 4 : line.length >= MEDIUM ? 2 : 0
  return visibleLength === 0 ? '…' : `${line.slice(0, visibleLength)}…${line.slice(-visibleLength)}`
}

/** Describes a secret in one line: its masked value, the rule, and its places. The line contains text from outside. */
export function describeSecret({ value, rule, places }: ProbableSecret): string {
  const listedPlaces = places.slice(0, PLACES).map(describePlace).join(', ')
  const more = places.length > PLACES ? `, and ${places.length - PLACES} more` : ''
  return `${maskSecret(value)} (${rule}): ${listedPlaces}${more}`
}

function describePlace(location: FoundSecret): string {
  const { conversation, field } = location
  const part = 'seq' in location ? `#${location.seq}` : `question ${location.question}`
  return `${conversation} ${part}${field === '' ? '' : ` ${field}`}`
}

/** Describes the texts that were not searched, or returns `undefined` if all were. */
export function describeUnsearched({ missed }: SecretSearch): string | undefined {
  if (missed.length === 0) return undefined
  const listedPlaces = missed.slice(0, PLACES).map(describePlace).join(', ')
  const more = missed.length > PLACES ? `, and ${missed.length - PLACES} more` : ''
  return `rules took too long or failed; these texts were not searched to their end: ${listedPlaces}${more}`
}

/** Returns the number of secrets, and of each rule if there are several: `3 probable secrets (2 github, 1 slack)`. */
export function countSecrets(secrets: readonly ProbableSecret[]): string {
  const [first] = secrets
  if (first && secrets.length === 1) return `1 probable secret (${first.rule})`
  const rules = [...Map.groupBy(secrets, ({ rule }) => rule)]
    .toSorted(([one], [other]) => (one < other ? -1 : 1))
    .map(([rule, each]) => `${each.length} ${rule}`)
  return `${secrets.length} probable secrets (${rules.join(', ')})`
}

/** Converts a secret to JSON with its value masked. */
export function secretToJson({ value, rule, places }: ProbableSecret): object {
  return { masked: maskSecret(value), rule, places }
}

/** Describes what a scrub has changed, and in which forms the value was found. */
export function describeScrubbed({
  events,
  documents,
  blobs,
  shared,
  awaited,
  forms,
}: ScrubResult): string {
  const looked = `Searched in these forms: ${forms.map(({ form }) => form).join(', ')}.`
  if (events === 0 && documents === 0 && blobs === 0) return `The value was not found.\n${looked}`
  const remaining = [
    ...(shared > 0
      ? [
          `${countFiles(shared)} with the value in the store, because other conversations, or events that were appended meanwhile, use ${shared === 1 ? 'it' : 'them'}: repeat this with --all.`,
        ]
      : []),
    ...(awaited > 0
      ? [
          `${countFiles(awaited)} with the value in the store, because a tool call that has not ended may have kept ${awaited === 1 ? 'it' : 'them'}: repeat this with --all when no call runs.`,
        ]
      : []),
  ]
  const removedBlobs = blobs - awaited
  if (events === 0 && documents === 0 && removedBlobs === 0)
    return [
      'The value was found only in bytes that no event refers to.',
      ...remaining,
      looked,
    ].join('\n')
  const changed = [
    ...(events === 0 ? [] : [events === 1 ? '1 event' : `${events} events`]),
    ...(documents === 0 ? [] : [documents === 1 ? '1 document' : `${documents} documents`]),
    ...(removedBlobs === 0
      ? []
      : [`${removedBlobs === 1 ? '1 file' : `${removedBlobs} files`} of bytes`]),
  ]
  const times = events === 0 ? '.' : '; each event records when.'
  const removed = forms
    .filter((form) => form.removed > 0)
    .map((form) => `${form.removed} ${form.form}`)
  const lines = [
    `Scrubbed ${joinWithAnd(changed)}${times}`,
    `Removed: ${removed.join(', ')}. ${looked}`,
    'Copies elsewhere, such as backups, exports and the log of a database server, still contain the value: change it where it is used.',
  ]
  return [...lines, ...remaining].join('\n')
}

const countFiles = (count: number): string =>
  count === 1 ? '1 file of bytes stays' : `${count} files of bytes stay`

function joinWithAnd(parts: readonly string[]): string {
  return [parts.slice(0, -1).join(', '), ...parts.slice(-1)]
    .filter((part) => part !== '')
    .join(' and ')
}
