import { readFileSync } from 'node:fs'
import { defineTool, failure, testTool, text } from '@toolblocks/tool-sdk'
import { Type } from '@toolblocks/tool-sdk/typebox'
import { expect, test } from 'vitest'
import { visit } from '../stage/command.ts'
import { makeFolder, tool } from '../stage/folder.ts'
import { startProvider } from '../stage/provider.ts'
import { getScreen } from '../stage/screen.ts'

const REMOVE = `
import { defineTool, runTools, text } from '@toolblocks/tool-sdk'
import { Type } from '@toolblocks/tool-sdk/typebox'

const remove = defineTool({
  name: 'remove',
  summary: 'Remove a note.',
  inputSchema: Type.Object({ name: Type.String() }),
  run({ name }, { ask, show }) {
    show(text('Buy oil.'))
    const how = ask.select('how', 'Remove ' + name + '?', ['keep', 'trash'])
    const why = ask.text('why', 'Why?')
    return text(how + ', because ' + why)
  },
})
await runTools([remove])
`

test('004 questions: the questions of a tool are answered at the terminal, as often as it asks', async () => {
  const folder = makeFolder({
    'remove.ts': REMOVE,
    'toolblocks.toml': tool('remove', [process.execPath, 'remove.ts'], ''),
  })
  const { written } = await visit(
    folder,
    ['call', 'remove', '--arg', 'name=a.md'],
    [
      [/Buy oil\.[^]*Remove a\.md\?[^]*trash/, '\u001b[B\u001b[B\r'],
      [/Why\?/, 'it is bought\r'],
    ],
  )
  expect(await getScreen(written)).toMatch(/trash, because it is bought$/)
})

const REVIEW = `
import { booleanQuestion, defineTool, runTools, text, waiting } from '@toolblocks/tool-sdk'
import { Type } from '@toolblocks/tool-sdk/typebox'
import { writeFileSync } from 'node:fs'

const review = defineTool({
  name: 'review',
  summary: 'Go through lines.',
  stateful: true,
  inputSchema: Type.Object({ lines: Type.Array(Type.String()) }),
  async *run({ lines }) {
    let kept = 0
    try {
      for (const [index, line] of lines.entries())
        if ((yield waiting(booleanQuestion({ id: 'line_' + index, text: 'Keep it?' }), text(line))) === true) kept += 1
      return text(kept + ' lines are kept.')
    } finally {
      writeFileSync('ended', String(kept))
    }
  },
})
await runTools([review])
`

test('004 stateful tools: a generator reads the lines of a person one by one, and ends with its result', async () => {
  const model = await startProvider([
    { calls: [['review', { action: 'spawn', id: 'r', lines: ['oil', 'wick'] }]] },
    { text: 'Reviewed.' },
  ])
  const folder = makeFolder({
    'review.ts': REVIEW,
    'toolblocks.toml':
      model.settings + tool('review', [process.execPath, 'review.ts'], 'stateful = true'),
  })
  const { written } = await visit(
    folder,
    ['run', 'Review.'],
    [
      [/oil[^]*Keep it\?[^]*Yes[^]*No/, 'y\r'],
      [/wick[^]*Keep it\?[^]*Yes[^]*No/, 'n\r'],
    ],
  )
  expect(await getScreen(written)).toContain('1 lines are kept.')
  expect(model.results().at(-1)).toMatch(/"r": stopped\][^]*1 lines are kept\.$/)
  expect(readFileSync(`${folder}/ended`, 'utf8')).toBe('1')
})

test('004 test of a tool: testTool runs one call without a program, with answers, and never throws', async () => {
  const greet = defineTool({
    name: 'greet',
    summary: 'Greet a person.',
    inputSchema: Type.Object({ name: Type.String({ minLength: 1 }) }),
    run: ({ name }, { ask }) =>
      ask.boolean('sure', `Greet ${name}?`)
        ? text(`Hello, ${name}!`)
        : failure('Nobody was greeted.'),
  })
  const asked = await testTool(greet, { name: 'Ada' })
  const yes = await testTool(greet, { name: 'Ada' }, { answers: { sure: true } })
  const no = await testTool(greet, { name: 'Ada' }, { answers: { sure: false } })
  const wrong = await testTool(greet, { name: '' })
  expect(asked.content).toMatchObject([{ type: 'question', question: { id: 'sure' } }])
  expect(yes).toMatchObject({ content: [text('Hello, Ada!')], isError: false })
  expect(no).toMatchObject({ content: [text('Nobody was greeted.')], isError: true })
  expect(wrong.isError).toBe(true)
  expect(JSON.stringify(wrong.content)).toContain('/name: expected at least 1 character, got 0')
})
