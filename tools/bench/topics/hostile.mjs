import { createScrubber } from '../../../packages/conversation-store/src/scrub/scrub-text.ts'
import { formatResult } from '../../../packages/formatter/src/index.ts'
import { parseToolOutput } from '../../../packages/parser/src/index.ts'
import { renderTerminal } from '../../../packages/renderer/src/index.ts'
import { compareTimes } from '../measure.mjs'

export const title = 'Hostile and very large data'
export const intro =
  'Documents of 8 to 16 MB that take the longest for their size. The yardstick of the parser only decodes the bytes. A scrub searches a secret in each form that ' +
  '[reliability.md](reliability.md#the-store) lists.'

const MB = 1_000_000
const fill = (text, bytes) => text.repeat(Math.ceil(bytes / text.length))
const list = (item, bytes) => `{"content":[${fill(`${item},`, bytes)}${item}]}`
const object = (member, count) =>
  `{"content":[],"structuredContent":{${Array.from({ length: count }, (_, index) => member(index)).join(',')}}}`

const documents = {
  '4,000,000 levels': () => `{"content":${'['.repeat(4 * MB)}${']'.repeat(4 * MB)}}`,
  '12 MB of empty blocks': () => list('{}', 12 * MB),
  '12 MB of numbers': () => list('1', 12 * MB),
  '12 MB of different keys': () => object((index) => `"k${index}":1`, MB),
  '12 MB of the same key': () => object(() => '"key":1', 1.5 * MB),
  '12 MB of escapes': () => `{"content":[{"type":"text","text":"${fill('\\u0041', 12 * MB)}"}]}`,
}

export async function measure(pace) {
  const few = { ...pace, rounds: pace.form === 'quick' ? 3 : 5, roundMs: 1, warmupMs: 1 }
  const parsed = await parseHostile(few)
  // The rest takes a minute.
  return pace.form === 'quick'
    ? parsed
    : [...parsed, ...(await showLarge(few)), ...(await scrubLarge({ ...few, rounds: 3 }))]
}

async function parseHostile(pace) {
  const decoder = new TextDecoder()
  const rows = []
  for (const [name, make] of Object.entries(documents)) {
    const bytes = new TextEncoder().encode(make())
    rows.push(
      await compareTimes(pace, {
        name: `parse ${name}`,
        ours: () => parseToolOutput(bytes),
        against: 'decode',
        yardstick: () => decoder.decode(bytes),
        target: { most: 500 },
      }),
    )
  }
  return rows
}

async function showLarge(pace) {
  const entry = (index) => [`key${index}`, index]
  const structuredContent = Object.fromEntries(Array.from({ length: 900_000 }, (_, i) => entry(i)))
  const content = Array.from({ length: 10_000 }, (_, index) => ({
    type: 'text',
    text: `block ${index}`,
  }))
  const result = { content, structuredContent, isError: false }
  const blanks = { content: [{ type: 'text', text: ' '.repeat(15 * MB) }], isError: false }
  const against = '`JSON.stringify`'
  return [
    await compareTimes(pace, {
      name: 'format 10,000 blocks and 900,000 keys',
      ours: () => formatResult(result),
      against,
      yardstick: () => JSON.stringify(result),
    }),
    await compareTimes(pace, {
      name: 'render 15 MB of blanks',
      ours: () => renderTerminal(blanks, { columns: 80 }),
      against,
      yardstick: () => JSON.stringify(blanks),
    }),
  ]
}

async function scrubLarge(pace) {
  const bytes = 8 * MB
  const scrubber = createScrubber('correct horse battery', 'exact')
  const texts = {
    code: fill('  const name = read("a1b2c3") // what the "user" said\n', bytes),
    base64: fill(Buffer.from('const lamps = 7 // all there are\n').toString('base64'), bytes),
    escapes: fill('\\u0063\\u006f', bytes),
  }
  const rows = []
  for (const [name, text] of Object.entries(texts)) {
    const encoded = new TextEncoder().encode(text)
    rows.push(
      await compareTimes(pace, {
        name: `scrub ${bytes / MB} MB of ${name}`,
        ours: () => scrubber.text(encoded),
        against: '`replaceAll` of the secret',
        yardstick: () => text.replaceAll('correct horse', ''),
      }),
    )
  }
  return rows
}
