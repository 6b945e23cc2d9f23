import { chmodSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { type Ran, toolblocks, visit } from '../stage/command.ts'
import { makeFolder, printing, result, tool } from '../stage/folder.ts'
import { connectClient } from '../stage/mcp-client.ts'
import { hasResults, startProvider } from '../stage/provider.ts'

/** What is said of a mistake, with the folder left out. */
async function say(
  folder: string,
  ...words: readonly string[]
): Promise<Pick<Ran, 'code' | 'stderr'>> {
  const { code, stderr } = await toolblocks(folder, ...words)
  return { code, stderr: stderr.replaceAll(`${folder}/`, '') }
}

test('promise mistakes: a key that the provider does not take is named by its variable, and by what sets it', async () => {
  const model = await startProvider(() => ({ status: 401 }), 'anthropic')
  const folder = makeFolder({ 'toolblocks.toml': model.settings })
  const said = await say(folder, 'run', 'Go.', '--no-input')
  expect(said).toEqual({
    code: 1,
    stderr:
      'error: the model did not answer: not now (HTTP 401); the key was that in PATH; api_key_env under [model] names another variable\n',
  })
})

test('promise mistakes: a prompt without quotes is shown as it is to be typed', async () => {
  const folder = makeFolder({ 'toolblocks.toml': '' })
  const said = await say(folder, 'run', 'What', "isn't", 'in docs?')
  expect(said.code).toBe(2)
  expect(said.stderr).toMatch(
    /^error: the prompt is one argument, and got 3; put it in quotes: [^\n]* run 'What isn'"'"'t in docs\?'\n$/,
  )
})

test.for(['call', 'serve'])(
  'promise mistakes: %s says of a script with the line ends of Windows that they are the cause',
  async (word) => {
    const folder = makeFolder({ 'greet.sh': '#!/bin/sh\r\necho hi\r\n' })
    chmodSync(join(folder, 'greet.sh'), 0o755)
    expect(await say(folder, word, './greet.sh')).toEqual({
      code: 2,
      stderr:
        'error: ./greet.sh: its lines end as on Windows (CRLF), so its first line names no interpreter that exists; save it with LF as the end of its lines\n',
    })
  },
)

test.for([
  [
    '[tools.x\nsource = "local"\n',
    'toolblocks.toml:1: the name of a table ends with ]: write [tools.x]',
  ],
  [
    '[[tools.x]\nsource = "local"\n',
    'toolblocks.toml:1: the name of a table ends with ]]: write [[tools.x]]',
  ],
  [
    '[tools.x]\ncommand = ["a", "]"\nsource = "local"\n',
    'toolblocks.toml:2: the list that begins here has no ] at its end',
  ],
  [
    '[tools.x]\ncommand = ["a"\n',
    'toolblocks.toml:2: the list that begins here has no ] at its end',
  ],
  ['[tools.x]\nsource "local"\n', 'toolblocks.toml:2:'],
] as const)(
  'promise mistakes: a bracket that is missing is told where it is missing: %j',
  async ([text, message]) => {
    const folder = makeFolder({ 'toolblocks.toml': text })
    const said = await say(folder, 'tools')
    expect([said.code, said.stderr]).toEqual([2, expect.stringContaining(`error: ${message}`)])
  },
)

test('promise mistakes: a port at which another program listens is told, with what to do', async () => {
  const other = createServer()
  await new Promise<void>((done) => other.listen(0, '127.0.0.1', done))
  onTestFinished(() => void other.close())
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- it listens on a port
  const { port } = other.address() as AddressInfo
  const folder = makeFolder({ 'toolblocks.toml': '' })
  expect(await say(folder, 'serve', '--http', String(port))).toEqual({
    code: 2,
    stderr: `error: another program listens at port ${port} of 127.0.0.1; end it, or choose another port: 0 takes a free one\n`,
  })
})

test('promise mistakes: a server that does not start is told with what it was started with, and what it said last', async () => {
  const folder = makeFolder({
    'bad.sh': 'echo begun >&2\necho "no licence" >&2\nexit 3\n',
    'toolblocks.toml': '[mcp.servers.bad]\ncommand = "sh"\nargs = ["bad.sh", "--key", "${PATH}"]\n',
  })
  const said = await say(folder, 'call', 'bad__x')
  expect(said.stderr).toContain(
    'MCP server "bad" could not be connected: the program ended with code 3; it was started with: sh bad.sh --key \'${PATH}\';',
  )
  expect(said.stderr).toContain('it said last: "begun", "no licence"')
})

test('promise mistakes: a value that has a form of its own is told in the words of people', async () => {
  const folder = makeFolder({})
  writeFileSync(
    join(folder, 'toolblocks.toml'),
    '[tools.mail]\nsource = "local"\ncommand = ["echo"]\n[tools.mail.parameters.to]\ntype = "string"\nformat = "email"\n',
  )
  const said = await say(folder, 'call', 'mail', '--arg', 'to=nobody')
  expect(said).toEqual({ code: 2, stderr: 'error: --arg to: not an e-mail address: "nobody"\n' })
})

const ASKS = [
  { type: 'text', text: 'Here is the diff.' },
  { type: 'question', question: { id: 'go', text: 'Apply it?', schema: { type: 'boolean' } } },
]

test('promise mistakes: a question without a terminal is told with the option that answers it; what the tool said before it is printed', async () => {
  const folder = makeFolder({
    'ask.json': result(ASKS),
    'toolblocks.toml': tool('ask', printing('ask.json')),
  })
  const { code, stdout, stderr } = await toolblocks(folder, 'call', 'ask')
  expect([code, stdout]).toEqual([5, 'Here is the diff.\n'])
  expect(stderr).toMatch(/Apply it\?[^]*nobody is here to be asked\.\n--answer go=… answers it\n$/)
})

test('promise mistakes: what a tool said before a question that was declined reaches the client that serve has, and the model of a chat', async () => {
  const folder = makeFolder({
    'ask.json': result(ASKS),
    'toolblocks.toml': tool('ask', printing('ask.json')),
  })
  const client = await connectClient(folder, ['serve'], () => ({ action: 'decline' }))
  const answered = await client.callTool({ name: 'ask', arguments: {} })
  expect(JSON.stringify(answered.content)).toMatch(/Here is the diff\.[^]*and that was declined/)
  const model = await startProvider((messages) =>
    hasResults(messages) ? { text: 'Done.' } : { calls: [['ask', {}]] },
  )
  writeFileSync(join(folder, 'toolblocks.toml'), model.settings + tool('ask', printing('ask.json')))
  const { written } = await visit(
    folder,
    ['run', 'Go.'],
    [
      [/Here is the diff\.[^]*Apply it\?/, '\u001b'],
      [/What instead\?[^]*Decline/, '\u001b[B\r'],
    ],
  )
  expect(written.split('Here is the diff.')).toHaveLength(2)
  expect(model.results()[0]).toMatch(/Here is the diff\.[^]*and that was declined/)
})
