import { expect, test } from 'vitest'
import { toolblocks, visit, withoutTrust } from '../stage/command.ts'
import { makeFolder, toToolOutput, tool } from '../stage/folder.ts'
import { readStoredRows } from '../stage/rows.ts'
import { PROVIDERS, startProvider } from '../stage/provider.ts'

/** A tool that asks into which branch it merges, and prints what it did. */
const MERGE = `
case "$1" in
  null) cat asks.json ;;
  *) echo "merged into $1" ;;
esac
`
const ASKS = toToolOutput([
  { type: 'text', text: 'Three branches are open.' },
  { type: 'text', text: 'A note for people.', annotations: { audience: ['user'] } },
  {
    type: 'question',
    question: {
      id: 'branch',
      text: 'Into which branch?',
      schema: { type: 'string', enum: ['main', 'staging'] },
      default: 'main',
    },
  },
])

function prepareFolder(settings: string, question: string): string {
  return makeFolder({
    'merge.sh': MERGE,
    'asks.json': ASKS,
    'toolblocks.toml':
      settings +
      tool('merge', ['sh', 'merge.sh', '{{tool.answers.branch}}']) +
      `[tools.merge.questions.branch]\n${question}\n`,
  })
}

test.for(Object.keys(PROVIDERS) as (keyof typeof PROVIDERS)[])(
  '000 question target: %s receives the question in a separate request, with the schema, the text before it and the conversation',
  async (provider) => {
    const model = await startProvider(
      [
        { calls: [['merge', {}]] },
        { calls: [['answer', { answer: 'trunk' }]] },
        { calls: [['answer', { answer: 'staging' }]] },
        { text: 'It is merged.' },
      ],
      provider,
    )
    const folder = prepareFolder(model.settings, 'target = "assistant"')
    const { code, stdout, stderr } = await toolblocks(folder, 'run', 'Merge my work.', '--no-input')
    expect([code, stdout]).toEqual([0, expect.stringContaining('It is merged.')])
    expect(stderr).toContain('? Into which branch? the model answered "staging"')

    const [, asked, again, last] = model.requests.map((body) => JSON.stringify(body))
    expect(asked).toContain('Merge my work.')
    expect(asked).toContain('Three branches are open.')
    expect(asked).not.toContain('A note for people.')
    expect(asked).toContain('This call is still running and has no result yet.')
    expect(asked).not.toContain('interrupted')
    expect(asked).toContain('The tool \\"merge\\" needs input before it can continue.')
    expect(asked).toContain('Into which branch?')
    expect(asked).toContain('"enum":["main","staging"]')
    expect(asked).toMatch(/"(?:required|any|ANY)"/)
    expect(again).toContain('The last response did not match the schema')
    expect(last).toContain('merged into staging')
    expect(last).not.toContain('needs input before')

    const kept = readStoredRows(folder)
    expect(kept.filter(({ type }) => type === 'question' || type === 'answer')).toMatchObject([
      { asked: 'assistant', question: { id: 'branch' } },
      { action: 'accept', value: 'staging' },
    ])
  },
)

test('000 question target: a route can name another model of the same provider, also for a call without a model', async () => {
  const model = await startProvider([{ calls: [['answer', { answer: 'main' }]] }])
  const target = 'target = { name = "small", instructions = "Be careful." }'
  const { code, stdout } = await toolblocks(prepareFolder(model.settings, target), 'call', 'merge')
  expect([code, stdout]).toEqual([0, expect.stringContaining('merged into main')])
  expect(model.requests).toMatchObject([{ model: 'small' }])
  expect(JSON.stringify(model.requests[0])).toContain('Be careful.')
})

test('000 question target: a question for a person goes to the model if no person is available, and otherwise to the person', async () => {
  const answers = [{ calls: [['answer', { answer: 'staging' }]] }] as const
  const model = await startProvider(answers)
  const folder = prepareFolder(model.settings, 'fallback = "assistant"')
  expect((await toolblocks(folder, 'call', 'merge')).stdout).toContain('merged into staging')
  const { written } = await visit(
    folder,
    ['call', 'merge'],
    [[/Into which branch\?[^]*main/, '\r']],
  )
  expect(written).toContain('merged into main')
  expect(model.requests).toHaveLength(1)
})

test('000 question target: without an available answerer, the result names the target, the reason and the blocks before the question', async () => {
  const folder = prepareFolder('', 'target = "assistant"')
  const { code, stdout, stderr } = await toolblocks(folder, 'call', 'merge')
  expect(code).toBe(5)
  expect(stdout).toContain('Three branches are open.')
  expect(stderr).toContain(
    'The tool asked "Into which branch?" (branch), and nobody could answer it: it is a question for the model, and no [model] is configured.',
  )
  const model = await startProvider([{ calls: [['merge', {}]] }, { text: 'Nobody knows.' }])
  const asks = prepareFolder(model.settings, 'target = "user"')
  await toolblocks(asks, 'run', 'Merge.', '--no-input')
  expect(model.results()[0]).toContain('Three branches are open.')
  expect(model.results()[0]).toContain('it is a question for a person, and no person is available')
})

test('000 question target: no model is asked for a secret, and the model of an untrusted folder is not asked', async () => {
  const model = await startProvider([{ calls: [['answer', { answer: 'main' }]] }])
  const question = { id: 'key', text: 'Key?', schema: { type: 'string', format: 'password' } }
  const folder = makeFolder({
    'asks.json': toToolOutput([{ type: 'question', question }]),
    'toolblocks.toml':
      model.settings +
      tool('login', ['cat', 'asks.json']) +
      `[tools.login.questions.key]\ntarget = "assistant"\n`,
  })
  const { stderr } = await toolblocks(folder, 'call', 'login')
  expect(stderr).toContain('a model is never asked for a secret')
  const untrusted = prepareFolder(model.settings, 'target = "assistant"')
  expect((await withoutTrust(untrusted, 'call', 'merge')).code).not.toBe(0)
  expect(model.requests).toEqual([])
})
