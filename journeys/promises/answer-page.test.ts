import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { NO_BROWSER, SKIPS_BROWSER, startBrowser, type Page } from '../stage/browser.ts'
import { toolblocks } from '../stage/command.ts'
import { makeFolder, tool } from '../stage/folder.ts'
import { findFreePort } from '../stage/free-ports.ts'
import { hasResults, type Provider, startProvider } from '../stage/provider.ts'
import { startView } from '../stage/view.ts'
import {
  findPostgres,
  startPostgres,
} from '../../packages/conversation-store/src/rows/postgres/postgres-server.support.ts'

/** A program that asks before it sweeps. */
const SWEEP = `
import { readFileSync } from 'node:fs'
const { answers = {} } = JSON.parse(readFileSync(0, 'utf8')).tool
const schema = { type: 'object', properties: { boats: { type: 'integer', minimum: 1 }, sure: { type: 'boolean' } }, required: ['boats', 'sure'] }
const question = { id: 'how', text: 'How shall the harbor be swept?', schema }
const content = 'how' in answers
  ? [{ type: 'text', text: 'swept: ' + JSON.stringify(answers.how) }]
  : [{ type: 'text', text: 'The harbor has 12 boats.' }, { type: 'question', question }]
console.log(JSON.stringify({ content }))
`

/** A tool that needs approval, and counts its runs. */
const DELETE = `
[tools.delete]
source = "local"
command = ["sh", "-c", "echo run >> runs.txt; echo deleted $1", "delete", "{{tool.arguments.path}}"]
parameters = { path = { type = "string" } }
`

/** A folder whose model calls one tool, and ends its turn when it has the result. */
async function setUp(name: 'sweep' | 'delete'): Promise<{ folder: string; model: Provider }> {
  const model = await startProvider((messages) =>
    hasResults(messages)
      ? { text: 'All is done.' }
      : { calls: [[name, name === 'delete' ? { path: 'a.txt' } : {}]] },
  )
  const folder = makeFolder({
    'toolblocks.toml': model.settings + tool('sweep', ['node', 'sweep.mjs']) + DELETE,
    'sweep.mjs': SWEEP,
  })
  return { folder, model }
}

/** Opens a page at the size of a phone. */
async function openPhone(address: URL): Promise<Page> {
  const browser = await startBrowser()
  onTestFinished(async () => await browser.close())
  const page = await browser.newPage({ viewport: { width: 360, height: 740 } })
  await page.goto(address.href)
  return page
}

/** Returns the ids of the questions that wait. */
async function list(folder: string): Promise<readonly string[]> {
  const { stdout } = await toolblocks(folder, 'questions', 'list', '--output', 'json')
  const { questions } = JSON.parse(stdout) as { questions: readonly { id: string }[] }
  return questions.map(({ id }) => id)
}

test('promise answers on pages: an approval that is answered on the page runs the tool once', async ({
  skip,
}) => {
  skip(SKIPS_BROWSER, NO_BROWSER)
  const { folder, model } = await setUp('delete')
  expect((await toolblocks(folder, 'run', '--park', 'Clean up.')).code).toBe(6)
  const { address } = await startView(folder, '--answer')
  const page = await openPhone(address)
  await page.getByRole('link', { name: 'delete needs approval: path=a.txt' }).click()
  await page.getByText('path: a.txt').waitFor()
  await page.getByRole('button', { name: 'Allow this call' }).click()
  const next = page.getByText('Continue with: toolblocks run --resume')
  await next.waitFor()
  const [, id = ''] = /--resume (\S+)/.exec((await next.textContent()) ?? '') ?? []
  expect(existsSync(join(folder, 'runs.txt'))).toBe(false)
  for (let times = 0; times < 2; times++)
    expect((await toolblocks(folder, 'run', '--resume', id)).code).toBe(0)
  expect(model.results()).toEqual(['deleted a.txt\n'])
  expect(readFileSync(join(folder, 'runs.txt'), 'utf8')).toBe('run\n')
})

test('promise answers on pages: a question that is answered on a phone continues the waiting host', async ({
  skip,
}) => {
  skip(SKIPS_BROWSER, NO_BROWSER)
  const { folder, model } = await setUp('sweep')
  const { address } = await startView(folder, '--answer')
  address.pathname += 'questions'
  const page = await openPhone(address)
  await page.getByText('Nothing waits.').waitFor()
  const waiting = toolblocks(folder, 'run', '--wait', 'Sweep.')
  await page.getByRole('link', { name: 'sweep asks: How shall the harbor be swept?' }).click()
  await page.getByText('The harbor has 12 boats.').waitFor()
  expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(360)
  await page.getByLabel('boats').fill('0')
  await page.getByLabel('Yes').check()
  await page.getByRole('button', { name: 'Send answer' }).click()
  await page.getByRole('alert').waitFor()
  await page.getByLabel('boats').fill('12')
  await page.getByRole('button', { name: 'Send answer' }).click()
  await page.getByText('Answered on a page: {"boats":12,"sure":true}.').waitFor()
  const { code, stdout } = await waiting
  expect(code).toBe(0)
  expect(stdout).toContain('All is done.')
  expect(model.results()).toEqual(['swept: {"boats":12,"sure":true}'])
})

const POSTGRES = findPostgres()

test('promise answers on pages: the pages answer questions of a store in PostgreSQL', async ({
  skip,
}) => {
  skip(SKIPS_BROWSER, NO_BROWSER)
  skip(POSTGRES === undefined, 'PostgreSQL is not installed')
  const server = await startPostgres(POSTGRES ?? '')
  onTestFinished(() => server.stop())
  const { folder, model } = await setUp('delete')
  const file = join(folder, 'toolblocks.toml')
  const settings = readFileSync(file, 'utf8')
  writeFileSync(file, settings.replace('sqlite:kept.db', server.url('postgres')))
  const { address } = await startView(folder, '--answer', '--trust')
  const page = await openPhone(address)
  const waiting = toolblocks(folder, 'run', '--wait', 'Clean up.')
  await page.getByRole('link', { name: 'delete needs approval: path=a.txt' }).click()
  await page.getByRole('button', { name: 'Allow this call' }).click()
  await page.getByText('Allowed on a page.').waitFor()
  expect(await waiting).toMatchObject({ code: 0, stdout: expect.stringContaining('All is done.') })
  expect(model.results()).toEqual(['deleted a.txt\n'])
})

const ORIGIN = 'https://answers.example'

test('promise answers on pages: with a configured origin its pages answer, and other origins are refused', async () => {
  const { folder } = await setUp('delete')
  await toolblocks(folder, 'run', '--park', 'Clean up.')
  const [id = ''] = await list(folder)
  const port = await findFreePort()
  const { address } = await startView(folder, '--answer', '--origin', ORIGIN, '--port', `${port}`)
  expect(address.origin).toBe(ORIGIN)
  const send = async (
    path: string,
    body: string,
    headers: Readonly<Record<string, string>>,
  ): Promise<{ status: number; cookie: string }> => {
    const { request } = await import('node:http')
    return await new Promise((resolve, reject) => {
      const sent = request(
        { port, host: '127.0.0.1', method: 'POST', path: `${address.pathname}${path}`, headers },
        (answer) => {
          answer.resume()
          const cookie = answer.headers['set-cookie']?.[0] ?? ''
          resolve({ status: answer.statusCode ?? 0, cookie })
        },
      )
      sent.on('error', reject)
      sent.end(body)
    })
  }
  const own = { host: 'answers.example', origin: ORIGIN }
  const token = JSON.stringify({ token: address.hash.replace('#t=', '') })
  const entered = await send('enter', token, { ...own, 'content-type': 'application/json' })
  expect(entered.cookie).toContain('Secure')
  const cookie = entered.cookie.split(';')[0] ?? ''
  const form = { cookie, 'content-type': 'application/x-www-form-urlencoded' }
  const body = `id=${id}&action=accept`
  for (const [headers, status] of [
    [{ ...own, origin: 'https://evil.example' }, 403],
    [{ ...own, origin: 'http://answers.example' }, 403],
    [{ ...own, host: 'evil.example' }, 421],
    [{ host: `127.0.0.1:${port}`, origin: ORIGIN }, 403],
    [{ ...own, 'sec-fetch-site': 'cross-site' }, 403],
  ] as const)
    expect((await send('answer', body, { ...form, ...headers })).status).toBe(status)
  expect(await list(folder)).toEqual([id])
  expect((await send('answer', body, { ...form, ...own })).status).toBe(303)
  expect(await list(folder)).toEqual([])
})

test('promise answers on pages: without --answer no page takes an answer, and options that exclude each other are refused', async () => {
  const { folder } = await setUp('delete')
  await toolblocks(folder, 'run', '--park', 'Clean up.')
  const [id = ''] = await list(folder)
  const { address } = await startView(folder)
  const entered = await fetch(new URL('enter', address), {
    method: 'POST',
    headers: { 'content-type': 'application/json', origin: address.origin },
    body: JSON.stringify({ token: address.hash.replace('#t=', '') }),
  })
  const cookie = entered.headers.get('set-cookie')?.split(';')[0] ?? ''
  const page = await (
    await fetch(new URL(`question?id=${id}`, address), { headers: { cookie } })
  ).text()
  expect(page).toContain(`toolblocks questions answer ${id}`)
  expect(page).not.toContain('action="answer"')
  const answered = await fetch(new URL('answer', address), {
    method: 'POST',
    headers: { cookie, origin: address.origin },
    body: new URLSearchParams({ id, action: 'accept' }),
  })
  expect(answered.status).toBe(405)
  expect(await list(folder)).toEqual([id])
  for (const [args, problem] of [
    [['--origin', 'http://answers.example', '--answer', '--port', '4711'], 'expected https'],
    [['--origin', ORIGIN, '--port', '4711'], '--origin needs --answer'],
    [['--origin', ORIGIN, '--answer'], '--origin needs --port'],
    [['--answer', 'sweep.mjs'], '--answer needs the conversations of a store'],
    [['--port', 'x'], 'expected a port'],
  ] as const)
    expect(await toolblocks(folder, 'view', '--no-open', ...args)).toMatchObject({
      code: 2,
      stderr: expect.stringContaining(problem),
    })
  const taken = await toolblocks(folder, 'view', '--no-open', '--port', address.port)
  expect(taken).toMatchObject({
    code: 1,
    stderr: expect.stringContaining(`port ${address.port} cannot be used`),
  })
})

test('promise answers on pages: conversations show says that a parked call waits, for which question, and how to answer', async () => {
  const { folder } = await setUp('delete')
  await toolblocks(folder, 'run', '--park', 'Clean up.')
  const [id = ''] = await list(folder)
  const { stdout } = await toolblocks(folder, 'conversations', 'show', 'latest')
  expect(stdout).toContain(`waits for approval: ${id}`)
  expect(stdout).toContain(`toolblocks questions answer ${id}`)
  expect(stdout).not.toContain('interrupted')
  const json = await toolblocks(folder, 'conversations', 'show', 'latest', '--output', 'json')
  expect(JSON.parse(json.stdout)).toMatchObject({ waiting: [{ id }] })
  await toolblocks(folder, 'questions', 'answer', id, '--yes')
  const after = await toolblocks(folder, 'conversations', 'show', 'latest')
  expect(after.stdout).toContain('waits for a host to continue')
  expect(after.stdout).toContain('Allowed by a "toolblocks questions" command.')
})
