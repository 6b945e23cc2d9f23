import { createSuccessResult } from '@toolblocks/protocol'
import { expect, onTestFinished, test } from 'vitest'
import { serveStateless } from './serve-stateless.ts'

const META = 'io.modelcontextprotocol'

test('a notification that cannot be sent, because the client has gone, fails nothing', async () => {
  const unhandled: unknown[] = []
  const note = (error: unknown): void => void unhandled.push(error)
  process.on('unhandledRejection', note)
  onTestFinished(() => void process.off('unhandledRejection', note))
  const service = {
    name: 'ours',
    version: '1',
    root: '/',
    definitions: () => [{ name: 'tool', inputSchema: { type: 'object' } }],
    callTool: async () => createSuccessResult([{ type: 'text', text: 'done' }]),
  }
  const stateless = serveStateless(
    {
      ...service,
      open: async (client) => {
        client.notify('notifications/message', { level: 'info', data: 'for nobody' })
        return { ...service, close: async () => undefined }
      },
    },
    {},
  )
  onTestFinished(async () => await stateless.close())
  const answered = await stateless.answer(
    {
      id: 1,
      method: 'tools/call',
      params: {
        name: 'tool',
        arguments: {},
        _meta: { [`${META}/protocolVersion`]: '2026-07-28', [`${META}/clientCapabilities`]: {} },
      },
      signal: new AbortController().signal,
    },
    { identity: 'a', notify: async () => await Promise.reject(new Error('gone')) },
  )
  await new Promise((resolve) => setImmediate(resolve))
  expect(answered).toMatchObject({ content: [{ type: 'text', text: 'done' }] })
  expect(unhandled).toEqual([])
})
