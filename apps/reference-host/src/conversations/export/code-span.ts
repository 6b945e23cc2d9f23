/** What Markdown or a reader could take for something else: line ends, controls, and what does not show. */
const ODD = /[\s\p{C}\p{Default_Ignorable_Code_Point}]+/gu
const LONGEST = 200

/** A name from outside as code in a line of Markdown, which it cannot leave; empty for an empty one. */
export function codeSpan(text: string): string {
  const line = text.slice(0, LONGEST).replaceAll(ODD, ' ').trim()
  if (line === '') return ''
  const runs = line.match(/`+/g) ?? []
  const fence = '`'.repeat(Math.max(0, ...runs.map((run) => run.length)) + 1)
  return runs.length === 0 ? `${fence}${line}${fence}` : `${fence} ${line} ${fence}`
}
