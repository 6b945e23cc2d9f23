import { acquireLease } from '@toolblocks/conversation-store'
import { describe, expect, test } from 'vitest'
import { createAgentHost } from '../../process/agent-host.ts'
import { type Ran, toolblocks, visit } from '../toolblocks.support.ts'
import { damage, TWO_TURNS, useConversations } from './conversations.support.ts'

const workspace = useConversations()
const ARGS = ['conversations', 'delete', 'lamps']
const run = async (...args: string[]): Promise<Ran> =>
  await toolblocks(workspace.folder, ...ARGS, ...args)
const ids = async (): Promise<readonly string[]> =>
  await workspace.use(async (store) => (await store.list()).conversations.map(({ id }) => id))

describe('toolblocks conversations delete', () => {
  test('--yes deletes one conversation', async () => {
    await workspace.keep('lamps', ...TWO_TURNS)
    await workspace.keep('other', ...TWO_TURNS)
    expect(await run('--yes')).toEqual({ code: 0, stdout: 'Deleted "lamps".\n', stderr: '' })
    expect(await ids()).toEqual(['other'])
    expect((await run('--yes')).code).toBe(2)
  })

  test('deletes a damaged conversation, too', async () => {
    await workspace.keep('lamps', ...TWO_TURNS)
    damage(workspace.file, 'lamps')
    const { stdout } = await run('--yes', '--output', 'json')
    expect(JSON.parse(stdout)).toEqual({ deleted: 'lamps' })
    expect(await ids()).toEqual([])
  })

  test('deletes nothing while a program runs the conversation, and names that program', async () => {
    await workspace.keep('lamps', ...TWO_TURNS)
    await workspace.use(async (store) => {
      const { holder } = createAgentHost()
      const lease = await acquireLease(store.documents, 'lamps', { holder })
      expect(lease.ok).toBe(true)
      const { code, stderr } = await run('--yes')
      expect([code, stderr]).toEqual([1, expect.stringMatching(/runs this conversation: end it/)])
      expect(stderr).toContain(String(process.pid))
      if (lease.ok) await lease.lease.release()
    })
    expect(await ids()).toEqual(['lamps'])
    expect((await run('--yes')).code).toBe(0)
  })

  test('deletes nothing if no person can be asked', async () => {
    await workspace.keep('lamps', ...TWO_TURNS)
    const { code, stderr } = await run()
    expect({ code, stderr }).toEqual({
      code: 5,
      stderr: 'error: no person can be asked: add --yes to delete the conversation\n',
    })
    expect(await ids()).toEqual(['lamps'])
  })

  test('asks at a terminal, and preselects no', async () => {
    await workspace.keep('lamps', ...TWO_TURNS)
    const denied = await visit(workspace.folder, ARGS, [[/Delete this conversation/, '\r']])
    expect(denied.code).toBe(3)
    expect(await ids()).toEqual(['lamps'])
    const agreed = await visit(workspace.folder, ARGS, [[/Delete this conversation/, 'y\r']])
    expect(agreed.code).toBe(0)
    expect(await ids()).toEqual([])
  })
})
