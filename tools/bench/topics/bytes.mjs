import { randomBytes } from 'node:crypto'
import { parseToolOutput } from '../../../packages/parser/src/index.ts'
import { compareTimes, measureGrowth } from '../measure.mjs'

export const title = 'Bytes that a tool printed'
export const intro =
  'The parser reads UTF-8 and JSON and checks every block and every repeated key. The yardstick decodes with `TextDecoder`, parses with `JSON.parse`, and checks nothing. Above 16 MiB, JSON is ' +
  'not parsed.'

const line = () =>
  `  const name = read("${randomBytes(6).toString('hex')}") // what the "user" said\n`
const code = (length) =>
  line()
    .repeat(Math.ceil(length / 60))
    .slice(0, length)

/** Documents of about the same size, with different parts. */
const shapes = {
  'files of 4 KB': (bytes) => ({
    content: Array.from({ length: Math.ceil(bytes / 4300) }, (_, index) => ({
      type: 'resource',
      resource: { uri: `file:///src/${index}.ts`, mimeType: 'text/typescript', text: code(4000) },
    })),
  }),
  'images of 75 KB, or one smaller': (bytes) => ({
    content: Array.from({ length: Math.ceil(bytes / 100_000) }, () => ({
      type: 'image',
      mimeType: 'image/png',
      data: randomBytes(Math.min(75_000, bytes * 0.75)).toString('base64'),
    })),
  }),
  'structured rows': (bytes) => ({
    content: [],
    structuredContent: {
      kind: 'table',
      data: {
        columns: [{ key: 'id', type: 'number' }, { key: 'name' }, { key: 'note' }],
        rows: Array.from({ length: Math.ceil(bytes / 80) }, (_, id) => ({
          id,
          name: `name ${id}`,
          note: 'a note that a person wrote about it',
        })),
      },
    },
  }),
  'texts of 60 bytes': (bytes) => ({
    content: Array.from({ length: Math.ceil(bytes / 95) }, (_, index) => ({
      type: 'text',
      text: `line ${index}: all is well`.padEnd(60, '.'),
    })),
  }),
}

const SIZES = [
  ['8 KB', 8000, 64],
  ['100 KB', 100_000, 16],
  ['1 MB', 1_000_000, 4],
  ['10 MB', 10_000_000, 2],
]

export async function measure(pace) {
  const rows = []
  const decoder = new TextDecoder()
  const sizes = pace.form === 'quick' ? SIZES.slice(0, 3) : SIZES
  for (const [shape, make] of Object.entries(shapes))
    for (const [size, bytes, documents] of sizes) {
      const outputs = Array.from({ length: documents }, () => encode(make(bytes)))
      const isParsed = outputs.every((output) => parseToolOutput(output).format === 'blocks')
      // A result has a limited number of blocks.
      if (!isParsed) continue
      rows.push(
        await compareTimes(pace, {
          name: `${size}, ${shape}`,
          ours: overAll(outputs, (output) => parseToolOutput(output)),
          against: 'decode and `JSON.parse`',
          yardstick: overAll(outputs, (output) => JSON.parse(decoder.decode(output))),
          target: { ratio: 1.15 },
          cause: CAUSES[shape],
        }),
      )
    }
  return [...rows, ...(await measureSizes(pace))]
}

/** The same document again would be faster than a new one. */
function overAll(outputs, read) {
  let next = 0
  return () => read(outputs[next++ % outputs.length])
}

const encode = (value) => new TextEncoder().encode(JSON.stringify(value))

/** Why a shape misses its target. */
const CAUSES = {
  'files of 4 KB':
    'every key and every block is checked; above 2 MiB, the depth and the number of values are counted before the document is parsed.',
  'images of 75 KB, or one smaller':
    'every character of the base64 is checked; above 2 MiB, the document is scanned first.',
  'structured rows':
    'the keys are counted in the text and in the value, to find repeated keys; these rows are mostly keys.',
  'texts of 60 bytes':
    'every field of every block is checked, and a block has as many fields as a longer one.',
}

async function measureSizes(pace) {
  const megabytes = pace.form === 'quick' ? [1, 4, 16] : [1, 2, 4, 8, 16]
  const format = (size) => `${size} MB`
  const few = { ...pace, rounds: pace.form === 'quick' ? 5 : 9, warmupMs: pace.warmupMs / 2 }
  const text = Buffer.from(line().repeat(Math.ceil(1e8 / 60)))
  const structured = (mb) => encode(shapes['structured rows'](mb * 1e6))
  const grow = async (name, sizes, make) =>
    await measureGrowth(few, {
      name,
      sizes: sizes.map((size) => {
        const output = make(size)
        return [size, () => parseToolOutput(output)]
      }),
      format,
      target: { exponent: 1.1 },
      cause:
        'above 2 MiB, the depth and the number of values are counted first, which takes as long as the rest.',
    })
  return [
    await grow(
      'JSON with files of 4 KB',
      megabytes.filter((mb) => mb <= 16),
      (mb) => encode(shapes['files of 4 KB'](mb * 1e6)),
    ),
    await grow(
      'JSON with structured rows',
      megabytes.filter((mb) => mb <= 8),
      structured,
    ),
    await grow(
      'text that is not JSON',
      megabytes.filter((mb) => mb <= 16),
      (mb) => text.subarray(0, mb * 1e6),
    ),
    await grow('output over 16 MiB, of which the ends are kept', [20, 50, 100], (mb) =>
      text.subarray(0, mb * 1e6),
    ),
  ]
}
