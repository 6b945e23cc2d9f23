import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { createSuccessResult } from '@toolblocks/protocol'
import { expect, onTestFinished, test } from 'vitest'
import { postCall } from './testing/post-call.support.ts'
import { bearer, serve, text, tool } from './testing/served.support.ts'

const MIXED = {
  ...createSuccessResult([{ type: 'text', text: 'said' }]),
  structuredContent: { value: 1 },
}
const OUTPUT = { type: 'object', properties: { value: { type: 'number' } } }

async function connectAs(name: string, served: Awaited<ReturnType<typeof serve>>): Promise<Client> {
  const client = new Client({ name, version: '1' })
  const headers = bearer(served)
  await client.connect(
    new StreamableHTTPClientTransport(new URL(served.url), { requestInit: { headers } }),
  )
  onTestFinished(async () => await client.close())
  return client
}

const definitions = () => [tool({ outputSchema: OUTPUT })]

test('two clients at the same time each get the form that their host needs, with and without a session', async () => {
  const served = await serve(async () => MIXED, { definitions, results: 'host' })
  const [known, unknown] = await Promise.all([
    connectAs('claude-code', served),
    connectAs('stranger', served),
  ])
  const asText = [...text('said').content, ...text('{"value":1}').content]
  const [toKnown, toUnknown] = await Promise.all(
    [known, unknown].map(async (client) => await client.callTool({ name: 'tool', arguments: {} })),
  )
  expect(toKnown).toMatchObject({ content: asText })
  expect(toKnown).not.toHaveProperty('structuredContent')
  expect(toUnknown).toMatchObject({
    content: text('said').content,
    structuredContent: { value: 1 },
  })
  const listed = await Promise.all([known, unknown].map(async (client) => await client.listTools()))
  expect(listed.map(({ tools }) => tools[0]?.outputSchema)).toEqual([undefined, OUTPUT])

  const [answer, other] = await Promise.all([
    postCall(served, { arguments: {} }, { client: 'claude-code' }),
    postCall(served, { arguments: {} }, { client: 'stranger' }),
  ])
  expect(answer['result']).toMatchObject({ content: asText })
  expect(answer['result']).not.toHaveProperty('structuredContent')
  expect(other['result']).toMatchObject({ structuredContent: { value: 1 } })
})

test('without `results: "host"` every client gets results as they are', async () => {
  const served = await serve(async () => MIXED, { definitions })
  const client = await connectAs('claude-code', served)
  expect(await client.callTool({ name: 'tool', arguments: {} })).toMatchObject({
    structuredContent: { value: 1 },
  })
  expect((await client.listTools()).tools[0]?.outputSchema).toEqual(OUTPUT)
})
