import { createRendererRegistry, renderTerminal } from '@toolblocks/renderer'
import { expect, test } from 'vitest'
import { showGitStatus } from './show-git-status.ts'

const registry = createRendererRegistry().register('git.status', showGitStatus)
const render = (data: unknown, maxLines = 40): string =>
  renderTerminal(
    { content: [], isError: false, structuredContent: { kind: 'git.status', data } },
    { registry, maxLines },
  )

test('a status is its branch with counts, and below it what has changed', () => {
  const data = { branch: 'main', staged: ['a.rs'], modified: ['b.md', 'c.md'] }
  expect(render(data)).toBe(
    '⎇ main  1 staged · 2 modified\na.rs  staged\nb.md  modified\nc.md  modified',
  )
  expect(render(data, 2)).toMatch(/b\.md {2}modified\n… 1 more entry$/)
  expect(render({ branch: 'main' })).toBe('⎇ main  nothing to commit')
})

test('what is no status is shown without it, and that is said', () => {
  for (const data of [null, {}, { branch: 1 }, { branch: 'main', staged: [1] }])
    expect(render(data)).toContain('expected a branch and lists of paths')
})
