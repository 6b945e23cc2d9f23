import { openStore, READ_TOOL_RESULT } from '@toolblocks/conversation-store'
import type { ModelMessage, ModelRequest } from '@toolblocks/formatter'
import { anthropicProfile, toModelParts } from '@toolblocks/formatter/internal'
import { createPictureFitter, type PictureScaler } from '@toolblocks/formatter/pictures'
import { createSuccessResult, type Tool, type ToolCall } from '@toolblocks/protocol'
import { crc32, deflateSync } from 'node:zlib'
import { expect, onTestFinished, test } from 'vitest'
import { type AgentOptions, createAgent } from './create-agent.ts'
import { withFittingPictures } from './fit-pictures.ts'
import type { Model } from './model.ts'
import { openConversation } from './open-conversation.ts'
import { createScriptedModel } from './scripted-model.ts'

const GO = [{ type: 'text', text: 'Go.' }] as const

/** Makes a grey PNG. */
function makePng(width: number, height: number, shade: number): string {
  const head = Buffer.alloc(13)
  head.writeUInt32BE(width, 0)
  head.writeUInt32BE(height, 4)
  head.set([8, 0, 0, 0, 0], 8)
  const rows = Buffer.alloc(height * (1 + width), shade)
  for (let row = 0; row < height; row += 1) rows[row * (1 + width)] = 0
  const toChunk = (type: string, data: Uint8Array): Buffer => {
    const named = Buffer.concat([Buffer.from(type), data])
    const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)]
    length.writeUInt32BE(data.length)
    sum.writeUInt32BE(crc32(named))
    return Buffer.concat([length, named, sum])
  }
  const chunks = [
    toChunk('IHDR', head),
    toChunk('IDAT', deflateSync(rows)),
    toChunk('IEND', Buffer.alloc(0)),
  ]
  const signature = Buffer.from('89504e470d0a1a0a', 'hex')
  return Buffer.concat([signature, ...chunks]).toString('base64')
}

const toScreenshot = (shade: number): string => makePng(3456, 300, shade)

/** Runs one turn, in which the model looks at two screenshots and then reads the first one from the store. Returns the requests of the model. */
async function runLooks(
  options: Pick<AgentOptions, 'pictures' | 'profile'>,
): Promise<readonly ModelRequest[]> {
  const store = await openStore('memory:')
  onTestFinished(async () => await store.close())
  const requests: ModelRequest[] = []
  const call = (id: string, name: string, values: ToolCall['arguments'] = {}): ToolCall => ({
    id,
    name,
    arguments: values,
  })
  const script = createScriptedModel([
    { text: '', calls: [call('1', 'look')] },
    { text: '', calls: [call('2', 'look')] },
    { text: '', calls: [call('3', READ_TOOL_RESULT, { call: '1', block: 1 })] },
    { text: 'Done.', calls: [] },
  ])
  const look: Tool = {
    name: 'look',
    inputSchema: { type: 'object' },
    execute: async ({ id }) =>
      createSuccessResult([
        { type: 'image', data: toScreenshot(Number(id)), mimeType: 'image/png' },
      ]),
  }
  const model: Model = (request, signal) => {
    requests.push(request)
    return script(request, signal)
  }
  const conversation = await openConversation(store, 'c')
  const agent = createAgent({
    model,
    conversation,
    root: '/w',
    tools: () => [{ tool: look, policy: 'unattended' }],
    ...options,
  })
  await agent.runTurn(GO, { signal: AbortSignal.timeout(50_000) })
  await agent.close()
  const stored = conversation
    .events()
    .flatMap(({ event }) => (event.type === 'tool_result' ? event.result.content : []))
  const original = { type: 'image', data: toScreenshot(1), mimeType: 'image/png' }
  expect(stored[0]).toEqual(original)
  expect(stored[2]).toEqual(original)
  return requests
}

/** Returns what the provider gets of each result. */
function toParts({ messages }: ModelRequest) {
  return messages.flatMap((message: ModelMessage) =>
    message.role === 'tool'
      ? message.results.map(({ result, text }) =>
          toModelParts(result, anthropicProfile, { ...(text !== undefined && { text }) }),
        )
      : [],
  )
}

function getPictures(request: ModelRequest | undefined): readonly string[] {
  return toParts(request!).flatMap(({ parts }) =>
    parts.flatMap((part) => (part.type === 'media' ? [part.media.data] : [])),
  )
}

test('a model gets pictures that fit, the same in each request; the store has the original, and read_tool_result returns it', async () => {
  const requests = await runLooks({ profile: anthropicProfile })
  const [first] = getPictures(requests[1])
  expect(first).toBeDefined()
  expect(first).not.toBe(toScreenshot(1))
  expect(getPictures(requests[2])[0]).toBe(first)
  expect(getPictures(requests[3])[0]).toBe(first)
  expect(toParts(requests[3]!)[0]?.text).toContain(
    'was scaled from 3456 × 300 px to 2000 × 174 px. You get it only like this. A person sees the original: call "1", block 1.',
  )
  // Reading the result gives the same picture, and no note sends the model on.
  expect(getPictures(requests[3])[2]).toBe(first)
  const [, , read] = toParts(requests[3]!)
  expect(read?.text).toContain('You get it only like this.')
  expect(read?.text).not.toMatch(/reads? (?:all|the original)/)
})

test('the option `pictures` is used: another fitter, or no change', async () => {
  const sizes: number[] = []
  const scaler: PictureScaler = {
    scale: async (_bytes, { width }) => {
      sizes.push(width)
      return { ok: false, reason: 'nobody scales it' }
    },
    close: async () => {},
  }
  await runLooks({ profile: anthropicProfile, pictures: createPictureFitter({ scaler }) })
  expect(sizes).toEqual([2000, 2000])
  const requests = await runLooks({ profile: anthropicProfile, pictures: 'as-is' })
  expect(getPictures(requests[1])).toEqual([toScreenshot(1)])
})

test('without a profile the limits are unknown, and pictures are unchanged', async () => {
  const requests = await runLooks({})
  expect(getPictures(requests[1])).toEqual([toScreenshot(1)])
})

test('a turn that is stopped does not wait for a picture', async () => {
  const stop = new AbortController()
  const scaler: PictureScaler = {
    scale: async () => {
      stop.abort(new Error('stopped'))
      return await new Promise(() => {})
    },
    close: async () => {},
  }
  const content = [{ type: 'image', data: toScreenshot(1), mimeType: 'image/png' }] as const
  const request: ModelRequest = { tools: [], messages: [{ role: 'user', content }] }
  const model = withFittingPictures(
    { model: createScriptedModel([]), profile: anthropicProfile },
    createPictureFitter({ scaler }),
  )
  const events = model(request, stop.signal)[Symbol.asyncIterator]()
  await expect(events.next()).rejects.toThrow('stopped')
})
