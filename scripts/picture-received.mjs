// Creates the pictures of the README: `pnpm picture`. They show what tools/record-received.mjs recorded. Needs Chromium, like picture-terminal.mjs.
import { readFileSync, writeFileSync } from 'node:fs'
import { openBrowser, readPicture } from './pictures/browser.mjs'
import { RESULT } from './pictures/pier-server.mjs'

const PICTURES = new URL('../docs/pictures/', import.meta.url)
const record = JSON.parse(readFileSync(new URL('pictures/received.json', import.meta.url), 'utf8'))
const [, photo] = RESULT.content

const STYLE = `
:root { --page: #fff; --ink: #1f2328; --soft: #59636e; --line: #d1d9e0; --lost: #b42318; --kept: #0a6b3d; --box: #f6f8fa }
@media (prefers-color-scheme: dark) {
  :root { --page: #0d1117; --ink: #f0f6fc; --soft: #9ba6b2; --line: #3d444d; --lost: #ff8a80; --kept: #5fd38d; --box: #151b23 }
}
* { box-sizing: border-box; margin: 0 }
body { background: var(--page); color: var(--ink); font: 15px/1.45 'DejaVu Sans', sans-serif }
main { display: grid; grid-template-columns: repeat(3, 1fr); gap: 12px; padding: 2px }
section { border: 1px solid var(--line); border-radius: 8px; background: var(--box); padding: 12px }
h1 { font-size: 15px; line-height: 1.3 }
h2 { font-size: 12.5px; font-weight: normal; color: var(--soft); margin-bottom: 10px }
p, pre { border: 1px solid var(--line); border-radius: 6px; background: var(--page); padding: 8px; margin-top: 8px; overflow-wrap: anywhere; white-space: pre-wrap }
p { font-size: 13.5px }
pre { font: 12.5px/1.45 'DejaVu Sans Mono', monospace }
img { display: block; width: 100%; border-radius: 6px; margin-top: 8px }
.lost { border-style: dashed; border-color: var(--lost); color: var(--lost); background: none }
.lost::before { content: '✕ ' }
strong { display: block; margin-top: 10px; font-size: 13.5px }
.few strong { color: var(--lost) }
.all strong { color: var(--kept) }
@media (max-width: 500px) { main { grid-template-columns: 1fr } }
`

const text = (value) => `<p>${escape(value)}</p>`
const json = (value) => `<pre>${escape(value).replaceAll(',', ', ')}</pre>`
const image = `<img src="data:${photo.mimeType};base64,${photo.data}">`

function escape(value) {
  return value.replaceAll('&', '&amp;').replaceAll('<', '&lt;')
}

function render(part) {
  if (part.type === 'image') return image
  return part.text.startsWith('{') ? json(part.text) : text(part.text)
}

/** Lists what the tool returned and a model did not receive, by its names in the picture. */
function findLost(received) {
  const texts = received.map((part) => part.text)
  return [
    ...(texts.includes(RESULT.content[0].text) ? [] : ['the text']),
    ...(received.some(({ isComplete }) => isComplete) ? [] : ['the photo']),
    ...(texts.includes(JSON.stringify(RESULT.structuredContent)) ? [] : ['the data']),
  ]
}

function renderReceived({ title, about, received }) {
  const lost = findLost(received)
  const rest = lost.map((what) => `<p class="lost">${what}</p>`).join('')
  const end = lost.length === 0 ? 'Everything arrived.' : `Lost: ${lost.join(' and ')}.`
  return `<section class="${lost.length === 0 ? 'all' : 'few'}"><h1>${title}</h1><h2>${about}</h2>${received.map(render).join('')}${rest}<strong>${end}</strong></section>`
}

const returned = [
  ...RESULT.content,
  { type: 'text', text: JSON.stringify(RESULT.structuredContent) },
]
const host = `${record.host} ${record.version}`
const page = `<!doctype html><meta charset="utf-8"><style>${STYLE}</style><main>
<section><h1>A tool returns</h1><h2>one result of an MCP server</h2>${returned.map(render).join('')}</section>
${renderReceived({ title: 'The model receives', about: `directly, in ${host}`, received: record.direct })}
${renderReceived({ title: 'The model receives', about: `through Toolblocks, in ${host}`, received: record.gateway })}
</main>`

const browser = await openBrowser()
try {
  for (const [shape, width] of [
    ['wide', 860],
    ['phone', 350],
  ])
    for (const colors of ['light', 'dark']) {
      const opened = await browser.open({ width, colors })
      await opened.setContent(page)
      await opened.evaluate(
        async () =>
          await Promise.all([...document.images].map(async (each) => await each.decode())),
      )
      const picture = await readPicture(opened, { element: opened.locator('main'), scale: 2 })
      const name = `received-${shape}-${colors}.webp`
      writeFileSync(new URL(name, PICTURES), picture)
      console.log(`docs/pictures/${name}  ${picture.length.toLocaleString('en')} bytes`)
      await opened.context().close()
    }
} finally {
  await browser.close()
}
