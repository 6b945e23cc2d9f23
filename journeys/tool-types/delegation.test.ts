import { expect, test } from 'vitest'
import { toolblocks, visit, withoutTrust } from '../stage/command.ts'
import { makeFolder, tool } from '../stage/folder.ts'
import { readStoredRows, type Row } from '../stage/rows.ts'
import {
  getLastMessage,
  startProvider,
  type RequestMessage,
  type ProviderResponse,
} from '../stage/provider.ts'
import { getScreen } from '../stage/screen.ts'
import { readPage, startView } from '../stage/view.ts'

const ASKS = JSON.stringify({
  content: [
    { type: 'question', question: { id: 'how', text: 'How strict?', schema: { type: 'string' } } },
  ],
})

const AGENTS = `
[agents.reviewer]
summary = "Reviews a change."
instructions = "You are strict."
tools = ["look", "grade", "wipe"]
model = "small"
max_output_tokens = 77
`

const TOOLS =
  tool('look', ['echo', 'the change is fine']) +
  tool('secret', ['echo', 'for the person alone']) +
  tool('grade', ['sh', 'grade.sh', '{{tool.answers.how}}']) +
  '\n[tools.wipe]\nsource = "local"\ncommand = ["echo", "wiped"]\nparameters = {}\n'

const FILES = {
  'grade.sh': `if [ "$1" = null ]; then echo '${ASKS}'; else echo "graded: $1"; fi\n`,
}

/** In the conversation of the person, the model delegates a review. In that of the agent, it calls tools and returns text. */
function answer(messages: readonly RequestMessage[]): ProviderResponse {
  const results = messages.filter(({ role }) => role === 'tool').length
  if (getLastMessage(messages) !== 'Review it.')
    return results === 0
      ? { text: 'I ask.', calls: [['delegate', { agent: 'reviewer', task: 'Review it.' }]] }
      : { text: 'The review is done.' }
  return (
    [
      { calls: [['look', {}]] },
      { calls: [['grade', {}]] },
      { calls: [['wipe', {}]] },
      { text: 'It is fine.' },
    ] as const
  )[results]!
}

/** Whether an event starts the conversation of an agent. */
const isOfAgent = ({ type, values }: Row): boolean =>
  type === 'configuration' && Object(values).agent !== undefined

test('003 delegate: an agent has a separate conversation, with its tools, model and instructions; a person reads which agent asks a question', async () => {
  const model = await startProvider(answer)
  const folder = makeFolder({ ...FILES, 'toolblocks.toml': model.settings + AGENTS + TOOLS })
  const { code, written } = await visit(
    folder,
    ['chat'],
    [
      [/new conversation[^]*› /, 'Have it reviewed.\r'],
      [/Agent reviewer: How strict\?/, 'very\r'],
      [/Agent reviewer: Run wipe\?/, '\u001b[B\r'],
      [/The review is done\.[^]*› /, '\u0004'],
    ],
  )
  expect(code).toBe(0)
  const screen = await getScreen(written)
  expect(screen).toMatch(
    /▸ delegate agent=reviewer[^]*│ reviewer ▸ look[^]*│ reviewer wipe ✓[^]*\n {2}It is fine\./,
  )

  const [parent, child] = model.requests
  expect(JSON.stringify(parent?.['tools'])).toContain('reviewer: Reviews a change.')
  expect(child).toMatchObject({ model: 'small', max_tokens: 77 })
  expect(child?.['messages']).toEqual([
    { role: 'system', content: 'You are strict.' },
    { role: 'user', content: 'Review it.' },
  ])
  const toolNames = Array.from(Object(child?.['tools']), (each) => Object(each).function.name)
  expect(toolNames).toEqual(['look', 'grade', 'wipe', 'read_tool_result'])
  expect(model.results()).toEqual(['It is fine.'])

  const kept = readStoredRows(folder)
  const begun = kept.find(isOfAgent)
  const person = kept.find(({ conversation }) => conversation !== begun?.conversation)?.conversation
  expect(begun).toMatchObject({
    values: { agent: 'reviewer', parent: { conversationId: person, callId: 'call_1' } },
  })
  const own = kept.filter(({ conversation }) => conversation === person)
  expect(own.find(({ type }) => type === 'tool_result')).toMatchObject({
    result: {
      metadata: { conversationId: begun?.conversation, agent: 'reviewer', outcome: 'completed' },
    },
  })
})

test('003 delegate: an agent can be resumed like any conversation, and is stopped at its limits of time and tokens', async () => {
  const model = await startProvider((messages) => {
    if (getLastMessage(messages) === 'Review it.') return { calls: [['slow', {}]] }
    if (getLastMessage(messages) === 'Count it.') return { calls: [['look', {}]] }
    const results = messages.filter(({ role }) => role === 'tool').length
    const calls = [
      ['delegate', { agent: 'late', task: 'Review it.' }],
      ['delegate', { agent: 'dear', task: 'Count it.' }],
    ] as const
    return results === 0 ? { calls } : { text: 'Both were stopped.' }
  })
  const agents = `
[agents.late]
summary = "Takes long."
timeout_secs = 0.5
[agents.dear]
summary = "Takes much."
max_tokens = 3
`
  const tools = TOOLS + tool('slow', ['sleep', '30'])
  const folder = makeFolder({ ...FILES, 'toolblocks.toml': model.settings + agents + tools })
  const { code } = await toolblocks(folder, 'run', 'Do both.', '--no-input')
  expect(code).toBe(0)
  const [late, dear] = model.results()
  expect(late).toContain('The agent "late" was stopped after 0.5 seconds')
  expect(dear).toContain('The agent "dear" was stopped: it has used')
  const agent = readStoredRows(folder).find(({ type }) => type === 'configuration')
  const resumed = await toolblocks(
    folder,
    'run',
    'And now?',
    '--resume',
    agent?.conversation ?? '',
    '--no-input',
  )
  expect(resumed.stdout).toContain('Both were stopped.')
})

test('003 delegate: Ctrl-C ends the agent with the turn', async () => {
  const model = await startProvider((messages) =>
    getLastMessage(messages) === 'Review it.'
      ? { calls: [['slow', {}]] }
      : { calls: [['delegate', { agent: 'reviewer', task: 'Review it.' }]] },
  )
  const agents = '[agents.reviewer]\nsummary = "Reviews."\n'
  const folder = makeFolder({
    'toolblocks.toml': model.settings + agents + tool('slow', ['sleep', '30']),
  })
  const { code } = await visit(folder, ['run', 'Go.'], [[/reviewer[^]*slow/, '\u0003']])
  expect(code).toBe(130)
})

test('003 delegate: an agent needs agreement, and is listed with the tools', async () => {
  const model = await startProvider([{ text: 'Hello.' }])
  const folder = makeFolder({ ...FILES, 'toolblocks.toml': model.settings + AGENTS + TOOLS })
  const listed = await toolblocks(folder, 'tools')
  expect(listed.stdout).toContain('delegate')
  expect(listed.stdout).toContain('reviewer: Reviews a change.')
  const unknown = `${model.settings}[agents.a]\nsummary = "Reads."\ntools = ["lok"]\n${TOOLS}`
  const odd = makeFolder({ ...FILES, 'toolblocks.toml': unknown })
  const message =
    /toolblocks\.toml:\d+: agents\.a\.tools: there is no tool "lok"; did you mean "look"\?/
  expect((await toolblocks(odd, 'tools')).stderr).toMatch(message)
  expect((await toolblocks(odd, 'run', 'Hello.')).stderr).toMatch(message)
  const { stdout } = await withoutTrust(folder, 'trust', '--output', 'json')
  expect(stdout).toContain('agent reviewer: work that a model hands to it')
  expect(stdout).toContain('You are strict.')
})

test('003 delegate: an agent delegates only to the depth in its table, and a person reads the chain of agents in a question', async () => {
  const model = await startProvider((messages) => {
    const results = messages.filter(({ role }) => role === 'tool').length
    const message = getLastMessage(messages)
    if (results > 0) return { text: `${message} is done.` }
    if (message === 'inner work') return { calls: [['wipe', {}]] }
    const next = message === 'outer work' ? ['inner', 'inner work'] : ['outer', 'outer work']
    return { calls: [['delegate', { agent: next[0], task: next[1] }]] }
  })
  const agents = `
[agents.outer]
summary = "Plans."
[agents.inner]
summary = "Works."
max_depth = 2
`
  const folder = makeFolder({ ...FILES, 'toolblocks.toml': model.settings + agents + TOOLS })
  const { code } = await visit(
    folder,
    ['run', 'Begin.'],
    [[/Agent outer: Agent inner: Run wipe\?/, '\u001b[B\r']],
  )
  expect(code).toBe(0)
  expect(model.results()).toEqual(['outer work is done.'])
  const offered = model.requests.map(({ tools }) => JSON.stringify(tools))
  expect(offered[0]).toContain('- outer: Plans.\\n- inner: Works.')
  expect(offered[1]).toContain('- inner: Works.')
  expect(offered[1]).not.toContain('- outer: Plans.')
  expect(offered[2]).not.toContain('"delegate"')
})

test('003 delegate: the view shows the conversation of an agent below the call that started it', async () => {
  const model = await startProvider((messages) =>
    getLastMessage(messages) === 'Look at it.'
      ? messages.some(({ role }) => role === 'tool')
        ? { text: 'It is lit.' }
        : { calls: [['look', {}]] }
      : messages.some(({ role }) => role === 'tool')
        ? { text: 'All is well.' }
        : { calls: [['delegate', { agent: 'reviewer', task: 'Look at it.' }]] },
  )
  const agents = '[agents.reviewer]\nsummary = "Looks."\n'
  const folder = makeFolder({ 'toolblocks.toml': model.settings + agents + TOOLS })
  await toolblocks(folder, 'run', 'Begin.', '--no-input')
  const kept = readStoredRows(folder)
  const agent = kept.find(isOfAgent)?.conversation ?? ''
  const person = kept.find(({ conversation }) => conversation !== agent)?.conversation ?? ''
  const page = await readPage((await startView(folder, person)).address)
  const [, nested = ''] = /<details class="tb-led">(.*)<\/details>/s.exec(page) ?? []
  expect(nested).toContain(`conversation?id=${agent}`)
  expect(nested).toContain('Look at it.')
  expect(nested).toContain('the change is fine')
  const details = await toolblocks(folder, 'conversations', 'show', person)
  expect(details.stdout).toContain(`conversation ${agent}`)
})
