import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type ServerResponse } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { runMeasured } from '../stage/command.ts'
import { serverSentEvent } from '../stage/providers/server-sent-event.ts'

const MIB = 2 ** 20

/** Creates a provider with the given response, and a folder that uses it as its model. */
async function makeWorkspace(answer: (response: ServerResponse) => void): Promise<string> {
  const server = createServer((request, response) => {
    request.resume()
    request.on('end', () => answer(response))
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  const folder = mkdtempSync(join(tmpdir(), 'toolblocks-hostile-'))
  onTestFinished(async () => {
    server.closeAllConnections()
    await new Promise((done) => server.close(done))
    rmSync(folder, { recursive: true, force: true })
  })
  const address = server.address()
  const port = typeof address === 'object' && address ? address.port : 0
  const model = 'provider = "openai-compatible"\nname = "m"'
  writeFileSync(
    join(folder, 'toolblocks.toml'),
    `[model]\n${model}\nbase_url = "http://127.0.0.1:${port}/v1"\n`,
  )
  return folder
}

/** Each write waits for the previous one: Node.js 26 may not emit `drain` for a response. */
function writeForEver(response: ServerResponse, piece: string): void {
  response.write(piece, (error) => {
    if (!error) writeForEver(response, piece)
  })
}

const ARGS = ['run', 'hi', '--no-input']
const EVENTS = { 'content-type': 'text/event-stream' }

test('promise budgets: if a model sends an endless line, the turn fails, the error names the budget, and memory stays small', async () => {
  const folder = await makeWorkspace((response) => {
    writeForEver(response.writeHead(200, EVENTS), 'x'.repeat(64 * 1024))
  })
  const { code, stderr, peak } = await runMeasured(folder, ARGS)
  expect(stderr).toContain('an event in the response of the model has more than 8,388,608 bytes')
  expect(code).toBe(1)
  expect(peak).toBeLessThan(300)
})

test('promise budgets: endless text of a model without line breaks is shown as it arrives, until it exceeds its budget', async () => {
  const choice = { index: 0, delta: { content: '字'.repeat(2000) }, finish_reason: null }
  const event = serverSentEvent({ id: 'x', choices: [choice] })
  const going = Promise.withResolvers<void>()
  const folder = await makeWorkspace((response) => {
    response.writeHead(200, EVENTS).write(event)
    void going.promise.then(() => writeForEver(response, event))
  })
  const { code, stderr, stdout, peak } = await runMeasured(folder, ARGS, (output) => {
    if (output.length >= 2000) going.resolve()
  })
  expect(stderr).toContain('the response of the model has more than 67,108,864 bytes')
  expect(code).toBe(1)
  expect(stdout.length).toBeGreaterThan(20 * MIB)
  expect(peak).toBeLessThan(600)
})

test('promise budgets: an endless refusal of a provider is reported as that refusal', async () => {
  const folder = await makeWorkspace((response) => {
    writeForEver(response.writeHead(401), 'x'.repeat(64 * 1024))
  })
  const { code, stderr, peak } = await runMeasured(folder, ARGS)
  expect(stderr).toContain(
    'the body of the error response has more than 65,536 bytes and was not read (HTTP 401)',
  )
  expect(code).toBe(1)
  expect(peak).toBeLessThan(200)
})
