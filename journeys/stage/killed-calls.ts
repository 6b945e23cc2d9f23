import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as pause } from 'node:timers/promises'
import { openStore } from '@toolblocks/conversation-store'
import { answerPendingQuestion, listPendingQuestions } from '@toolblocks/inquiry/pending'

/** Calls that need approval, made by a client whose server is killed again and again. */
export interface KilledCalls {
  /** The calls that were made until they had a result. */
  calls: number
  kills: number
  /** Kills before and after the approval of the call. */
  before: number
  after: number
  /** Calls that were executed more than once. */
  twice: number
  /** Calls with the result of an execution that did not happen. */
  invented: number
  /** Calls whose result said that they may have been executed. */
  interrupted: number
}

/** Asks for approval, counts its executions, and takes some time before and after that. */
const TOML = `
[store]
url = "sqlite:kept.db"

[tools.write]
source = "local"
command = ["sh", "-c", "sleep 0.02; echo $1 >> runs.txt; sleep 0.02; echo wrote $1", "write", "{{tool.arguments.number}}"]
run = "ask"
parameters = { number = { type = "integer" } }
`

/**
 * Makes calls one after the other, each until it has a result, while the server is killed at random moments, and a person answers at random moments. `command`: the file of
 * the command. `random`: returns numbers from 0 to 1.
 */
export async function killCalls(
  command: string,
  { kills: wanted, random }: { kills: number; random: () => number },
): Promise<KilledCalls> {
  const folder = mkdtempSync(join(tmpdir(), 'toolblocks-killed-calls-'))
  writeFileSync(join(folder, 'toolblocks.toml'), TOML)
  const store = await openStore(`sqlite:${join(folder, 'kept.db')}`)
  const ending = new AbortController()
  const answering = answerQuestions(store, { random, signal: ending.signal })
  const counts = { calls: 0, kills: 0, before: 0, after: 0, twice: 0, invented: 0, interrupted: 0 }
  const results = new Map<number, string>()
  try {
    while (counts.kills < wanted) {
      counts.calls += 1
      const number = counts.calls
      for (;;) {
        const killed = random() < 0.8
        const text = await callOnce(command, {
          folder,
          number,
          killMs: killed ? random() * 900 : undefined,
        })
        if (text === undefined) {
          counts.kills += 1
          const isExecuted = readRuns(folder).includes(number)
          counts[isExecuted ? 'after' : 'before'] += 1
          continue
        }
        if (/^The call of "write" (?:waits|is still)/.test(text)) continue
        results.set(number, text)
        break
      }
    }
    // What a killed server left running.
    await pause(200)
    const runs = readRuns(folder)
    for (const [number, text] of results) {
      const count = runs.filter((each) => each === number).length
      if (count > 1) counts.twice += 1
      if (text.startsWith('wrote') && count === 0) counts.invented += 1
      if (text.includes('may have been executed')) counts.interrupted += 1
    }
    return counts
  } finally {
    ending.abort()
    await answering
    await store.close()
    rmSync(folder, { recursive: true })
  }
}

function readRuns(folder: string): readonly number[] {
  try {
    return readFileSync(join(folder, 'runs.txt'), 'utf8').trim().split('\n').map(Number)
  } catch {
    return []
  }
}

/** Answers each question some time after it was asked. */
async function answerQuestions(
  { documents }: Awaited<ReturnType<typeof openStore>>,
  { random, signal }: { random: () => number; signal: AbortSignal },
): Promise<void> {
  while (!signal.aborted) {
    const { questions } = await listPendingQuestions({ state: 'open' }, { storage: documents })
    for (const question of questions) {
      await pause(random() * 100)
      const answer = { action: 'accept', value: true } as const
      await answerPendingQuestion(question, { answer, by: 'test' }, { storage: documents })
    }
    await pause(20)
  }
}

/** Starts a server and makes the call. Returns the text of its result; `undefined`: the server was killed before. */
async function callOnce(
  command: string,
  { folder, number, killMs }: { folder: string; number: number; killMs: number | undefined },
): Promise<string | undefined> {
  const args = [command, 'serve', '--trust', '--answer-within', '3']
  const server = spawn(process.execPath, args, {
    cwd: folder,
    stdio: ['pipe', 'pipe', 'ignore'],
    env: { ...process.env, HOME: folder, XDG_CONFIG_HOME: folder, XDG_DATA_HOME: folder },
  })
  const closed = new Promise((resolve) => server.once('close', resolve))
  // Writing to a killed server fails.
  server.stdin.on('error', () => undefined)
  let timer: NodeJS.Timeout | undefined
  const text = await talk(server, {
    number,
    onCall: () => {
      if (killMs !== undefined) timer = setTimeout(() => server.kill('SIGKILL'), killMs)
    },
  })
  clearTimeout(timer)
  server.stdin.end()
  if (text === undefined) server.kill('SIGKILL')
  await closed
  return text
}

async function talk(
  { stdin, stdout }: ChildProcess,
  { number, onCall }: { number: number; onCall: () => void },
): Promise<string | undefined> {
  if (!stdin || !stdout) throw new TypeError('the server has no streams')
  const send = (message: object): void =>
    void stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`)
  const clientInfo = { name: 'killer', version: '1' }
  const params = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo }
  send({ id: 1, method: 'initialize', params })
  for await (const line of createInterface({ input: stdout })) {
    const { id, result } = JSON.parse(line)
    if (id === 1) {
      send({ method: 'notifications/initialized' })
      send({ id: 2, method: 'tools/call', params: { name: 'write', arguments: { number } } })
      onCall()
    }
    if (id === 2) return result.content[0].text
  }
  return undefined
}
