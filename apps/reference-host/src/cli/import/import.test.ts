import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PassThrough } from 'node:stream'
import { text } from 'node:stream/consumers'
import { gzipSync } from 'node:zlib'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { createTerminal } from '../../terminal/terminal.ts'
import { importPaths, type ImportOptions } from './import.ts'

/** The command runs in this process, where no person can be asked. */
process.env['TOOLBLOCKS_TRUST'] = '1'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'toolblocks-import-'))
  writeFileSync(join(folder, 'toolblocks.toml'), '[store]\nurl = "sqlite:kept.db"\n')
})
afterEach(() => rmSync(folder, { recursive: true }))

const timestamp = '2026-03-05 22:12:35.5'
const records = [
  { timestamp, type: 'chat_request', content: 'Count the lamps.' },
  { timestamp, type: 'tool_call_request', id: 'a', name: 'count', arguments: {} },
  { timestamp, type: 'tool_call_response', id: 'a', content: 'NA==', is_error: false },
  { timestamp, type: 'chat_response', message: 'There are 4.' },
]

function writeOld(name: string, content: string = JSON.stringify(records, null, 2)): string {
  mkdirSync(join(folder, 'old', name), { recursive: true })
  writeFileSync(join(folder, 'old', name, 'events.json'), content)
  return join(folder, 'old', name, 'events.json')
}

/** Runs the command in this process and returns its output. */
async function run(
  paths: readonly string[],
  options: ImportOptions = {},
  signal: AbortSignal = new AbortController().signal,
): Promise<{ code: number; stdout: string; stderr: string }> {
  const [stdin, stdout, stderr] = [new PassThrough(), new PassThrough(), new PassThrough()]
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- streams that are no terminal
  const terminal = createTerminal({ stdin, stdout, stderr, env: {} } as never)
  const code = await importPaths(
    {
      terminal,
      command: 'toolblocks',
      folder,
      signal,
      readText: async () => '',
      interrupt: () => {},
    },
    paths,
    options,
  )
  stdout.end()
  stderr.end()
  return { code, stdout: await text(stdout), stderr: await text(stderr) }
}

const counts = {
  userMessages: 1,
  assistantMessages: 1,
  calls: 1,
  results: 1,
  errors: 0,
  questions: 0,
  answers: 0,
  turns: 1,
  configurations: 0,
  unknown: 0,
}

test('found conversations are shown, imported and verified; the source does not change', async () => {
  const file = writeOld('17700000001-lamps')
  expect(await run(['old'])).toEqual({
    code: 0,
    stdout: [
      'Found:',
      '  jp: 1 conversation in 1 file, 492 bytes',
      '    1 turn, 1 message of people, 1 message of models, 1 call, 1 result',
      '✓ old/17700000001-lamps/events.json: imported; 4 events added, all as counted before\n',
    ].join('\n'),
    stderr:
      '"toolblocks conversations show jp-17700000001" shows it here, "toolblocks view jp-17700000001" in your browser.\n',
  })
  expect(readFileSync(file, 'utf8')).toBe(JSON.stringify(records, null, 2))
  const { stdout } = await run(['old'], { output: 'json' })
  expect(JSON.parse(stdout)).toEqual({
    conversations: [
      {
        source: file,
        format: 'jp',
        conversation: 'jp-17700000001',
        state: 'present',
        added: 0,
        before: counts,
        after: counts,
        bytes: { before: 492, after: 492 },
        warnings: [],
      },
    ],
    unread: [],
  })
})

test('records that were not understood are reported for each file, once, and have a mark of their own', async () => {
  const odd = JSON.stringify([...records, { timestamp, type: 'weather', degrees: 20 }], null, 2)
  writeOld('17700000001-lamps')
  writeOld('17700000002-weather', odd)
  const { code, stdout, stderr } = await run(['old'])
  expect(stderr).toBe(
    '"toolblocks conversations list" lists them, "toolblocks view" shows them in your browser.\n',
  )
  const kept = '1 record stored unchanged, unknown to this version'
  const countLine = '1 message of people, 1 message of models, 1 call, 1 result'
  expect(stdout.trimEnd().split('\n')).toEqual([
    'Found:',
    '  jp: 2 conversations in 2 files, 1.1 KB',
    '    2 turns, 2 messages of people, 2 messages of models, 2 calls, 2 results',
    `    ${kept}`,
    '✓ old/17700000001-lamps/events.json',
    `  1 turn, ${countLine}`,
    '• old/17700000002-weather/events.json',
    `  1 turn, ${countLine}`,
    `  ${kept}`,
    '• 2 conversations: 2 imported; 9 events added, all as counted before',
  ])
  expect(code).toBe(0)
  const json = JSON.parse((await run(['old'], { output: 'json' })).stdout)
  expect(json).toMatchObject({
    conversations: [{ after: { unknown: 0 } }, { after: { unknown: 1 } }],
  })
})

test('of one file, counts and records that were not understood are reported once', async () => {
  const odd = JSON.stringify([...records, { timestamp, type: 'weather', degrees: 20 }], null, 2)
  writeOld('17700000002-weather', odd)
  const { stdout } = await run(['old'])
  expect(stdout.trimEnd().split('\n')).toEqual([
    'Found:',
    expect.stringContaining('  jp: 1 conversation in 1 file, '),
    '    1 turn, 1 message of people, 1 message of models, 1 call, 1 result',
    '    1 record stored unchanged, unknown to this version',
    '• old/17700000002-weather/events.json: imported; 5 events added, all as counted before',
  ])
})

test('a dry run reports what would be imported, and writes nothing', async () => {
  writeOld('17700000001-lamps')
  const { stdout } = await run(['old'], { output: 'json', dryRun: true })
  expect(JSON.parse(stdout)).toMatchObject({
    conversations: [{ conversation: 'jp-17700000001', before: counts }],
  })
  expect(readdirSync(folder)).toEqual(['old', 'toolblocks.toml'])
})

test('damaged records are reported, and the rest is imported', async () => {
  const whole = JSON.stringify(records, null, 2)
  const file = writeOld('17700000001-lamps', whole.slice(0, -20))
  const { code, stdout, stderr } = await run(['old'])
  expect(code).toBe(0)
  expect(stdout).toContain('3 events added, all as counted before')
  expect(stderr).toContain(`warning: ${file}, record 3: `)
  expect(stderr).toContain('are not a complete record, and were not imported')
})

test.for([
  ['an empty file', Buffer.alloc(0), 'it is empty'],
  [
    'a file of gzip',
    gzipSync(JSON.stringify(records)),
    'it is compressed (gzip); unpack it first: gunzip -k FILE',
  ],
  [
    'a ZIP archive',
    Buffer.from('PK\u0003\u0004'),
    'it is a ZIP archive; unpack it first, and name the files in it',
  ],
  [
    'text in UTF-16',
    Buffer.from(`\uFEFF${JSON.stringify(records)}`, 'utf16le'),
    'it is text in UTF-16; expected UTF-8: iconv',
  ],
  ['other text', Buffer.from('hello'), 'it has no conversations in a known format'],
] as const)('%s is called what it is', async ([name, bytes, message]) => {
  const file = join(folder, 'session.jsonl')
  writeFileSync(file, bytes)
  const { code, stdout, stderr } = await run([file])
  const explained = expect.stringContaining(`${file}: ${message}`)
  expect([name, code, stdout, stderr]).toEqual([name, 1, '', explained])
})

test('files that cannot be imported are reported, and the others are imported', async () => {
  writeOld('17700000001-lamps')
  writeFileSync(join(folder, 'notes.json'), '{"a": 1}')
  const { code, stdout, stderr } = await run(['old', 'notes.json', 'nowhere'])
  expect(code).toBe(1)
  expect(stdout).toContain('✓ old/17700000001-lamps/events.json: imported; ')
  expect(stderr).toContain('notes.json: it has no conversations in a known format')
  expect(stderr).toContain('nowhere: it does not exist')
})

test('after Ctrl-C, what was imported before stays', async () => {
  writeOld('17700000001-lamps')
  expect(await run(['old'], {}, AbortSignal.abort())).toMatchObject({ code: 130, stdout: '' })
  expect(readdirSync(folder)).toEqual(['old', 'toolblocks.toml'])
})

test('importing nothing is wrong usage', async () => {
  expect(await run([])).toMatchObject({ code: 2, stderr: expect.stringContaining('expected') })
})
