import { type CallContext, type ToolResult } from '@toolblocks/protocol'
import { MAX_SERVED_CALLS } from '@toolblocks/protocol/limits'
import { expect, test } from 'vitest'
import { text, tool } from '../testing/served.suite.ts'
import type { ServedClient } from './served-features.ts'
import { boundService } from './tool-service.ts'

const context: CallContext = { signal: new AbortController().signal, root: '/' }
const call = { id: 'c', name: 'tool', arguments: {} }
const client: ServedClient = {
  id: 's',
  protocolVersion: '2025-11-25',
  capabilities: {},
  request: async () => ({ kind: 'aborted' }),
  notify: () => undefined,
}

test('a maximum of calls and reads run at a time; a further one fails at once with the reason, and later ones run', async () => {
  const open: (() => void)[] = []
  const wait = async (): Promise<ToolResult> => {
    await new Promise<void>((resolve) => void open.push(resolve))
    return text('ran')
  }
  const service = boundService({
    name: 's',
    version: '1',
    root: '/',
    definitions: () => [tool()],
    callTool: wait,
    readResource: wait,
  })
  const running = Array.from({ length: MAX_SERVED_CALLS }, async (_, index) =>
    index % 2 === 0
      ? await service.callTool(call, context, client)
      : await service.readResource?.('x:y', context.signal),
  )
  const refused = await service.callTool(call, context, client)
  expect(refused).toMatchObject({ isError: true })
  expect(JSON.stringify(refused.content)).toContain(
    `This server runs ${MAX_SERVED_CALLS} calls at a time`,
  )
  expect(await service.readResource?.('x:y', context.signal)).toMatchObject({ isError: true })
  for (const end of open) end()
  for (const each of running) expect(await each).toMatchObject({ isError: false })
  const later = service.callTool(call, context, client)
  open.at(-1)?.()
  expect(await later).toMatchObject({ isError: false })
})

test('calls that throw also count as ended', async () => {
  const service = boundService(
    {
      name: 's',
      version: '1',
      root: '/',
      definitions: () => [tool()],
      callTool: async () => {
        throw new Error('no')
      },
    },
    1,
  )
  for (const _ of [1, 2, 3])
    await expect(service.callTool(call, context, client)).rejects.toThrow('no')
})
