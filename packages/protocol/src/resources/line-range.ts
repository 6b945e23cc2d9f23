/** The lines that the fragment of a uri names, such as `#L10`, `#L10-20` or `#L10-L20`, in words: `line 10`, `lines 10-20`. */
export function lineRange(uri: string): string | undefined {
  const found = /#L(\d{1,9})(?:-L?(\d{1,9}))?$/.exec(uri)
  if (!found) return undefined
  const [, first, last = first] = found
  return last === first ? `line ${first}` : `lines ${first}-${last}`
}
