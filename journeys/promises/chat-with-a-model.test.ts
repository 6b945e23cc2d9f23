import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { startToolblocks, toolblocks, visit } from '../stage/command.ts'
import { makeFolder, tool } from '../stage/folder.ts'
import {
  hasResults,
  getLastMessage,
  startProvider,
  type RequestMessage,
  type ProviderResponse,
} from '../stage/provider.ts'
import { getScreen } from '../stage/screen.ts'

const QUESTION = JSON.stringify({
  content: [
    { type: 'question', question: { id: 'name', text: 'Name?', schema: { type: 'string' } } },
  ],
})
const TOOLS = `
${tool('one', ['echo', 'first'])}
${tool('two', ['echo', 'second'])}
${tool('slow', ['sh', '-c', 'echo begun >&2; sleep 30'])}
${tool('read', ['sh', 'read.sh'])}
${tool('asks', ['sh', 'asks.sh', '{{tool.answers.name}}'])}
[tools.delete]
source = "local"
command = ["echo", "deleted {{tool.arguments.path}}"]
parameters = { path = { type = "string" } }
`

/** The provider's responses: calls for some messages, and a confirmation for their results. */
function answer(messages: readonly RequestMessage[]): ProviderResponse {
  const message = getLastMessage(messages)
  if (message === 'hang' && hasResults(messages)) return { after: new Promise(() => {}) }
  if (hasResults(messages)) return { text: `After ${message}: done.` }
  switch (message) {
    case 'both':
      return {
        text: 'I call two.',
        calls: [
          ['one', {}],
          ['two', {}],
        ],
      }
    case 'ask':
      return { calls: [['asks', {}]] }
    case 'delete':
      return { calls: [['delete', { path: 'notes.txt' }]] }
    case 'slow':
      return { text: 'This takes long.', calls: [['slow', {}]] }
    case 'hang':
      return { calls: [['one', {}]] }
    default:
      return { text: `You said ${message}.` }
  }
}

async function makeWorkspace(respond = answer) {
  const provider = await startProvider(respond)
  const folder = makeFolder({
    'toolblocks.toml': provider.settings + TOOLS,
    'asks.sh': `if [ "$1" = null ]; then echo '${QUESTION}'; else echo "Hello $1"; fi\n`,
  })
  return { folder, ...provider }
}

test('promise chat: ten turns with concurrent tools, a question, a refusal, a permanent approval, an interrupt, a silent model and slash commands', async () => {
  const thinking = Promise.withResolvers<void>()
  const { folder, requestMessages: asked } = await makeWorkspace((messages) => {
    const response = answer(messages)
    return getLastMessage(messages) === 'think'
      ? { ...response, after: thinking.promise }
      : response
  })
  const { code, written } = await visit(
    folder,
    ['chat'],
    [
      [/new conversation[^]*› /, 'hello\r'],
      [/You said hello\.[^]*› /, 'both\r'],
      [/I call two\.[^]*first[^]*second[^]*After both: done\.[^]*› /, 'ask\r'],
      [/Name\?/, 'Ada\r'],
      [/Hello Ada[^]*After ask: done\.[^]*› /, 'delete\r'],
      [/notes\.txt[^]*Run delete\?[^]*No/, '\r'],
      [/denied[^]*After delete: done\.[^]*› /, 'delete\r'],
      [/Run delete\?[^]*No/, '\u001b[B\u001b[B\u001b[B\r'],
      [/deleted notes\.txt[^]*After delete: done\.[^]*› /, 'delete\r'],
      [/deleted notes\.txt[^]*After delete: done\.[^]*› /, 'slow\r'],
      [/This takes long\.[^]*▸[^\n]*slow/, '\u0003'],
      [/cancelled[^]*After slow: done\.[^]*› /, '/undo\r'],
      [/Undone: "slow", its answer and one call[^]*› /, '/nothing\r'],
      [/unknown command \/nothing[^]*› /, 'think\r'],
      [/waiting for the model/, () => thinking.resolve()],
      [/You said think\.[^]*› /, 'hang\r'],
      [/completed[^]*waiting for the model/, '\u0003'],
      [/Stopped\.[^]*› /, 'bye\r'],
      [/You said bye\.[^]*› /, '\u0004'],
    ],
  )
  expect(code).toBe(0)
  expect(written).toMatch(/Resume with: toolblocks chat --resume [\w-]+/)
  const last = asked.at(-1) ?? []
  expect(last.filter(({ role }) => role === 'user').map(({ content }) => content)).toEqual([
    'hello',
    'both',
    'ask',
    'delete',
    'delete',
    'delete',
    'think',
    'hang',
    'bye',
  ])
  const left = await getScreen(written)
  expect(left).not.toContain('waiting for the model')
  expect(left).toMatch(/› think\nYou said think\.\n/)
  expect(left).toMatch(/completed in [^\n]*\n\s*Stopped\./)
})

test('promise resume: after a kill in the middle of a call the chat continues: the call was interrupted, and everything else is kept', async () => {
  const { folder, requestMessages: asked } = await makeWorkspace()
  const started = startToolblocks(folder, ['run', 'slow'])
  await expect
    .poll(async () => (await toolblocks(folder, 'conversations', 'search', 'slow')).stdout, {
      timeout: 15_000,
    })
    .toContain('tool call')
  await started.end('SIGKILL')
  const { code, stdout } = await toolblocks(folder, 'run', 'again', '--resume', '--no-input')
  expect([code, stdout]).toEqual([0, 'You said again.\n'])
  expect(asked.at(-1)).toMatchObject([
    { role: 'user', content: 'slow' },
    { role: 'assistant' },
    { role: 'tool', content: expect.stringContaining('interrupted') },
    { role: 'user', content: 'again' },
  ])
})

test('promise providers: a temporary failure is retried; a refusal is reported, with exit code 1', async () => {
  let tries = 0
  const flaky = await makeWorkspace(() => ((tries += 1) < 3 ? { status: 429 } : { text: 'Now.' }))
  const ran = await toolblocks(flaky.folder, 'run', 'hi', '--no-input')
  expect(ran).toMatchObject({ code: 0, stdout: 'Now.\n' })
  expect(ran.stderr).toContain('not now (HTTP 429)')
  const wrong = await makeWorkspace(() => ({ status: 401 }))
  const refused = await toolblocks(wrong.folder, 'run', 'hi', '--no-input')
  expect(refused.code).toBe(1)
  expect(refused.stderr).toContain('the request to the model failed: not now (HTTP 401)')
})

test('promise approvals: --allow-tool lets calls run if no person is available; each event is one line', async () => {
  const { folder } = await makeWorkspace()
  const denied = await toolblocks(folder, 'run', 'delete', '--no-input')
  expect(denied.stderr).toContain('--allow-tool delete')
  const rule = 'delete(path=notes.txt)'
  const ran = await toolblocks(folder, 'run', 'delete', '--allow-tool', rule, '--output', 'jsonl')
  const events = ran.stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line).event)
  expect(events.map(({ type }) => type)).toEqual([
    'configuration',
    'turn_start',
    'user_message',
    'tool_call',
    'approval',
    'tool_result',
    'delivery',
    'assistant_message',
  ])
  expect(events[4]).toMatchObject({ decision: 'allowed', by: 'rule' })
})

test('promise deduplication: a tool that reads an attached file again does not repeat its content, and the model can read it again', async () => {
  const uri = (folder: string): string => `file://${folder}/notes.txt`
  let folder = ''
  const workspace = await makeWorkspace((messages) => {
    if (hasResults(messages)) return { text: 'Read.' }
    return {
      calls: [
        ['read', {}],
        ['refresh_resource', { uri: uri(folder) }],
      ],
    }
  })
  ;({ folder } = workspace)
  writeFileSync(join(folder, 'notes.txt'), 'a line of notes\n'.repeat(50))
  const block = {
    type: 'resource',
    resource: { uri: uri(folder), text: 'a line of notes\n'.repeat(50) },
  }
  writeFileSync(
    join(folder, 'read.sh'),
    `cat <<'END'\n${JSON.stringify({ content: [block] })}\nEND\n`,
  )
  const ran = await toolblocks(folder, 'run', 'Look.', '--attach', 'notes.txt', '--no-input')
  expect(ran.code).toBe(0)
  const [first, again] =
    workspace.requestMessages.at(-1)?.filter(({ role }) => role === 'tool') ?? []
  expect(getLastMessage(workspace.requestMessages.at(-1) ?? [])).toContain('a line of notes')
  expect(first?.content).toMatch(/has not changed since block 2 of the user's message in this turn/)
  expect(again?.content).toMatch(/has not changed since/)
  const stray = await toolblocks(folder, 'run', 'Look.', '--attach', 'no-such-file')
  expect([stray.code, stray.stderr]).toEqual([2, expect.stringContaining('no-such-file')])
})

test('promise deduplication: content that a provider receives as a reference was sent before: no content for the person only, in another format, or of a type that it does not accept', async () => {
  const uri = 'file:///notes.txt'
  const text = 'a line of notes\n'.repeat(50)
  const listed = 'one, listed\n'.repeat(50)
  const blob = Buffer.alloc(600, 7).toString('base64')
  const forPerson = { annotations: { audience: ['user'] } }
  const blocks: readonly object[] = [
    { resource: { uri, text }, ...forPerson },
    { resource: { uri, text }, formatted: listed },
    { resource: { uri, text } },
    { resource: { uri, text } },
    { resource: { uri, text }, formatted: listed },
    { resource: { uri, blob, mimeType: 'image/png' } },
    { resource: { uri, blob, mimeType: 'image/png' } },
  ]
  let folder = ''
  let step = 0
  const workspace = await makeWorkspace(() => {
    const block = blocks[step]
    step += 1
    if (step === blocks.length + 1) return { calls: [['read_tool_result', { call: 'call_1' }]] }
    if (!block) return { text: 'Read.' }
    const content = [{ type: 'resource', ...block }]
    writeFileSync(join(folder, 'result.json'), JSON.stringify({ content }))
    return { calls: [['read', {}]] }
  })
  ;({ folder } = workspace)
  writeFileSync(join(folder, 'read.sh'), 'cat result.json\n')
  const ran = await toolblocks(folder, 'run', 'Look.', '--no-input')
  expect(ran.code).toBe(0)
  const results = (workspace.requestMessages.at(-1) ?? []).filter(({ role }) => role === 'tool')
  const pointed = expect.stringMatching(/has not changed since block 1 of the result of call/)
  expect(results.map(({ content }) => content)).toEqual([
    expect.stringContaining('for the person only'),
    expect.stringContaining(listed),
    expect.stringContaining(text),
    pointed,
    pointed,
    expect.stringMatching(/^\[The tool's resource [^]*was omitted: this model does not accept it/),
    expect.stringMatching(/^\[The tool's resource [^]*was omitted: this model does not accept it/),
    expect.not.stringContaining('a line of notes'),
  ])
  expect(results[3]?.content).toContain('"call_3"')
  expect(results[4]?.content).toContain('"call_2"')
})

test('promise setup: without a model or its key the error names the setting, and says that a script needs no model', async () => {
  const folder = makeFolder({})
  const file = join(folder, 'toolblocks.toml')
  writeFileSync(file, '')
  const none = await toolblocks(folder, 'run', 'hi')
  expect(none.code).toBe(2)
  expect(none.stderr).toContain('provider = "scripted" needs no key')
  writeFileSync(file, '[model]\nprovider = "openai"\nname = "m"\napi_key_env = "NO_SUCH_KEY"\n')
  const keyless = await toolblocks(folder, 'run', 'hi')
  expect([keyless.code, keyless.stderr]).toEqual([2, expect.stringContaining('set NO_SUCH_KEY')])
  writeFileSync(file, '[model]\nprovider = "scripted"\n')
  expect((await toolblocks(folder, 'run', 'hi')).stdout).toContain('I am a script')
  expect((await toolblocks(folder, 'chat')).stderr).toContain('chat needs a terminal')
  expect((await toolblocks(folder, 'run', 'hi', '--allow-tool', 'x(')).code).toBe(2)
})

test.for<[string, string, RegExp]>([
  [
    'no provider',
    'name = "some"',
    /toolblocks\.toml:2: model\.provider: \[model\] needs a provider: one of anthropic, openai/,
  ],
  [
    'a text that is no address',
    'provider = "openai-compatible"\nname = "some"\nbase_url = "http://[::1/v1"',
    /toolblocks\.toml:5: model\.base_url: expected an address such as .*, got "http:\/\/\[::1\/v1"/,
  ],
])(
  'promise chat: a [model] with %s is an error with its file and line',
  async ([, keys, message]) => {
    const folder = makeFolder({ 'toolblocks.toml': `\n[model]\n${keys}\n` })
    const { code, stderr } = await toolblocks(folder, 'run', 'Hello')
    expect(code).toBe(2)
    expect(stderr).toMatch(message)
  },
)
