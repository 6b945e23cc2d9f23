import { createRendererRegistry, createTerminalStyle, renderTerminal } from '@toolblocks/renderer'
import { expect, test } from 'vitest'
import { showGitStatus, formatNextSteps } from './narrate-demo.ts'

const style = createTerminalStyle('none')

test('steps and their descriptions are side by side if all fit', () => {
  const asked = { command: 'toolblocks', modelView: false, kept: undefined }
  expect(formatNextSteps(asked, { style, columns: 80 })).toEqual([
    '  toolblocks demo --model-view   what the model receives',
    '  toolblocks demo --keep         keeps the tools and the stored conversation',
    '  toolblocks demo --output json  the stored events',
    '  toolblocks init                your own tools, in any language',
  ])
})

test('otherwise they are below each other, and the kept workspace has a path that works where the demo was started', () => {
  const asked = { command: 'npx toolblocks', modelView: true, kept: '/tmp/demo' }
  expect(formatNextSteps(asked, { style, columns: 60 }).slice(0, 2)).toEqual([
    '  npx toolblocks tools --config /tmp/demo/toolblocks.toml\n    the tools of the demo',
    '  npx toolblocks call list_files --config /tmp/demo/toolblocks.toml\n    call one yourself',
  ])
})

const registry = createRendererRegistry().register('git.status', showGitStatus)

const render = (data: unknown, maxLines = 40): string =>
  renderTerminal(
    { content: [], isError: false, structuredContent: { kind: 'git.status', data } },
    { registry, maxLines },
  )

test('a status is shown as its branch with counts, and the changed paths below', () => {
  const data = { branch: 'main', staged: ['a.rs'], modified: ['b.md', 'c.md'] }
  expect(render(data)).toBe(
    '⎇ main  1 staged · 2 modified\na.rs  staged\nb.md  modified\nc.md  modified',
  )
  expect(render(data, 2)).toMatch(/b\.md {2}modified\n… 1 more entry$/)
  expect(render({ branch: 'main' })).toBe('⎇ main  nothing to commit')
})

test('a value that is not a status is shown without the renderer, with a message', () => {
  for (const data of [null, {}, { branch: 1 }, { branch: 'main', staged: [1] }])
    expect(render(data)).toContain('expected a branch and lists of paths')
})
