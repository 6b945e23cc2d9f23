import { describe, expect, test } from 'vitest'
import { type Ran, toolblocks } from '../toolblocks.support.ts'
import { damage, TWO_TURNS, useConversations } from './conversations.support.ts'

const workspace = useConversations()
const verify = async (...args: string[]): Promise<Ran> =>
  await toolblocks(workspace.folder, 'conversations', 'verify', ...args)

describe('toolblocks conversations verify', () => {
  test('reports that everything is as written', async () => {
    await workspace.keep('lamps', ...TWO_TURNS)
    await workspace.keep('other', ...TWO_TURNS)
    const verified = await verify()
    expect(verified).toEqual({ code: 0, stdout: '✓ 2 conversations, as written\n', stderr: '' })
    expect((await verify('other')).stdout).toBe('✓ 1 conversation, as written\n')
  })

  test('names what is damaged, with exit code 1', async () => {
    await workspace.keep('lamps', ...TWO_TURNS)
    await workspace.keep('other', ...TWO_TURNS)
    damage(workspace.file, 'lamps')
    expect(await verify()).toEqual({
      code: 1,
      stdout:
        '✗ lamps\n  the bytes, the time, the place or the link of event 2 differ from those that were written\n1 of 2 conversations damaged\n',
      stderr: '',
    })
    expect((await verify('lamps')).code).toBe(1)
    expect((await verify('other')).code).toBe(0)
  })

  test('--output json prints the problems of each', async () => {
    await workspace.keep('lamps', ...TWO_TURNS)
    damage(workspace.file, 'lamps')
    const { code, stdout } = await verify('--output', 'json')
    expect(JSON.parse(stdout)).toMatchObject([
      { id: 'lamps', problems: [{ path: '/2', code: 'damaged-event' }] },
    ])
    expect(code).toBe(1)
  })
})
