import type { Scrubbed } from '@toolblocks/conversation-store'

/** What a scrub has changed, and in which forms the value was there. */
export function describeScrubbed({ events, blobs, shared, forms }: Scrubbed): string {
  const looked = `It was looked for in these forms: ${forms.map(({ form }) => form).join(', ')}.`
  if (events === 0) return `The value is not there.\n${looked}`
  const files = blobs === 0 ? '' : ` and ${blobs === 1 ? '1 file' : `${blobs} files`} of bytes`
  const removed = forms
    .filter((form) => form.removed > 0)
    .map((form) => `${form.removed} ${form.form}`)
  const lines = [
    `Scrubbed ${events === 1 ? '1 event' : `${events} events`}${files}; each event says when.`,
    `Removed: ${removed.join(', ')}. ${looked}`,
    'Copies elsewhere, such as backups, exports and the log of a database server, still have the value: change it where it is used.',
  ]
  const others = `${shared} of these bytes are named by other conversations too and stay there: scrub those, or --all.`
  return [...lines, ...(shared > 0 ? [others] : [])].join('\n')
}
