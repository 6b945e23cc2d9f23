import { writeFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { toolblocks, visit } from '../stage/command.ts'
import { makeFolder, tool } from '../stage/folder.ts'
import { hasResults, startProvider } from '../stage/provider.ts'
import { getScreen } from '../stage/screen.ts'

const ANSWER = `# Plan

It is **lit**, see \`lamp.ts\`.

- first
  - below it

\`\`\`ts
const lamp = 'lit' // yes
\`\`\`

| name | state |
| --- | --- |
| a | on |
`

test('promise chat: the text of a model is rendered as Markdown with highlighted code; in a pipe it is unchanged', async () => {
  const { settings } = await startProvider(() => ({ text: ANSWER }))
  const folder = makeFolder({ 'toolblocks.toml': settings })
  const { written } = await visit(folder, ['run', 'Go.'], [])
  expect(written).toContain("\u001B[35mconst\u001B[39m lamp = \u001B[32m'lit'\u001B[39m")
  expect(written).toContain('\u001B[1mlit\u001B[22m')
  const screen = await getScreen(written)
  expect(screen).toContain(
    [
      '# Plan',
      '',
      'It is lit, see lamp.ts.',
      '',
      '• first',
      '  • below it',
      '',
      "│ const lamp = 'lit' // yes",
      '',
      'name  state',
      '────  ─────',
      'a     on',
    ].join('\n'),
  )
  expect((await toolblocks(folder, 'run', 'Go.')).stdout).toBe(`${ANSWER}\n`)
})

test('promise chat: while tools run, a line shows their number, the time and the last message, and is removed afterwards', async () => {
  const { settings } = await startProvider((messages) =>
    hasResults(messages)
      ? { text: 'Done.' }
      : {
          calls: [
            ['build', {}],
            ['other', {}],
          ],
        },
  )
  const wait = 'while [ ! -e go ]; do sleep 0.05; done; echo built'
  const build = ['sh', '-c', `echo 'step 1 \\033[2Jof 2' >&2; ${wait}`]
  const folder = makeFolder({
    'toolblocks.toml': settings + tool('build', build) + tool('other', ['sh', '-c', wait]),
  })
  const { written, code } = await visit(
    folder,
    ['run', 'Go.'],
    [
      [
        /2 calls are running 1 s[^\n]*build: step 1 [^\n]*of 2/,
        () => writeFileSync(`${folder}/go`, ''),
      ],
    ],
  )
  expect(code).toBe(0)
  expect(written).not.toContain('\u001B[2J')
  const screen = await getScreen(written)
  expect(screen).toMatch(
    /▸ build\n {2}built\n[^\n]*standard error\)\n✓[^\n]*\n▸ other\n {2}built\n✓[^\n]*\nDone\.$/,
  )
})
