import type { ShownPart, ValueRenderer } from '@toolblocks/renderer'

const WORDS = ['staged', 'modified', 'untracked'] as const

/** What a person is shown of a `git.status`: the branch with its counts, and the paths below. Throws where the data is none. */
export const showGitStatus: ValueRenderer = ({ data }, { mostRows }) => {
  if (!isStatus(data)) throw new Error('expected a branch and lists of paths')
  const changed = WORDS.flatMap((word) => (data[word] ?? []).map((path) => [word, path] as const))
  const counts = WORDS.flatMap((word) => {
    const count = data[word]?.length ?? 0
    return count === 0 ? [] : [`${count} ${word}`]
  })
  const facts = counts.length === 0 ? ['nothing to commit'] : counts
  const paths = changed
    .slice(0, mostRows)
    .map(([word, path]): ShownPart => ({ kind: 'facts', name: path, facts: [word] }))
  const left = changed.length - paths.length
  return [
    { kind: 'facts', name: `⎇ ${data.branch}`, facts },
    ...paths,
    ...(left > 0 ? [{ kind: 'left', count: left, unit: 'entry' } as const] : []),
  ]
}

type Status = { branch: string } & Partial<Record<(typeof WORDS)[number], readonly string[]>>

/** Nothing has checked the data of a kind that is not well known. */
function isStatus(data: unknown): data is Status {
  if (typeof data !== 'object' || data === null || !Object.hasOwn(data, 'branch')) return false
  const fields = new Map<string, unknown>(Object.entries(data))
  return (
    typeof fields.get('branch') === 'string' &&
    WORDS.every((word) => {
      const paths = fields.get(word) ?? []
      return Array.isArray(paths) && paths.every((path) => typeof path === 'string')
    })
  )
}
