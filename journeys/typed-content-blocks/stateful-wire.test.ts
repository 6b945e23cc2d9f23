import { expect, test } from 'vitest'
import { toolblocks, visit } from '../stage/command.ts'
import { makeFolder, tool } from '../stage/folder.ts'
import { startProvider } from '../stage/provider.ts'
import { getScreen } from '../stage/screen.ts'

/** A program that stays alive: it reads, waits for an answer, and ends with it. A no is an error. It does not report that it has stopped. */
const STAGE = `
import { createInterface } from 'node:readline'
const words = (text) => ({ type: 'text', text })
const schema = { type: 'string', enum: ['y', 'n'] }
const question = { type: 'question', question: { id: 'hunk', text: 'Stage this hunk?', schema } }
for await (const line of createInterface({ input: process.stdin })) {
  const { seq, context, tool } = JSON.parse(line)
  const say = (status, content, more = {}) => {
    const _meta = { 'toolblocks/re': seq, ...(status && { 'computer.jp/status': status }) }
    console.log(JSON.stringify({ content, _meta, ...more }))
  }
  if (context.action === 'spawn') say('running', [words('The diff is being read.')])
  if (context.action === 'fetch') say('waiting', [words('+    new_line();'), question])
  if (context.action === 'apply' && tool.answers.hunk === 'y') say(undefined, [words('One hunk is staged.')])
  if (context.action === 'apply' && tool.answers.hunk === 'n') say('stopped', [words('Nothing is staged.')], { isError: true })
}
`
const staging = tool('stage', [process.execPath, 'stage.mjs'], 'stateful = true\nparameters = {}')

test('000 stateful tools: a model starts a tool, fetches its state and receives its last output; a person answers its questions', async () => {
  const model = await startProvider([
    { calls: [['stage', { action: 'spawn', id: 'one' }]] },
    { calls: [['stage', { action: 'fetch', id: 'one' }]] },
    { text: 'Staged.' },
  ])
  const folder = makeFolder({ 'stage.mjs': STAGE, 'toolblocks.toml': model.settings + staging })
  const { code, written } = await visit(
    folder,
    ['run', 'Stage it.'],
    [[/new_line\(\);[^]*Stage this hunk\?[^]*navigate/, 'y\r']],
  )
  expect([code, await getScreen(written)]).toEqual([
    0,
    expect.stringContaining('[handle "one": running]'),
  ])
  const results = model.results()
  expect(results[0]).toBe('[handle "one": running]\n\nThe diff is being read.')
  expect(results.at(-1)).toMatch(/\[handle "one": stopped\][^]*One hunk is staged\.$/)
})

test('000 stateful tools: a tool that stops with isError has failed', async () => {
  const answers = 'questions = { hunk = { answer = "n" } }\n'
  const model = await startProvider(
    [
      { calls: [['stage', { action: 'spawn', id: 'one' }]] },
      { calls: [['stage', { action: 'fetch', id: 'one' }]] },
      { text: 'Staged.' },
    ],
    'anthropic',
  )
  const folder = makeFolder({
    'stage.mjs': STAGE,
    'toolblocks.toml': model.settings + staging + answers,
  })
  await toolblocks(folder, 'run', 'Stage it.')
  const results = model.results().map((text): unknown => JSON.parse(text))
  expect(results[0]).toMatch(/^\[handle "one": running\]/)
  expect(results.at(-1)).toMatch(/^\[The tool call failed\.\][^]*Nothing is staged\.$/)
  expect(JSON.stringify(model.requests.at(-1)).split('"is_error":true')).toHaveLength(2)
})
