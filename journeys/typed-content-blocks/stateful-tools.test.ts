import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { toolblocks, visit } from '../stage/command.ts'
import { makeFolder, tool } from '../stage/folder.ts'
import { readStoredRows } from '../stage/rows.ts'
import { connectClient } from '../stage/mcp-client.ts'
import { type Provider, PROVIDERS, startProvider } from '../stage/provider.ts'

/** Processes the lines of a note. Each kept line is written at once, and the title is asked for as plain text. */
const REVIEW = `
import { appendFileSync } from 'node:fs'
import { booleanQuestion, defineTool, runTools, text, waiting } from '@toolblocks/tool-sdk'

await runTools([defineTool({
  name: 'review',
  summary: 'Review the lines.',
  stateful: true,
  async *run() {
    appendFileSync('written', 'started\\n')
    try {
      for (const line of ['alpha', 'beta']) {
        const keep = yield waiting(booleanQuestion({ id: 'keep_' + line, text: 'Keep ' + line + '?' }), text('The line ' + line + '.'))
        if (keep) appendFileSync('written', line + '\\n')
        yield text(keep ? line + ' was kept' : line + ' was left')
      }
      const title = yield waiting('What is the title?')
      return text('The title is ' + title + '.')
    } finally {
      appendFileSync('written', 'reviewed\\n')
    }
  },
})])
`

function prepareFolder(settings: string, questions = ''): string {
  return makeFolder({
    'review.ts': REVIEW,
    'toolblocks.toml':
      settings + tool('review', [process.execPath, 'review.ts'], 'stateful = true') + questions,
  })
}

const written = (folder: string): string => readFileSync(join(folder, 'written'), 'utf8')
const SPAWN = { calls: [['review', { action: 'spawn', id: 'r' }]] } as const
const CONFIGURED = `
[tools.review.questions.keep_alpha]
answer = true
[tools.review.questions.keep_beta]
answer = false
`

/** Returns the last request of a provider as text, without the escapes of nested JSON. */
const lastBody = ({ requests }: Provider): string =>
  JSON.stringify(requests.at(-1)).replaceAll(/\\+"/g, '"').replaceAll(/\\+n/g, '\n')

test.for(Object.keys(PROVIDERS) as (keyof typeof PROVIDERS)[])(
  '000 stateful responses: %s receives every answer to a live tool as a separate call with its own result',
  async (provider) => {
    const model = await startProvider(
      [
        SPAWN,
        { calls: [['review', { action: 'apply', id: 'r', input: 'Notes' }]] },
        { text: 'Done.' },
      ],
      provider,
    )
    const folder = prepareFolder(model.settings, CONFIGURED)
    const { code } = await toolblocks(folder, 'run', 'Review.', '--no-input')
    expect([code, written(folder)]).toEqual([0, 'started\nalpha\nreviewed\n'])
    const [, second, third] = model.requestMessages
    expect(second?.filter(({ role }) => role === 'tool').map(({ content }) => content)).toEqual([
      expect.stringMatching(/the user to answer.*keep_alpha[^]*The line alpha\./),
      expect.stringMatching(/keep_beta[^]*alpha was kept[^]*The line beta\./),
      expect.stringMatching(/waiting for input[^]*beta was left[^]*What is the title\?/),
    ])
    const body = JSON.stringify(model.requests[1]).replaceAll(/\\+"/g, '"')
    expect(body).toContain('{"keep_alpha":true}')
    expect(body).toContain('{"keep_beta":false}')
    expect(body.indexOf('alpha was kept')).toBeLessThan(body.indexOf('{"keep_beta":false}'))
    expect(third?.at(-1)?.content).toContain('The title is Notes.')
    const kept = readStoredRows(folder)
    const ids = kept.flatMap(({ type, call }) =>
      type === 'tool_call' ? [(call as { id: string }).id] : [],
    )
    const [first = ''] = ids
    expect(ids.slice(0, 3)).toEqual([first, `${first}.answer-1`, `${first}.answer-2`])
    expect(ids).toHaveLength(4)
  },
)

test('000 stateful responses: if the second question is declined, the effect of the first answer stays, and the model reads both', async () => {
  const model = await startProvider([SPAWN, { text: 'I see.' }])
  const folder = prepareFolder(model.settings)
  const { written: screen } = await visit(
    folder,
    ['run', 'Review.'],
    [
      [/Keep alpha\?/, 'y\r'],
      [/Keep beta\?/, '\u001B'],
      [/What do you want to do[^]*confirm/, '\u001B[B'],
      [/without an answer/, '\r'],
    ],
  )
  expect(screen).toContain('alpha was kept')
  expect(written(folder)).toBe('started\nalpha\nreviewed\n')
  const results = model.results()
  expect(results).toHaveLength(3)
  expect(results[1]).toContain('alpha was kept')
  expect(results[2]).toMatch(/Keep beta\?.*\(keep_beta\), and that was declined\./)
  expect(results[2]).toContain('The call was ended; its effects remain.')
})

test('000 stateful responses: a question for the model is sent once, and is answered directly or under its id', async () => {
  const model = await startProvider([
    SPAWN,
    { calls: [['review', { action: 'apply', id: 'r', input: true }]] },
    { calls: [['review', { action: 'apply', id: 'r', input: { keep_beta: true } }]] },
    { calls: [['review', { action: 'abort', id: 'r' }]] },
    { text: 'Done.' },
  ])
  const toModel = ['keep_alpha', 'keep_beta'].map(
    (id) => `[tools.review.questions.${id}]\ntarget = "assistant"\n`,
  )
  const folder = prepareFolder(model.settings, toModel.join(''))
  const { stderr } = await toolblocks(folder, 'run', 'Review.', '--no-input')
  expect(written(folder)).toBe('started\nalpha\nbeta\nreviewed\n')
  const [first = ''] = (model.requestMessages[1] ?? [])
    .filter(({ role }) => role === 'tool')
    .map(({ content }) => String(content))
  expect(first.split('Keep alpha?')).toHaveLength(2)
  expect(first).toContain('{"type":"boolean"}')
  expect(lastBody(model)).toContain('beta was kept')
  expect(stderr).not.toContain('JSON Schema')
})

test('000 stateful responses: a complete call asks a person while the tool lives, and does nothing twice', async () => {
  const folder = prepareFolder('')
  const { code, stdout } = await toolblocks(
    folder,
    'call',
    'review',
    '--answer=keep_alpha=true',
    '--answer=keep_beta=true',
    '--answer=input_1=Notes',
  )
  expect([code, written(folder)]).toEqual([0, 'started\nalpha\nbeta\nreviewed\n'])
  expect(stdout).toContain('The title is Notes.')
})

test('000 stateful responses: if no person is available, such a call is ended and reports its state', async () => {
  const folder = prepareFolder('')
  const { code, stdout, stderr } = await toolblocks(
    folder,
    'call',
    'review',
    '--answer',
    'keep_alpha=true',
  )
  expect([code, written(folder)]).toEqual([5, 'started\nalpha\nreviewed\n'])
  expect(stdout + stderr).toContain('alpha was kept')
  expect(stdout + stderr).toContain('The call was ended; its effects remain.')
})

test('000 stateful responses: without a terminal --action apply answers the open question, and reports an answer that does not match', async () => {
  const folder = prepareFolder('')
  const args = ['call', 'review', '--action', 'apply=true', '--action', 'apply=false']
  const done = await toolblocks(folder, ...args, '--action', 'apply=Lamps')
  expect([done.code, done.stdout]).toEqual([
    0,
    expect.stringMatching(/The line alpha\.[^]*alpha was kept[^]*beta was left[^]*is Lamps\./),
  ])
  const wrong = await toolblocks(folder, 'call', 'review', '--action', 'apply=up')
  expect(wrong.code).toBe(1)
  expect(wrong.stdout).toContain('The line alpha.')
  expect(wrong.stdout).toContain('--action "apply=up": expected boolean, got string "up"')
})

test('000 stateful responses: a person at a terminal is asked, types the input that the tool waits for, and sees each result once', async () => {
  const folder = prepareFolder('[store]\nurl = "sqlite:kept.db"\n')
  const { code, written: screen } = await visit(
    folder,
    ['call', 'review'],
    [
      [/Keep alpha\?/, 'y\r'],
      [/Keep beta\?/, 'n\r'],
      [/What is the title\?[^]*Each line you type/, 'Notes\r'],
    ],
  )
  expect([code, written(folder)]).toEqual([0, 'started\nalpha\nreviewed\n'])
  expect(screen.match(/The title is Notes\./g)).toHaveLength(1)
  const results = readStoredRows(folder).filter(({ type }) => type === 'tool_result')
  // On a busy machine, the program is asked once more before it has ended.
  expect(results.length).toBeGreaterThanOrEqual(4)
})

test('000 stateful responses: a fetch asks the person of a client, and each answer has its result', async () => {
  const folder = prepareFolder('')
  const asked: string[] = []
  const client = await connectClient(folder, ['serve'], (request) => {
    asked.push(request.message)
    return { action: 'accept', content: { value: true } }
  })
  const act = async (values: object): Promise<string> =>
    JSON.stringify(await client.callTool({ name: 'review', arguments: { ...values, id: 'r' } }))
  expect(await act({ action: 'spawn' })).toContain('a fetch asks the user')
  expect(asked).toEqual([])
  expect(await act({ action: 'fetch' })).toContain('alpha was kept')
  expect(asked).toEqual([expect.stringContaining('Keep alpha?')])
  expect(await act({ action: 'fetch' })).toContain('beta was kept')
  expect(await act({ action: 'apply', input: 'Notes' })).toContain('The title is Notes.')
})
