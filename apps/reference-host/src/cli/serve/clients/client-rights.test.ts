import type { ClientIdentity } from '@toolblocks/mcp-bridge/identity'
import { createSuccessResult } from '@toolblocks/protocol'
import { describe, expect, test } from 'vitest'
import type { ServeConfiguration } from '../../../workspace/configuration/serve-schema.ts'
import type { CallRules } from '../../../workspace/consent/create-approver.ts'
import { placeRules } from '../../../workspace/consent/rule-sources.ts'
import { hideResources, readRights, selectStarting, selectVisible } from './client-rights.ts'

const identity = (name: string, ...groups: readonly string[]): ClientIdentity => ({
  id: JSON.stringify(['client', name]),
  name,
  groups,
  scopes: [],
})

const RULES: CallRules = {
  root: '/',
  isBelow: () => undefined,
  rules: [...placeRules(['allow typed'], 'command line'), ...placeRules(['ask all'], 'settings')],
  store: { list: () => [] },
  describeTool: () => '',
}

const find = (serve: ServeConfiguration, who: ClientIdentity | undefined) =>
  readRights(serve, RULES).find(who)

const NAMES = ['github__read', 'github__delete_repo', 'fs_read', 'other']

describe('a client sees', () => {
  test.for<[string, ServeConfiguration, readonly string[], readonly string[]]>([
    ['everything without a table', { clients: { ben: { deny: ['*'] } } }, [], NAMES],
    ['what its table allows', { clients: { ann: { allow: ['fs_read'] } } }, [], ['fs_read']],
    [
      'nothing that its table denies',
      { clients: { ann: { allow: ['github__*'], deny: ['github__delete_*'] } } },
      [],
      ['github__read'],
    ],
    [
      'what its groups allow, too',
      {
        clients: { ann: { allow: ['fs_read'] } },
        groups: { devs: { allow: ['other'] }, ops: { allow: ['*'] } },
      },
      ['devs'],
      ['fs_read', 'other'],
    ],
    [
      'nothing that a group denies',
      { clients: { ann: { allow: ['*'] } }, groups: { guests: { deny: ['github__*'] } } },
      ['guests'],
      ['fs_read', 'other'],
    ],
    ['nothing with an empty list', { clients: { ann: { allow: [] } } }, [], []],
    [
      'everything in a group that is unknown',
      { clients: { ann: {} } },
      ['unknown', '__proto__'],
      NAMES,
    ],
  ])('%s', ([, serve, groups, seen]) => {
    const { maySee } = find(serve, identity('ann', ...groups))
    expect(NAMES.filter(maySee)).toEqual(seen)
  })

  test.for<[ServeConfiguration['clients'], boolean]>([
    [{ ann: { allow: ['github__*'] } }, true],
    [{ ann: { allow: ['github__read'] } }, false],
    [{ ann: { deny: ['github__*'] } }, false],
    [{ ann: { deny: ['github__delete_repo'] } }, true],
  ])('with %j the prompts and resources of the server: %j', ([clients = {}, isSeen]) => {
    expect(find({ clients }, identity('ann')).maySeeServer('github')).toBe(isSeen)
  })

  test('neither the name of a hidden server that starts, nor the tool that would read its links', () => {
    const rights = find({ clients: { ann: { deny: ['github__*'] } } }, identity('ann'))
    const starting = { names: () => ['github', 'files'], wait: async () => undefined }
    expect(selectStarting(starting, rights).names()).toEqual(['files'])
    const entries = ['read_resource', 'files__a', 'github__a'].map((name) => ({
      tool: { name, inputSchema: {}, execute: async () => createSuccessResult([]) },
    }))
    const select = (...names: readonly string[]): readonly string[] =>
      selectVisible(entries, { rights, servers: names.map((name) => ({ name })) }).map(
        ({ tool }) => tool.name,
      )
    expect(select('files', 'github')).toEqual(['files__a'])
    expect(select('files')).toEqual(['read_resource', 'files__a'])
  })

  test('changes of those resources that its servers list, if something is hidden from it', async () => {
    const rights = readRights({ clients: { ann: { deny: ['x'] } } }, RULES)
    const features = hideResources(
      { capabilities: () => ({}), answer: async () => ({ done: true }), watch: () => () => {} },
      rights,
      async () => ({
        name: 'own',
        version: '1',
        root: '/',
        definitions: () => [],
        callTool: async () => createSuccessResult([]),
        features: {
          capabilities: () => ({}),
          answer: async ({ params: { cursor } }) =>
            cursor === undefined
              ? { resources: [{ uri: 'a:' }], nextCursor: '2' }
              : { resources: [{ uri: 'b:' }] },
          watch: () => () => {},
        },
        close: async () => {},
      }),
    )
    const { signal } = new AbortController()
    const subscribe = async (
      who: ClientIdentity,
      uri = 'hidden:',
      method = 'resources/subscribe',
    ) =>
      await features.answer(
        { method, params: { uri }, signal },
        {
          id: 'c',
          protocolVersion: '2026-07-28',
          capabilities: {},
          identity: '',
          identified: who,
          request: async () => ({ kind: 'aborted' }),
          notify: () => undefined,
        },
      )
    await expect(subscribe(identity('ann'))).rejects.toThrow('cannot subscribe')
    expect(await subscribe(identity('ben'))).toEqual({ done: true })
    expect(await subscribe(identity('ann'), 'a:')).toEqual({ done: true })
    expect(await subscribe(identity('ann'), 'b:')).toEqual({ done: true })
    expect(await subscribe(identity('ann'), 'hidden:', 'resources/list')).toEqual({ done: true })
  })
})

test('a person of an issuer who has the name of a client has none of its rights', () => {
  const person = { ...identity('boss', 'guests'), id: JSON.stringify(['oauth', 'i', '1']) }
  const serve: ServeConfiguration = {
    clients: { boss: { allow: ['*'], reads: 'all', answers: 'all', rules: ['allow *'] } },
    groups: { guests: { deny: ['other'] } },
  }
  const { maySee, rules, reads, answers } = find(serve, person)
  expect(maySee('other')).toBe(false)
  expect([reads, answers]).toEqual(['own', 'own'])
  expect(rules.rules).toHaveLength(RULES.rules.length)
})

test('the rules of a client stand after those of the command line, and before all others', () => {
  const serve = {
    clients: { ann: { rules: ['deny fs_write'] } },
    groups: { devs: { rules: ['ask git'] } },
  }
  const { rules } = find(serve, identity('ann', 'devs')).rules
  expect(rules.map(({ rule: { effect, tool } }) => `${effect} ${tool}`)).toEqual([
    'allow typed',
    'deny fs_write',
    'ask git',
    'ask all',
  ])
  expect(find(serve, identity('ben')).rules).toBe(RULES)
  expect(find(serve, undefined).rules).toBe(RULES)
})

describe('a client makes', () => {
  const CALL = { arguments: {} }
  const ok = createSuccessResult([{ type: 'text', text: 'ok' }])

  test('at most so many calls at a time, in all its sessions, and others are not concerned', async () => {
    const rights = readRights(
      { clients: { ann: { calls_at_a_time: 2 } }, groups: { slow: { calls_at_a_time: 1 } } },
      RULES,
    )
    const { promise, resolve } = Promise.withResolvers<typeof ok>()
    const start = async (who: ClientIdentity) =>
      await rights.find(who).limit(CALL, async () => await promise)
    const running = [start(identity('ann')), start(identity('ann'))]
    const refused = await start(identity('ann'))
    expect(refused).toMatchObject({ isError: true })
    expect(JSON.stringify(refused.content)).toContain(
      String.raw`the client \"ann\" may make 2 at a time, and 2 run or wait now. This call was not executed`,
    )
    const other = [start(identity('ben', 'slow'))]
    expect(await start(identity('ben', 'slow'))).toMatchObject({ isError: true })
    resolve(ok)
    expect(await Promise.all([...running, ...other])).toEqual([ok, ok, ok])
    expect(await start(identity('ann'))).toBe(ok)
  })

  test('at most so many calls a minute', async () => {
    const rights = readRights({ clients: { ann: { calls_a_minute: 2 } } }, RULES)
    const results = []
    for (let count = 0; count < 3; count += 1)
      results.push(await rights.find(identity('ann')).limit(CALL, async () => ok))
    expect(results.map(({ isError }) => isError)).toEqual([false, false, true])
    expect(JSON.stringify(results[2]?.content)).toMatch(
      /may make 2 a minute, and has made 2\. .*make it again in 6[01] s\./,
    )
  })

  test('at most so many bytes a minute, of arguments and results; the result that exceeds them is sent', async () => {
    const rights = readRights(
      { groups: { few: { bytes_a_minute: 100 } }, clients: { ann: { bytes_a_minute: 1000 } } },
      RULES,
    )
    const { limit } = rights.find(identity('ann', 'few'))
    const large = createSuccessResult([{ type: 'text', text: 'ä'.repeat(100) }])
    const tooLarge = await limit({ arguments: { text: 'x'.repeat(100) } }, async () => ok)
    expect(JSON.stringify(tooLarge.content)).toContain('the arguments of this call have 111')
    expect(await limit(CALL, async () => large)).toBe(large)
    const refused = await limit(CALL, async () => ok)
    expect(JSON.stringify(refused.content)).toMatch(
      /may send and receive 100 bytes a minute, and has used 2\d\d\. .*again in 6[01] s\./,
    )
    expect(await rights.find(identity('ann')).limit(CALL, async () => ok)).toBe(ok)
  })
})

test.for<[string, ServeConfiguration, readonly string[], string]>([
  ['its own without a word about it', {}, [], 'own own'],
  ['what its table says', { clients: { ann: { reads: 'all', answers: 'none' } } }, [], 'all none'],
  [
    'the widest of its table and its groups',
    {
      clients: { ann: { answers: 'none' } },
      groups: { ops: { reads: 'all', answers: 'all' }, devs: { answers: 'own' } },
    },
    ['ops', 'devs'],
    'all all',
  ],
  [
    'its own if a group says nothing of it',
    { clients: { ann: { answers: 'none' } }, groups: { devs: { deny: ['x'] } } },
    ['devs'],
    'own none',
  ],
  ['its own of a group it is not in', { groups: { ops: { reads: 'all' } } }, ['devs'], 'own own'],
])('a person reads and answers %s', ([, serve, groups, expected]) => {
  const { reads, answers } = find(serve, identity('ann', ...groups))
  expect(`${reads} ${answers}`).toBe(expected)
  const nobody = find(serve, undefined)
  expect(`${nobody.reads} ${nobody.answers}`).toBe('own own')
})
