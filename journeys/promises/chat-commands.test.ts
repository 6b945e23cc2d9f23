import { mkdirSync } from 'node:fs'
import { expect, test } from 'vitest'
import { toolblocks, visit, withoutTrust } from '../stage/command.ts'
import { makeFolder, tool } from '../stage/folder.ts'
import { hasResults, getLastMessage, startProvider } from '../stage/provider.ts'
import { readStoredRows } from '../stage/rows.ts'
import { getScreen } from '../stage/screen.ts'

const TOOLS = `${tool('one', ['echo', 'first'], 'summary = "Says first."\nparameters = {}')}
[tools.two]
source = "local"
command = ["echo", "second"]
parameters = {}
`

async function makeWorkspace() {
  const provider = await startProvider((messages) => {
    const message = getLastMessage(messages)
    if (message === 'call' && !hasResults(messages)) return { calls: [['one', {}]] }
    return { text: `You said ${message}.`, usage: { input: 1000, cached: 200, output: 7 } }
  })
  const folder = makeFolder({ 'toolblocks.toml': provider.settings + TOOLS, 'my notes.txt': 'lit' })
  return { ...provider, folder }
}

const LEAVE = '\u0004'

test.for([80, 40])(
  'promise chat: a chat starts with the model, its tools, the folder and the store, in rows of %i columns',
  async (columns) => {
    const { folder } = await makeWorkspace()
    const { written } = await visit(folder, ['chat'], [[/› /, LEAVE]], { columns })
    const rows = (await getScreen(written, columns)).split('\n')
    expect(rows.slice(0, 2)).toEqual(['model   openai-compatible/m', 'tools   2: one, two'])
    expect(rows[2]).toMatch(/^folder {2}\S*toolblocks-journey-\w+$/)
    expect(rows[3]).toBe('kept in kept.db')
    expect(rows.slice(4).join(' ')).toContain(
      'A new conversation. Type /help for a list of commands.',
    )
  },
)

test('promise chat: /model changes the model and is recorded; /tools, /cost and /undo list the tools, the usage and the removed turns', async () => {
  const { folder, requests } = await makeWorkspace()
  const { written, code } = await visit(
    folder,
    ['chat'],
    [
      [/› /, '/tools\r'],
      [/one[^]*Says first\.[^]*two[^]*ask[^]*› /, '/cost\r'],
      [/has not reported any tokens yet[^]*› /, 'hello\r'],
      [/You said hello\.[^]*› /, '/model other\r'],
      [/From now on, the model is openai-compatible\/other\.[^]*› /, 'call\r'],
      [/You said call\.[^]*› /, '/cost\r'],
      [
        /m: 1,000 tokens in \(200 cached\), 7 out · other: 1,000[^]*The last turn: 1,000 tokens in[^]*› /,
        '/undo\r',
      ],
      [/Undone: "call", its answer and one call; the effects of the call remain[^]*› /, '/undo\r'],
      [/Undone: "hello" and its answer\.[^]*› /, '/undo\r'],
      [/nothing to undo[^]*› /, 'exit\r'],
    ],
  )
  expect(code).toBe(0)
  expect(written).not.toContain('unknown command')
  expect(requests.map(({ model }) => model)).toEqual(['m', 'other', 'other'])
  const settings = readStoredRows(folder).filter(({ type }) => type === 'configuration')
  expect(settings.map(({ values }) => values)).toEqual([
    { command: 'chat', folder, model: 'm' },
    { model: 'other' },
  ])
})

test.for(['/undo', '/compact'])(
  'promise chat: if another program has added a turn, %s changes nothing and names that turn, and counts when it is typed again',
  async (command) => {
    const { folder } = await makeWorkspace()
    const addTurn = async (): Promise<string> => {
      const listed = await toolblocks(folder, 'conversations', 'list', '--output', 'json')
      const { id } = JSON.parse(listed.stdout).conversations[0]
      const { code } = await toolblocks(folder, 'run', '--resume', id, 'other turn')
      expect(code).toBe(0)
      return `${command}\r`
    }
    const { code } = await visit(
      folder,
      ['chat'],
      [
        [/› /, 'hello\r'],
        [/You said hello\.[^]*› /, addTurn],
        [
          /another program has written to this conversation, so nothing was changed\.\s+The last turn is now: "other turn" and its answer[^]*› /,
          `${command}\r`,
        ],
        [/Undone: "other turn"|no longer receives the results[^]*› /, LEAVE],
      ],
    )
    expect(code).toBe(0)
  },
)

test('promise chat: /clear starts a new conversation without earlier messages, and the old one can be continued', async () => {
  const { folder, requestMessages: asked } = await makeWorkspace()
  const { written } = await visit(
    folder,
    ['chat'],
    [
      [/› /, 'hello\r'],
      [/You said hello\.[^]*› /, '/clear\r'],
      [/A new conversation[^]*Previous chat: toolblocks chat --resume [\w-]+[^]*› /, 'again\r'],
      [/You said again\.[^]*› /, '/exit\r'],
    ],
  )
  expect(asked.map((messages) => messages.map(({ content }) => content))).toEqual([
    ['hello'],
    ['again'],
  ])
  const [, before = ''] = /Previous chat: toolblocks chat --resume ([\w-]+)/.exec(written) ?? []
  await toolblocks(folder, 'run', 'more', '--resume', before)
  expect(asked.at(-1)?.map(({ content }) => content)).toEqual(['hello', 'You said hello.', 'more'])
})

test('promise chat: Tab completes the paths of /attach, which may have quotes, spaces and ~', async () => {
  const { folder, requestMessages: asked } = await makeWorkspace()
  mkdirSync(`${folder}/home`)
  await visit(
    folder,
    ['chat'],
    [
      [/› /, '/att\t'],
      [/\/attach /, 'my\t'],
      [/my\\ notes\.txt/, '\r'],
      [/my notes\.txt will be sent with the next message[^]*› /, '/attach "my n\t\r'],
      [/my notes\.txt will be sent with the next message[^]*› /, '/attach ~/none.txt\r'],
      [/\/home\/none\.txt\s+does\s+not\s+exist[^]*› /, 'look\r'],
      [/You said[^]*› /, LEAVE],
    ],
    { environment: { HOME: `${folder}/home` } },
  )
  expect(JSON.stringify(asked[0])).toMatch(/Resource my notes\.txt[^]*Resource my notes\.txt/)
})

test('promise resume: the latest conversation is that of a chat or a run, its last turns are shown again, and a record of calls is refused', async () => {
  const { folder, requestMessages: asked } = await makeWorkspace()
  for (const message of ['first', 'second', 'call'])
    await toolblocks(
      folder,
      'run',
      message,
      ...(message === 'first' ? [] : ['--resume']),
      '--no-input',
    )
  await toolblocks(folder, 'call', 'one')
  const { written } = await visit(
    folder,
    ['chat', '--resume', 'latest'],
    [[/› [^]*─\s*[^]*› /, LEAVE]],
  )
  const screen = await getScreen(written)
  expect(screen).toMatch(
    /Resumed [^]*› second\nYou said second\.\n› call\n▸ one\n {2}first\nYou said call\.\n─+\n›/,
  )
  expect(screen).not.toContain('› first')
  const calls = readStoredRows(folder).at(-1)?.conversation ?? ''
  const refused = await toolblocks(folder, 'run', 'more', '--resume', calls)
  expect([refused.code, refused.stderr]).toEqual([
    2,
    expect.stringContaining('has only calls from'),
  ])
  expect(asked).toHaveLength(4)
})

test('promise setup: without a model the command shows an example to copy, for the provider whose key is set', async () => {
  const folder = makeFolder({ 'toolblocks.toml': '' })
  const { written, code } = await visit(folder, ['chat'], [], {
    environment: { OPENAI_API_KEY: 'k', ANTHROPIC_API_KEY: '', GEMINI_API_KEY: '' },
  })
  expect(code).toBe(2)
  const screen = await getScreen(written)
  expect(screen).toContain('error: no [model] is configured\n')
  expect(screen).toMatch(
    /\n {2}\[model\]\n {2}provider = "openai" {2}# OPENAI_API_KEY is set\n {2}name = "gpt-5"\n/,
  )
  expect(screen.replaceAll(/\s/g, '')).toContain(`Writethisinto${folder}/toolblocks.toml`)
  expect(screen).toContain('config.toml')
  const [, example = ''] = /( {2}\[model\][^]*?)\n\n/.exec(screen) ?? []
  const second = makeFolder({ 'toolblocks.toml': example })
  const asked = await withoutTrust(second, 'trust')
  expect(asked.stdout + asked.stderr).toContain('model: conversations to openai gpt-5')
})
