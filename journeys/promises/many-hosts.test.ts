import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { DatabaseSync } from 'node:sqlite'
import { expect, inject, onTestFinished, test } from 'vitest'
import { startToolblocks, toolblocks, visit } from '../stage/command.ts'
import { makeFolder } from '../stage/folder.ts'
import { connectClient } from '../stage/mcp-client.ts'
import { HAS_POSTGRES, usePostgres } from '../stage/postgres.ts'
import { hasResults, type Provider, startProvider } from '../stage/provider.ts'
import { readPage, startView } from '../stage/view.ts'
import { answerOnlyQuestion, ASKS, findOnlyQuestion, readIn, SWEEP } from '../stage/waiting.ts'

const createDatabase = usePostgres()

/** Two hosts, each with a folder of its own, with the same tools, model and database. */
interface Hosts {
  one: string
  two: string
  model: Provider
}

async function setUp(url: string): Promise<Hosts> {
  const model = await startProvider((messages) =>
    hasResults(messages) ? { text: 'All is done.' } : { calls: [['sweep', {}]] },
  )
  const settings = `${model.settings.replace(/\[store\]\n.*\n/, '')}\n[store]\nurl = ${JSON.stringify(url)}\n`
  const files = {
    'toolblocks.toml': settings + ASKS,
    'sweep.mjs': SWEEP,
  }
  return { one: makeFolder(files), two: makeFolder(files), model }
}

function countSweeps({ one, two }: Hosts): readonly number[] {
  return [one, two].map((folder) => readIn(folder, 'sweeps.txt').split('sweep').length - 1)
}

// Without the programs of PostgreSQL there is no server to share.
test.skipIf(!HAS_POSTGRES)(
  'promise many hosts: a call that one host has parked is answered and continued by another host, and its tool runs once',
  async () => {
    const hosts = await setUp(createDatabase())
    const { one, two, model } = hosts
    expect((await toolblocks(one, 'run', '--park', 'Sweep.')).code).toBe(6)
    const { id, resume } = await findOnlyQuestion(two)
    expect((await toolblocks(two, 'questions', 'show', id)).stdout).toContain('12 boats')
    expect((await toolblocks(two, 'questions', 'answer', id, '--yes')).code).toBe(0)
    const resumed = await toolblocks(two, 'run', '--resume', resume)
    expect(resumed).toMatchObject({ code: 0, stdout: expect.stringContaining('All is done.') })
    expect(model.results()).toEqual(['swept: true'])
    const again = await toolblocks(one, 'run', '--resume', resume)
    expect(again.stderr).toContain('nothing to continue')
    expect(countSweeps(hosts)).toEqual([0, 1])
  },
)

test.skipIf(!HAS_POSTGRES)(
  'promise many hosts: a host that is killed while it waits is replaced by another one, which makes the call once',
  async () => {
    const hosts = await setUp(createDatabase())
    const { one, two, model } = hosts
    const waiting = startToolblocks(one, ['run', '--wait', 'Sweep.'])
    await waiting.said(/toolblocks questions answer/)
    const { id, resume } = await findOnlyQuestion(two)
    await waiting.end('SIGKILL')
    expect((await toolblocks(two, 'questions', 'answer', id, '--yes')).code).toBe(0)
    const resumed = await toolblocks(two, 'run', '--resume', resume)
    expect(resumed).toMatchObject({ code: 0, stdout: expect.stringContaining('All is done.') })
    expect(model.results()).toEqual(['swept: true'])
    expect(countSweeps(hosts)).toEqual([0, 1])
  },
)

test.skipIf(!HAS_POSTGRES)(
  'promise many hosts: a host that does not renew its lease loses the conversation, and does not make the call when it runs again',
  { timeout: 90_000 },
  async () => {
    const hosts = await setUp(createDatabase())
    const { one, two, model } = hosts
    const waiting = startToolblocks(one, ['run', '--wait', 'Sweep.'])
    await waiting.said(/toolblocks questions answer/)
    const { id, resume } = await findOnlyQuestion(two)
    const busy = await toolblocks(two, 'run', '--resume', resume)
    expect(busy.stderr).toMatch(/process \d+ on .* runs a turn of the conversation/)
    const ended = waiting.end('SIGSTOP')
    await toolblocks(two, 'questions', 'answer', id, '--yes')
    const resumed = await toolblocks(two, 'run', '--resume', resume)
    expect(resumed).toMatchObject({ code: 0, stdout: expect.stringContaining('All is done.') })
    expect(await waiting.end('SIGCONT')).not.toBe(0)
    await ended
    expect(model.results()).toEqual(['swept: true'])
    expect(countSweeps(hosts)).toEqual([0, 1])
  },
)

test.skipIf(!HAS_POSTGRES)(
  'promise many hosts: a chat, served calls, the questions and the pages of all hosts are in one database',
  async () => {
    const { one, two, model } = await setUp(createDatabase())
    const chat = await visit(
      one,
      ['chat'],
      [
        [/› /, 'Sweep, please.\r'],
        [/harbor\?[^]*No/, () => void answerOnlyQuestion(two, '--yes')],
        [/All is done\.[^]*› /, '\u0004'],
      ],
    )
    expect(chat.code).toBe(0)
    expect(model.results()).toEqual(['swept: true'])
    const client = await connectClient(two, ['serve'], () => ({
      action: 'accept',
      content: { value: true },
    }))
    const served = await client.callTool({ name: 'sweep', arguments: {} })
    expect(JSON.stringify(served.content)).toContain('swept: true')
    await client.close()
    const { stdout } = await toolblocks(one, 'conversations', 'list', '--output', 'json')
    expect(stdout).toContain('Sweep, please.')
    const view = await startView(two)
    const page = await readPage(view.address)
    expect(page).toContain('Sweep, please.')
    expect(page).toContain('serve')
    const asked = await toolblocks(two, 'questions', '--all', '--output', 'json')
    expect(asked.stdout).toContain('"answered"')
  },
)

/** A server on standard streams, with a client of MCP 2026-07-28 that was written by hand. */
interface Served {
  call(params: Readonly<Record<string, unknown>>): Promise<Answered>
  kill(): Promise<void>
}

interface Answered {
  result?: { resultType?: string; requestState?: string; content?: unknown; inputRequests?: object }
  error?: { code: number; message: string }
}

const META = 'io.modelcontextprotocol'

function serve(folder: string): Served {
  const child = spawn(process.execPath, [inject('command'), 'serve'], {
    cwd: folder,
    stdio: ['pipe', 'pipe', 'ignore'],
  })
  const ended = once(child, 'exit')
  const kill = async (): Promise<void> => {
    child.kill('SIGKILL')
    await ended
  }
  onTestFinished(kill)
  const lines = createInterface(child.stdout)[Symbol.asyncIterator]()
  let id = 0
  return {
    kill,
    call: async (params) => {
      id += 1
      const _meta = {
        [`${META}/protocolVersion`]: '2026-07-28',
        [`${META}/clientInfo`]: { name: 'journey', version: '1' },
        [`${META}/clientCapabilities`]: { elicitation: { form: {} } },
      }
      const request = { name: 'sweep', arguments: {}, ...params, _meta }
      const method = 'tools/call'
      child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', id, method, params: request })}\n`)
      for (;;) {
        const { value, done } = await lines.next()
        if (done === true) throw new Error('the server has ended')
        const message = JSON.parse(value) as Answered & { id?: number }
        if (message.id === id) return message
      }
    },
  }
}

const ENGINES = ['SQLite', ...(HAS_POSTGRES ? ['PostgreSQL'] : [])]

/** Two folders with the same store. */
function makeTwo(url: string): readonly [string, string] {
  const toml = `${ASKS}\n[store]\nurl = ${JSON.stringify(url)}\n`
  const files = { 'toolblocks.toml': toml, 'sweep.mjs': SWEEP }
  return [makeFolder(files), makeFolder(files)]
}

const YES = { sure: { action: 'accept', content: { value: true } } }

test.for(ENGINES)(
  'promise many hosts: a state of a call that one server has used is refused by the other, also after kill -9, in %s',
  async (engine) => {
    const file = join(makeFolder({}), 'shared.db')
    const [folder, other] = makeTwo(engine === 'SQLite' ? `sqlite:${file}` : createDatabase())
    const one = serve(folder)
    const two = serve(other)
    const asked = await one.call({})
    expect(asked.result?.resultType).toBe('input_required')
    const retry = { requestState: asked.result?.requestState, inputResponses: YES }
    const both = await Promise.all([one.call(retry), two.call(retry)])
    const answered = both.filter(({ result }) => result)
    expect(JSON.stringify(answered)).toContain('swept: true')
    expect(answered).toHaveLength(1)
    const used = {
      error: { code: -32_602, message: expect.stringContaining('was already used') },
    }
    expect(both.find(({ error }) => error)).toMatchObject(used)
    const open = await one.call({})
    await Promise.all([one.kill(), two.kill()])
    const three = serve(folder)
    expect(await three.call(retry)).toMatchObject(used)
    const late = { requestState: open.result?.requestState, inputResponses: YES }
    expect(JSON.stringify(await three.call(late))).toContain('swept: true')
    await three.kill()
    expect(await serve(other).call(late)).toMatchObject(used)
  },
)

test('promise many hosts: a server whose store fails continues no call, and says why', async () => {
  const file = join(makeFolder({}), 'shared.db')
  const [folder] = makeTwo(`sqlite:${file}`)
  const one = serve(folder)
  const { result } = await one.call({})
  const database = new DatabaseSync(file)
  database.exec('DROP TABLE documents')
  database.close()
  const refused = await one.call({ requestState: result?.requestState, inputResponses: YES })
  expect(refused.error).toMatchObject({
    code: -32_603,
    message: expect.stringContaining('could not be recorded that its "requestState" is used'),
  })
  expect(existsSync(join(folder, 'sweeps.txt'))).toBe(false)
})
