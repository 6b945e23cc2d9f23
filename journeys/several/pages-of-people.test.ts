import type { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { listAddresses } from '../../apps/reference-host/src/cli/serve/pages/conversation-addresses.support.ts'
import { NO_BROWSER, SKIPS_BROWSER, startBrowser } from '../stage/browser.ts'
import { toolblocks } from '../stage/command.ts'
import { makeFolder } from '../stage/folder.ts'
import { connectStateless } from '../stage/mcp-client.ts'
import { servePeople, type SignedIn, TOKENS } from '../stage/people.ts'
import { HAS_POSTGRES, usePostgres } from '../stage/postgres.ts'
import { readIn } from '../stage/waiting.ts'

/** Calls a tool, and waits for a result that takes longer than the service waits, on a busy machine. */
async function call(client: Client, name: string, values: object = {}): Promise<string> {
  const text = JSON.stringify(await client.callTool({ name, arguments: { ...values } }))
  const [, id] = / is still running .*\[\\"([\w-]+)\\"\]/.exec(text) ?? []
  return id === undefined ? text : await call(client, 'await', { any: [id] })
}

/** Calls that need a person, and returns the question and the page that the client is told. */
async function askFor(client: Client, path: string): Promise<{ id: string; page: string }> {
  const message = await call(client, 'delete', { path })
  const [page = '', id = ''] = /http:\S+\/pages\/question\?id=([a-z2-9]+)/.exec(message) ?? []
  return { id, page }
}

/** What a browser sends that opens a page. */
const OPENING = { accept: 'text/html,*/*;q=0.8' }

const findConversations = (page: string): readonly string[] => [
  ...new Set([...page.matchAll(/href="conversation\?id=([\w-]+)"/g)].map(([, id = '']) => id)),
]

const usesStore = usePostgres()

describe.for(['SQLite', 'PostgreSQL'])('with %s', (kind) => {
  const open = async (): ReturnType<typeof servePeople> =>
    await servePeople(kind === 'SQLite' ? 'sqlite:kept.db' : usesStore())
  const isMissing = kind === 'PostgreSQL' && !HAS_POSTGRES

  test.skipIf(isMissing)(
    'promise several clients: on the pages of a service, each person reads her own conversations, who may reads all, and nobody learns more',
    async () => {
      const { connect, signIn } = await open()
      const [ann, ben] = [await connect(TOKENS.ann), await connect(TOKENS.ben)]
      expect(await call(ann, 'say', { text: 'mark-annsays' })).toContain('mark-annsays')
      expect(await call(ben, 'say', { text: 'mark-bensays' })).toContain('mark-bensays')
      expect(await call(ben, 'fail')).toContain('broken')
      const annAsks = await askFor(ann, 'file-of-ann')
      const benAsks = await askFor(ben, 'file-of-ben')

      const boss = await signIn(TOKENS.boss)
      const all = findConversations(await boss.read(''))
      expect(all).toHaveLength(2)
      const hers = await signIn(TOKENS.ann)
      const list = await hers.read('')
      const [own = ''] = findConversations(list)
      expect(findConversations(list)).toEqual([own])
      const [his = ''] = all.filter((id) => id !== own)

      // What she reads of her own.
      expect(await hers.read(`conversation?id=${own}`)).toContain('mark-annsays')
      expect(await hers.read(`export?id=${own}`)).toMatch(/^200 [^]*mark-annsays/)
      expect(await hers.read('search?q=mark')).toContain('with mark')
      expect(await hers.read('questions')).toContain(annAsks.id)
      expect(await hers.read('use')).toContain('<th scope="row">ann</th><td>2</td><td>0</td>')
      expect(list).toContain('Sign out <span class="tb-facts">ann</span>')

      // Of his, she gets what she would get of one that does not exist.
      const addresses = listAddresses(his, benAsks.id)
      const nothing = listAddresses('no-such-id', 'zzzzzzzz')
      for (const [index, address] of addresses.entries()) {
        const answer = await hers.read(address)
        const masked = answer.replaceAll(his, 'no-such-id').replaceAll(benAsks.id, 'zzzzzzzz')
        expect(masked, address).toBe(await hers.read(nothing[index] ?? ''))
        expect(answer, address).not.toMatch(/bensays|file-of-ben/)
      }
      for (const address of [
        '',
        'search?q=mark',
        'questions',
        'questions?all',
        'waiting',
        'use?since=30d',
      ]) {
        const page = await hers.read(address)
        expect(page, address).toMatch(/^200 /)
        for (const secret of [his, benAsks.id, 'bensays', 'file-of-ben', '>ben<', '>fail<', '(2)'])
          expect(page, address).not.toContain(secret)
      }
      const denied = await hers.answer(benAsks.id, 'accept')
      expect(denied.status).toBe(404)

      // Who may read all sees both, and answers nothing.
      expect(await boss.read(`conversation?id=${his}`)).toContain('mark-bensays')
      const use = await boss.read('use')
      expect(use).toContain('<th scope="row">ben</th><td>3</td><td>1</td>')
      expect(use).toContain('<th scope="row">failed</th>')
      const page = await boss.read(`question?id=${benAsks.id}`)
      expect(page).toContain('file-of-ben')
      expect(page).toContain('You may not answer this question.')
      expect((await boss.answer(benAsks.id, 'accept')).status).toBe(405)
    },
  )

  test.skipIf(isMissing)(
    'promise several clients: who may read all reads which calls a client was refused by its rights, and the client learns nothing of it',
    async () => {
      const { connect, signIn, origin } = await open()
      // Her client names itself like another person.
      const eve = await connect(TOKENS.eve, 'ann')
      const headers = { authorization: `Bearer ${TOKENS.eve}` }
      const stateless = await connectStateless({ url: new URL('/mcp', origin), headers })
      const refuse = async (name: string): Promise<string> => await call(eve, name).catch(String)
      // The tool that she may not see, and one that does not exist.
      const hidden = await refuse('fail')
      expect(hidden).toContain('Unknown tool: fail')
      expect(await refuse('liaf')).toBe(hidden.replaceAll('fail', 'liaf'))
      await expect(stateless.callTool({ name: 'fail' })).rejects.toThrow('Unknown tool: fail')
      expect(await call(eve, 'say', { text: 'mark-evesays' })).toContain('mark-evesays')
      // Her four calls of this minute are made.
      expect(await call(eve, 'say', { text: 'more' })).toContain('may make 4 a minute')
      for (const name of ['one-more', 'fail']) expect(await refuse(name)).toContain('Unknown tool')

      await eve.close()
      const boss = await signIn(TOKENS.boss)
      const readAll = async (person: SignedIn): Promise<string> => {
        const ids = findConversations(await person.read(''))
        const pages = await Promise.all(ids.map(async (id) => await person.read(`export?id=${id}`)))
        return pages.join('\n')
      }
      const refused = 'The rights of the client "eve" do not include a tool "fail"'
      await expect.poll(async () => (await readAll(boss)).split(refused).length).toBe(3)
      const all = await readAll(boss)
      expect(all).toContain('The client is not offered a tool "liaf"')
      expect(all).not.toContain('one-more')
      const use = await boss.read('use')
      expect(use).toContain('<th scope="row">eve</th>')
      expect(use.match(/<th scope="row">(?:ann|eve)\b/g)).toHaveLength(1)
      expect(use).not.toContain('as it names itself')
      expect(await boss.read('')).toMatch(/>call fail<\/a>(?:(?!<\/li>)[^])*\beve\b/)

      const hers = await signIn(TOKENS.eve)
      expect(await readAll(hers)).toContain('mark-evesays')
      for (const page of [
        await readAll(hers),
        await hers.read('use'),
        await hers.read('search?q=fai'),
        await hers.read('search?q=include'),
        await hers.read('search?q=offered'),
      ])
        expect(page).not.toMatch(/liaf|The rights of|"fail"|>fail</)
    },
  )

  test.skipIf(isMissing)(
    'promise several clients: a call that waits names the page on which its person, or who may, answers it, and the record says who did',
    async () => {
      const { connect, signIn, folder, origin } = await open()
      const [ann, ben] = [await connect(TOKENS.ann), await connect(TOKENS.ben)]
      const annAsks = await askFor(ann, 'a')
      const benAsks = await askFor(ben, 'b')
      expect(annAsks.page).toBe(`${origin}/pages/question?id=${annAsks.id}`)

      // The page signs her in first, and comes back.
      const asked = await fetch(annAsks.page, { redirect: 'manual', headers: OPENING })
      const next = `/pages/question?id=${annAsks.id}`
      expect(asked.headers.get('location')).toBe(
        `/sign-in?${new URLSearchParams({ next }).toString()}`,
      )
      const hers = await signIn(TOKENS.ann)
      expect(await hers.read(`question?id=${annAsks.id}`)).toContain('Allow this call')
      for (const headers of [
        { origin: 'https://evil.example' },
        { 'sec-fetch-site': 'cross-site' },
        { 'content-type': 'text/plain' },
      ])
        expect((await hers.answer(annAsks.id, 'accept', headers)).status).toBeGreaterThanOrEqual(
          403,
        )
      expect((await hers.answer(annAsks.id, 'accept')).status).toBe(303)
      expect(await call(ann, 'delete', { path: 'a' })).toContain('deleted a')
      expect(readIn(folder, 'runs.txt')).toBe('a\n')

      // Who answers for all denies his.
      const judge = await signIn(TOKENS.judge)
      expect((await judge.answer(benAsks.id, 'decline')).status).toBe(303)
      expect(await call(ben, 'delete', { path: 'b' })).not.toContain('deleted')
      const his = await signIn(TOKENS.ben)
      expect(await his.read(`question?id=${benAsks.id}`)).toContain('Denied on a page by judge')
      expect(readIn(folder, 'runs.txt')).toBe('a\n')
    },
  )

  test.skipIf(isMissing)(
    'promise several clients: a person who signs out, or whose token is revoked, sees nothing more, and what followed changes ends',
    async () => {
      const { folder, signIn, origin } = await open()
      const added = await toolblocks(folder, 'serve', 'tokens', 'add', 'dee')
      // The service reads the new token from the store a moment after the command has written it.
      const dee = await vi.waitFor(
        async () => {
          const person = await signIn(added.stdout.trim())
          expect(await person.read('')).toMatch(/^200 /)
          return person
        },
        { timeout: 20_000, interval: 100 },
      )
      const ann = await signIn(TOKENS.ann)
      const ends = async (person: SignedIn): Promise<{ begun: string; ended: Promise<string> }> => {
        const stream = (await person.request('follow')).body?.getReader()
        const first = await stream?.read()
        const rest = async (): Promise<string> => {
          for (;;) if ((await stream?.read())?.done) return 'ended'
        }
        return { begun: new TextDecoder().decode(first?.value), ended: rest() }
      }
      const ofDee = await ends(dee)
      const ofAnn = await ends(ann)
      expect(ofDee.begun).toContain('event: questions')
      const { stdout } = await toolblocks(folder, 'serve', 'tokens', 'list', '--output', 'json')
      const [token]: { id: string }[] = Object(JSON.parse(stdout)).tokens
      await toolblocks(folder, 'serve', 'tokens', 'revoke', token?.id ?? '')
      expect(await ofDee.ended).toBe('ended')
      const after = await dee.request('', { headers: OPENING })
      expect([after.status, after.headers.get('location')]).toEqual([
        303,
        '/sign-in?next=%2Fpages%2F',
      ])
      const script = await dee.request('events?id=x')
      expect(script.status).toBe(401)

      expect(await ann.read('')).toMatch(/^200 /)
      const out = await fetch(`${origin}/sign-out`, {
        method: 'POST',
        headers: { origin, cookie: ann.cookie },
        body: new URLSearchParams(),
        redirect: 'manual',
      })
      expect(out.headers.get('set-cookie')).toContain('Max-Age=0')
      expect(await ofAnn.ended).toBe('ended')
    },
  )
})

test('promise several clients: in a browser, a person opens the page of her question, signs in with her token, answers, and signs out', async ({
  skip,
}) => {
  skip(SKIPS_BROWSER, NO_BROWSER)
  const { connect, origin } = await servePeople('sqlite:kept.db')
  const ann = await connect(TOKENS.ann)
  const asked = await askFor(ann, 'a')
  const browser = await startBrowser()
  onTestFinished(async () => await browser.close())
  const page = await browser.newPage({ viewport: { width: 360, height: 740 } })
  const complaints: string[] = []
  page.on('console', (message) => message.type() === 'error' && complaints.push(message.text()))
  await page.goto(asked.page)
  await page.getByLabel('Your token').fill(TOKENS.ann)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.getByRole('heading', { name: 'Run delete?' }).waitFor()
  const width = await page.evaluate('document.documentElement.scrollWidth')
  expect(width).toBe(360)
  await page.getByRole('button', { name: 'Allow this call' }).click()
  await page.getByText('Allowed on a page by ann.').waitFor()
  expect(await call(ann, 'delete', { path: 'a' })).toContain('deleted a')
  await page.getByRole('link', { name: 'Conversations', exact: true }).click()
  await page.getByRole('link', { name: 'call delete' }).click()
  await page.getByText('deleted a').first().waitFor({ state: 'attached' })
  // The open page shows what happens next.
  expect(await call(ann, 'say', { text: 'seen at once' })).toContain('seen at once')
  await page.getByText('seen at once').first().waitFor({ state: 'attached' })
  await page.getByRole('link', { name: 'Sign out' }).click()
  await page.getByRole('button', { name: 'Sign out' }).click()
  await page.getByLabel('Your token').waitFor()
  await page.goto(`${origin}/pages/use`)
  await page.getByLabel('Your token').waitFor()
  expect(complaints).toEqual([])
})

test('promise several clients: pages need people who can be told apart, a store, and HTTP', async () => {
  const serve = async (configuration: string, ...args: readonly string[]): Promise<string> => {
    const folder = makeFolder({ 'toolblocks.toml': configuration })
    await toolblocks(folder, 'trust', '--yes')
    const { code, stderr } = await toolblocks(folder, 'serve', '--pages', ...args)
    expect(code).toBe(2)
    return stderr
  }
  expect(await serve('', '--http', '0')).toContain('--pages needs people who can be told apart')
  expect(await serve('')).toContain('--pages needs --http')
})

test('promise several clients: without a sign-in the pages show nothing', async () => {
  const { origin } = await servePeople('sqlite:kept.db')
  for (const address of [
    '',
    'conversation?id=x',
    'use',
    'questions',
    'search?q=a',
    'gallery',
    'nowhere',
  ]) {
    const response = await fetch(`${origin}/pages/${address}`, {
      redirect: 'manual',
      headers: OPENING,
    })
    expect(response.status, address).toBe(303)
    expect(await response.text()).toBe('')
  }
  expect((await fetch(`${origin}/pages/answer`, { method: 'POST' })).status).toBe(401)
  const root = await fetch(`${origin}/`, { redirect: 'manual' })
  expect(root.headers.get('location')).toBe('/pages/')
})
