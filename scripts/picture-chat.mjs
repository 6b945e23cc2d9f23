// Creates the pictures of a chat: `pnpm picture`. Needs Chromium, like picture-terminal.mjs.
import { appendFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { makeDemoWorkspace } from '../apps/reference-host/src/demo/make-demo-workspace.ts'
import { openBrowser, readPicture } from './pictures/browser.mjs'
import { runAtScreen } from './pictures/run-at-screen.mjs'
import { openScreen } from './pictures/screen.mjs'

const PICTURES = new URL('../docs/pictures/', import.meta.url)

/** The responses of the model, by the number of results in the request. */
const ANSWERS = [
  {
    text: 'I look at where the period is set.',
    calls: [['read_files', { paths: ['src/main.rs'] }]],
  },
  {
    text: 'Half of 500 is 250.',
    calls: [['edit_file', { path: 'src/main.rs', find: '500', replace: '250' }]],
  },
  {
    text: 'The lamp turns **every 250 ms** now:\n\n- `blink` in `src/main.rs` sleeps half as long\n- nothing else reads it\n\n```rust\nthread::sleep(Duration::from_millis(250));\n```\n',
    calls: [],
  },
]

const server = createServer(async (request, response) => {
  const chunks = await request.toArray()
  const { messages } = JSON.parse(Buffer.concat(chunks).toString())
  const { text, calls } = ANSWERS[messages.filter(({ role }) => role === 'tool').length]
  response.writeHead(200, { 'content-type': 'text/event-stream' })
  const send = (value) => response.write(`data: ${JSON.stringify({ id: 'x', ...value })}\n\n`)
  send({ choices: [{ index: 0, delta: { role: 'assistant', content: text } }] })
  for (const [index, [name, values]] of calls.entries()) {
    const called = { name, arguments: JSON.stringify(values) }
    send({
      choices: [
        {
          index: 0,
          delta: {
            tool_calls: [{ index, id: `call-${messages.length}-${index}`, function: called }],
          },
        },
      ],
    })
  }
  const finish = calls.length > 0 ? 'tool_calls' : 'stop'
  send({ choices: [{ index: 0, delta: {}, finish_reason: finish }] })
  const usage = {
    prompt_tokens: 4210,
    completion_tokens: 96,
    prompt_tokens_details: { cached_tokens: 3900 },
  }
  send({ choices: [], usage })
  response.end('data: [DONE]\n\n')
})
await new Promise((done) => server.listen(0, '127.0.0.1', done))

const browser = await openBrowser()
const home = mkdtempSync(join(tmpdir(), 'toolblocks-pictures-'))
try {
  mkdirSync(PICTURES, { recursive: true })
  for (const columns of [80, 40]) await pictureChat(columns)
} finally {
  await browser.close()
  server.close()
  rmSync(home, { recursive: true })
}

async function pictureChat(columns) {
  const { folder, remove } = await makeDemoWorkspace({ atExit: 'remove' })
  const address = `http://127.0.0.1:${server.address().port}/v1`
  appendFileSync(
    join(folder, 'toolblocks.toml'),
    `\n[model]\nprovider = "openai-compatible"\nname = "lighthouse-1"\nbase_url = "${address}"\n`,
  )
  const environment = { XDG_CONFIG_HOME: home, XDG_DATA_HOME: home, XDG_CACHE_HOME: home }
  // Its programs are asked for their descriptions before the picture is taken.
  const aside = openScreen({ columns })
  await runAtScreen(aside, { folder, args: ['tools', '--trust'], environment })
  aside.close()
  const screen = openScreen({ columns })
  try {
    await runAtScreen(screen, {
      folder,
      args: ['chat', '--trust'],
      environment,
      typing: [
        [/› /, 'The lamp turns too slowly. Make it twice as fast.\r'],
        [/Apply this change[^]*No/, 'y\r'],
        [/nothing else[^]*› /, '/cost\r'],
      ],
      until: /tokens[^]*› /,
    })
    const page = await browser.open({ width: 1200 })
    await page.setContent(screen.toPage())
    const picture = await readPicture(page, { element: page.locator('pre') })
    writeFileSync(new URL(`chat-${columns}.webp`, PICTURES), picture)
    await page.context().close()
  } finally {
    screen.close()
    await remove()
  }
}
