import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openStore } from '@toolblocks/conversation-store'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { toolblocks, type Ran } from '../toolblocks.support.ts'

vi.setConfig({ testTimeout: 60_000 })

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'toolblocks-demo-test-'))
})
afterEach(async () => rm(folder, { recursive: true }))

const run = (...args: string[]): Promise<Ran> => toolblocks(folder, ...args)

describe('toolblocks demo', () => {
  test('runs every kind of answer and explains it; --model-view adds what the model receives', async () => {
    const { code, stdout } = await run('demo', '--model-view')
    expect(code).toBe(0)
    for (const line of [
      'fn blink()',
      'No such file: src/lamp.rs',
      'exit code 101',
      'hologram',
      '3 blinks; the last after 1000 ms.',
      '├ pause_ms: 500',
      'image  The beam over the sea',
      '⎇ main  1 modified',
      'src/main.rs  changed · +2 −2',
      'the script answers true',
      'signed by Ada',
      '22:00 Lamp lit, wind: breeze. Ada',
      'Stage this hunk',
      'has not changed since block 2 of the result of call "call-2" in this turn',
      'the model got a reference to content that it already has (about',
      'What to try next',
      '5 events of an older conversation',
      'covered by a seagull',
      '````md',
    ])
      expect(stdout).toContain(line)
  })

  test('--output json prints the stored events, which are verified', async () => {
    const temporary = process.env['TMPDIR']
    process.env['TMPDIR'] = folder
    const printed = await run('demo', '--output', 'json', '--keep')
    if (temporary === undefined) delete process.env['TMPDIR']
    else process.env['TMPDIR'] = temporary
    expect(printed.code).toBe(0)
    const events = JSON.parse(printed.stdout) as { event: { type: string } }[]
    const types = events.map(({ event }) => event.type)
    expect(types.slice(0, 4)).toEqual([
      'turn_start',
      'user_message',
      'assistant_message',
      'tool_call',
    ])
    expect(types.filter((type) => type === 'tool_result')).toHaveLength(20)
    expect(types.filter((type) => type === 'delivery')).toHaveLength(20)
    const [kept = ''] = await readdir(folder)
    const store = await openStore(`sqlite:${join(folder, kept, '.toolblocks/conversations.db')}`)
    expect(await store.verify('demo')).toEqual([])
    const stored = await store.read('demo', { limit: 1000 })
    await store.close()
    expect(JSON.parse(JSON.stringify(stored.events))).toEqual(events)
    const listed = await toolblocks(join(folder, kept), 'tools')
    expect(listed).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('harbor__report_lamp'),
    })
  })
})
