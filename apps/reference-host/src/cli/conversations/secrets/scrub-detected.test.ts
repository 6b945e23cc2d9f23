import { readFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { ConversationEvent } from '@toolblocks/conversation-store'
import { listPendingQuestions, openPendingQuestion } from '@toolblocks/inquiry/pending'
import { describe, expect, test } from 'vitest'
import { type Ran, toolblocks, visit } from '../../toolblocks.support.ts'
import { TWO_TURNS, useConversations } from '../conversations.support.ts'

const workspace = useConversations()
const run = async (...args: string[]): Promise<Ran> =>
  await toolblocks(workspace.folder, 'conversations', ...args)

// The value is joined here, so that no scanner reports this file as a leak.
const GITHUB = ['ghp', 'wWPw5k4aXcaT4fNP0UcnZwJUVFk6LO0pINUx'].join('_')
const SLACK = ['xoxb', '23984754863', '2348975623103', 'a1b2c3d4e5f6g7h8i9j0k1l2'].join('-')
const NPM = ['npm', 'ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789'].join('_')

const say = (text: string): ConversationEvent => ({
  type: 'user_message',
  content: [{ type: 'text', text }],
})
const EVENTS = [
  say(`use ${GITHUB} for it`),
  say(`in base64: ${Buffer.from(`x-access-token:${GITHUB}`).toString('base64')}`),
  say(`and ${SLACK}`),
  say('nothing here'),
]
const file = (): string => readFileSync(workspace.file, 'latin1')

describe('toolblocks conversations scrub --detect', () => {
  test('a value that is a word of how events are written stays, with a warning, and the others are removed', async () => {
    await workspace.keep('lamps', say(`password="content" and ${GITHUB}`))
    const { code, stderr } = await run('scrub', 'lamps', '--detect', '--yes')
    expect(code).toBe(0)
    expect(stderr).toMatch(/stays: The value is part of how event 1/)
    expect(file()).not.toContain(GITHUB)
  })

  test('lists what rules find, masked, with its place, and removes nothing if no person can be asked', async () => {
    await workspace.keep('lamps', ...EVENTS)
    const { code, stdout, stderr } = await run('scrub', 'lamps', '--detect')
    expect(stdout).toBe(
      [
        '2 probable secrets (1 github, 1 slack)',
        'ghp_…INUx (github): lamps #1 /content/0/text',
        'xoxb…k1l2 (slack): lamps #3 /content/0/text',
        '',
      ].join('\n'),
    )
    expect({ code, stderr }).toEqual({
      code: 5,
      stderr: 'error: no person can be asked: add --yes to remove the secrets\n',
    })
    expect(file()).toContain(GITHUB)
    const json = await run('scrub', '--all', '--detect', '--output', 'json')
    expect(JSON.parse(json.stdout)).toEqual({
      secrets: [
        {
          masked: 'ghp_…INUx',
          rule: 'github',
          places: [{ conversation: 'lamps', seq: 1, field: '/content/0/text' }],
        },
        {
          masked: 'xoxb…k1l2',
          rule: 'slack',
          places: [{ conversation: 'lamps', seq: 3, field: '/content/0/text' }],
        },
      ],
      missed: [],
    })
  })

  test('--yes removes all found values, in every form', async () => {
    await workspace.keep('lamps', ...EVENTS)
    const { code, stdout } = await run('scrub', '--all', '--detect', '--yes')
    expect(code).toBe(0)
    expect(stdout).toContain('Removed: 2 as-is, 1 base64.')
    expect(file()).not.toContain(GITHUB)
    expect(file()).not.toContain(SLACK)
    expect((await run('verify')).code).toBe(0)
    const again = await run('scrub', '--all', '--detect')
    expect(again).toEqual({ code: 0, stdout: 'No probable secrets were found.\n', stderr: '' })
  })

  test('--yes leaves nothing of a key and of values that contain each other, and a second search finds nothing', async () => {
    const key = ['PtYgjmUhBel31iEl2hpC', 'hYgCfrL1spNxnyVmihA/'].join('')
    await workspace.keep(
      'lamps',
      say('password: hunter2b, and DB_PASSWORD=hunter2b-of-the-database-1'),
      say(`aws_secret_access_key = ${key}`),
      say(JSON.stringify({ stdout: `export AWS_SECRET_ACCESS_KEY="${key}"\nHOME=/home/ada` })),
      say(JSON.stringify({ args: ['login', '--password', 'hunter2e'] })),
    )
    const { stdout } = await run('scrub', '--all', '--detect', '--yes')
    expect(stdout).toContain('4 probable secrets (1 aws, 1 option, 1 setting, 1 variable)')
    for (const rest of [key.slice(0, 8), key.slice(-8), 'hunter2', '-of-the-database'])
      expect(file()).not.toContain(rest)
    expect(file()).toContain('aws_secret_access_key = [scrubbed]')
    const again = await run('scrub', '--all', '--detect')
    expect(again.stdout).toBe('No probable secrets were found.\n')
    const exported = await run('export', 'lamps', '--output', 'jsonl')
    expect(exported.stderr).toBe('')
  })

  test('a value that is too short to be removed is named, and the others are removed', async () => {
    await workspace.keep('lamps', say('mysql -pab1c main'), say(GITHUB))
    const { code, stderr } = await run('scrub', 'lamps', '--detect', '--yes')
    expect([code, stderr]).toEqual([
      0,
      'warning: too short to remove: … (option): lamps #1 /content/0/text\n',
    ])
    expect(file()).not.toContain(GITHUB)
  })

  test('finds and removes what is only in a question that waits: its arguments, its material and its text', async () => {
    await workspace.keep('lamps', say('nothing here'))
    const ask = async (conversation: string, text: string, value: string): Promise<void> => {
      await workspace.use(async ({ documents }) => {
        const asked = {
          kind: 'question' as const,
          call: { id: 'c', name: 'deploy', arguments: { token: value } },
          conversation,
          turn: 1,
          request: { id: 'sure', text, schema: { type: 'boolean' } },
          blocks: [{ type: 'text' as const, text: `with ${value}` }],
          isLocal: false,
          isRepeatable: true,
          definition: '',
          host: 'h',
        }
        await openPendingQuestion(asked, { storage: documents })
      })
    }
    await ask('lamps', 'Sure?', GITHUB)
    await ask('docks', `Use ${SLACK}?`, SLACK)
    const { stdout } = await run('scrub', 'lamps', '--detect')
    expect(stdout).toMatch(
      /^1 probable secret \(github\)\nghp_…INUx \(github\): lamps question [a-z2-9]{8} \/call\/arguments\/token, lamps question [a-z2-9]{8} \/blocks\/0\/text\n$/,
    )
    const all = await run('scrub', '--all', '--detect', '--yes')
    expect(all.stdout).toContain('2 probable secrets (1 github, 1 slack)')
    expect(all.stdout).toContain('Scrubbed 2 documents.')
    for (const value of [GITHUB, SLACK]) expect(file()).not.toContain(value)
    await workspace.use(async ({ documents }) => {
      const { questions, unreadable } = await listPendingQuestions({}, { storage: documents })
      expect([questions.length, unreadable]).toEqual([2, []])
    })
  })

  test('a comment in a conversation hides nothing from the rules', async () => {
    await workspace.keep('lamps', say(`// secretlint-disable\n${GITHUB}\n// secretlint-enable`))
    expect((await run('scrub', 'lamps', '--detect')).stdout).toContain('1 probable secret (github)')
  })

  test('at a terminal each value is removed after a yes, and none is shown', async () => {
    await workspace.keep('lamps', ...EVENTS)
    const args = ['conversations', 'scrub', 'lamps', '--detect']
    const { code, written } = await visit(workspace.folder, args, [
      [/Remove them, in every form/, '\u001b[B\r'],
      [/Remove ghp_…INUx, in every form/, 'y\r'],
      [/Remove xoxb…k1l2, in every form/, '\r'],
    ])
    expect(code).toBe(3)
    expect(written).toContain('1 stays.')
    expect(written).not.toContain(GITHUB)
    expect(file()).not.toContain(GITHUB)
    expect(file()).toContain(SLACK)
  })

  test('Ctrl-C ends with 130, and removes nothing more', async () => {
    await workspace.keep('lamps', ...EVENTS)
    const args = ['conversations', 'scrub', 'lamps', '--detect']
    const { code } = await visit(workspace.folder, args, [
      [/Remove them, in every form/, '\u001b[B\r'],
      [/Remove ghp_…INUx, in every form/, 'y\r'],
      [/Remove xoxb…k1l2, in every form/, '\u0003'],
    ])
    expect(code).toBe(130)
    expect(file()).not.toContain(GITHUB)
    expect(file()).toContain(SLACK)
  })
})

describe('toolblocks conversations export', () => {
  const READ_IT =
    'The rules know only certain forms of secrets: read the export before you share it. To remove any other text, run "COMMAND conversations scrub lamps", which asks for the text and removes it from the store, and export again.'
  const plainCommand = (text: string): string =>
    text.replace(/run ".* conversations/, 'run "COMMAND conversations')

  test.for(['markdown', 'html', 'jsonl'])(
    '--redact writes %s whole if a tool calls words of the format secrets',
    async (format) => {
      const call = { id: 'c', name: 'wipe_disk', arguments: { path: '/mnt' } }
      const text = `password="arguments" token="tool_result" secret="wipe_disk" ${GITHUB}`
      await workspace.keep(
        'lamps',
        { type: 'turn_start', turn: 1 },
        { type: 'tool_call', call },
        {
          type: 'tool_result',
          result: { id: 'c', content: [{ type: 'text', text }], isError: false },
        },
      )
      const { code, stdout } = await run('export', 'lamps', '--output', format, '--redact')
      expect([code, stdout]).toEqual([0, expect.stringContaining('wipe_disk')])
      expect(stdout).toContain('/mnt')
      expect(stdout).not.toContain(GITHUB)
      const types = format === 'jsonl' ? ['tool_call', 'tool_result'] : []
      for (const type of types) expect(stdout).toContain(`"type":"${type}"`)
    },
  )

  test('--redact says that it found nothing, and that this is no proof', async () => {
    await workspace.keep('lamps', ...TWO_TURNS)
    const { code, stderr } = await run('export', 'lamps', '--output', 'jsonl', '--redact')
    expect([code, plainCommand(stderr)]).toEqual([0, `No probable secret was found. ${READ_IT}\n`])
    const plain = await run('export', 'lamps', '--output', 'jsonl')
    expect([plain.code, plain.stderr]).toEqual([0, ''])
  })

  test('warns of probable secrets, and explains what to do', async () => {
    await workspace.keep('lamps', ...EVENTS)
    const { code, stdout, stderr } = await run('export', 'lamps', '--output', 'jsonl')
    expect(stdout).toContain(GITHUB)
    expect(stderr).toMatch(
      /^warning: the export contains 2 probable secrets \(1 github, 1 slack\); --redact omits them, ".* conversations scrub lamps --detect" removes them from the store\n$/,
    )
    expect(code).toBe(0)
  })

  test.for(['jsonl', 'markdown', 'html'])(
    '--redact writes %s without them, and does not change the store',
    async (format) => {
      const time = '2026-05-06T07:00:00.000Z'
      const original = Buffer.from(JSON.stringify({ key: NPM, [SLACK]: 1 }))
      await workspace.use(async (store) =>
        store.append('lamps', 0, [...EVENTS, { event: say('imported'), at: time, original }]),
      )
      const args = ['export', 'lamps', '--output', format, '--to', 'out', '--redact']
      const { code, stderr } = await run(...args)
      expect(code).toBe(0)
      expect(plainCommand(stderr)).toBe(
        `The export omits 3 probable secrets (1 github, 1 npm, 1 slack). ${READ_IT}\n`,
      )
      const text = await readFile(join(workspace.folder, 'out'), 'utf8')
      const decoded = [...text.matchAll(/[A-Za-z0-9+/]{16,}/g)].map(([each]) =>
        Buffer.from(each, 'base64').toString('latin1'),
      )
      for (const secret of [GITHUB, SLACK, NPM])
        for (const part of [text, ...decoded]) expect(part).not.toContain(secret)
      expect(text).toContain('use [scrubbed] for it')
      expect(text).toContain('nothing here')
      expect(file()).toContain(GITHUB)
    },
  )
})
