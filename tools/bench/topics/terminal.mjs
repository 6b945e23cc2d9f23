import { runInNewContext } from 'node:vm'
import { setFlagsFromString } from 'node:v8'
import { createRequire } from 'node:module'
import { renderHtml } from '../../../packages/renderer/src/html.ts'
import { renderTerminal, sanitizeTerminalText } from '../../../packages/renderer/src/index.ts'
import { loadContentReaders } from '../../../packages/renderer/src/readers.ts'
import { attackFragments } from '../../../packages/renderer/src/sanitize/attack-fragments.support.ts'
import { compareTimes } from '../measure.mjs'

export const title = 'Text for a terminal'
export const intro =
  'The yardstick of the sanitizer is one regular expression that removes control characters and leaves the rest of their sequences (`stripVTControlCharacters` of `node:util` takes quadratic ' +
  'time for the flood of `ESC ]`). The worst text is the slowest of 400: each hostile fragment of the tests, and pairs and triples, repeated to 100 KB. Large results have 120 columns and ' +
  'colours; the yardstick is the part of the work that a library does.'

const CONTROL = /[\p{Cc}\u200D]/gu
const SIZE = 1_000_000
const BYTES = 100_000
/** Read from bytes, like the output of every tool. */
const fill = (text, size = SIZE) =>
  Buffer.from(text.repeat(Math.ceil(size / Buffer.byteLength(text)))).toString('utf8')

const texts = {
  'plain ASCII': fill('export function add(one: number, other: number): number {\n'),
  'text beyond ASCII': fill('Größe und Länge – “naïve”, 漢字かな交じり文。\n'),
  'lines that end in CRLF': fill('export function add(one: number, other: number): number {\r\n'),
  'a coloured test report': fill(
    '\u001B[32m✓\u001B[39m \u001B[1;38;2;10;20;30mtest name\u001B[0m\n',
  ),
  'a parameter bomb': `\u001B[${'1;'.repeat(SIZE / 2)}m`,
  'a flood of `ESC ]`': fill('\u001B]'),
  'a flood of colours': fill('\u001B[1;31;48;5;3m'),
  'a flood of joiners': fill('\u200D'),
}

export async function measure(pace) {
  const few = { ...pace, rounds: Math.ceil(pace.rounds / 2) }
  const rows = []
  const add = async (name, text, detail) => {
    const bytes = Buffer.byteLength(text)
    rows.push(
      await compareTimes(few, {
        name: `sanitize ${name}`,
        ...(detail !== undefined && { detail }),
        ours: () => sanitizeTerminalText(text),
        against: 'remove control characters',
        yardstick: () => text.replaceAll(CONTROL, ''),
        bytes,
        target: { rate: 15 },
      }),
    )
  }
  for (const [name, text] of Object.entries(texts)) await add(name, text)
  const [worst, text] = findWorst()
  await add('the worst text', text, worst)
  return [...rows, ...(await measureLarge(pace))]
}

/** Returns the slowest of many hostile texts, with its fragments. The fragments are drawn by a fixed sequence. */
function findWorst() {
  let state = 1
  const draw = (count) => {
    state = (state * 48_271) % 2_147_483_647
    return state % count
  }
  const singles = attackFragments.map((fragment) => [fragment])
  const mixed = Array.from({ length: 400 - singles.length }, (_, index) =>
    Array.from({ length: 2 + (index % 2) }, () => attackFragments[draw(attackFragments.length)]),
  )
  const timed = [...singles, ...mixed].map((fragments) => {
    const text = fill(fragments.join(''), BYTES)
    const times = Array.from({ length: 2 }, () => {
      const { user, system } = process.cpuUsage()
      sanitizeTerminalText(text)
      const after = process.cpuUsage()
      return after.user + after.system - user - system
    })
    return { fragments, text, time: Math.min(...times) / Buffer.byteLength(text) }
  })
  const { fragments, text } = timed.toSorted((a, b) => b.time - a.time)[0]
  return [fragments.map((fragment) => `\`${escapeText(fragment)}\``).join(' '), text]
}

/** Every character that is not printable ASCII, by its number. */
const escapeText = (text) =>
  text.replaceAll(
    /[^\x21-\x7E]|[|`\\]/gu,
    (char) => `\\u{${char.codePointAt(0).toString(16).toUpperCase()}}`,
  )

/** Returns a value of a well-known kind as a result. */
const toResult = (kind, data) => ({
  content: [],
  isError: false,
  structuredContent: { kind, data },
})

async function measureLarge(pace) {
  const load = createRequire(new URL('../../../packages/renderer/package.json', import.meta.url))
  const { structuredPatch } = load('diff')
  const { createLowlight } = await import(load.resolve('lowlight'))
  const { default: typescript } = await import(
    load.resolve('highlight.js/lib/languages/typescript')
  )
  const lowlight = createLowlight({ typescript })
  const readers = await loadContentReaders()
  const lines = (change) =>
    Array.from({ length: 5000 }, (_, line) =>
      line % 10 === 0 ? `const value${line} = ${change} + ${line}\n` : `call(${line}, "text")\n`,
    ).join('')
  const [original, modified] = [lines('before'), lines('after')]
  const content = fill(
    'export function add(one: number, other: number): number {\n  return one\n}\n',
  )
  const rows = Array.from({ length: 10_000 }, (_, id) => ({
    id,
    name: `name ${id}`,
    note: '漢字 note',
  }))
  const columns = [{ key: 'id', type: 'number' }, { key: 'name' }, { key: 'note' }]
  const table = toResult('table', { columns, rows })
  const cases = [
    {
      name: 'a diff of 5,000 lines',
      result: toResult('diff', { path: 'a.ts', original, modified, isNew: false }),
      against: '`structuredPatch` of `diff`',
      yardstick: () =>
        structuredPatch('', '', original, modified, '', '', { context: 3, maxEditLength: 1000 }),
    },
    {
      name: 'a table of 10,000 rows',
      result: table,
      against: '`JSON.stringify`',
      yardstick: () => JSON.stringify(table),
    },
    {
      name: '1 MB of code',
      result: toResult('file_content', { path: 'a.ts', content, size: content.length }),
      against: '`highlight` of `lowlight`',
      yardstick: () => lowlight.highlight('typescript', content),
    },
  ]
  const few = { ...pace, rounds: pace.form === 'quick' ? 3 : 7, roundMs: 1, warmupMs: 1 }
  const measured = []
  for (const { name, result, against, yardstick } of pace.form === 'quick'
    ? cases.slice(0, 2)
    : cases) {
    const whole = { readers, columns: 120, colors: 'ansi', maxLines: Infinity }
    const works = {
      complete: () => renderTerminal(result, whole),
      'cut to 40 lines': () => renderTerminal(result, { readers, columns: 120, colors: 'ansi' }),
      'on a page': () => renderHtml(result, { readers, maxLines: Infinity }),
    }
    for (const [form, ours] of Object.entries(works).slice(0, pace.form === 'quick' ? 1 : 3))
      measured.push(await compareTimes(few, { name: `${name}, ${form}`, ours, against, yardstick }))
    measured.push(compareHeap(`heap for ${name}`, works.complete, against, yardstick))
  }
  return measured
}

/** How many megabytes the heap grows by one call: kept values and garbage. */
function compareHeap(name, ours, against, yardstick) {
  setFlagsFromString('--expose-gc')
  const collect = runInNewContext('gc')
  const measureHeap = (work) => {
    collect()
    const before = process.memoryUsage().heapUsed
    const kept = work()
    const grown = (process.memoryUsage().heapUsed - before) / 1_000_000
    if (kept === undefined) throw new Error(`${name}: nothing was made`)
    return grown
  }
  const [own, bare] = [measureHeap(ours), measureHeap(yardstick)]
  return { name, against, memory: { ours: own, yardstick: bare } }
}
