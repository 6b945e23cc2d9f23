import { spawnSync } from 'node:child_process'
import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { type Ran, toolblocks, toolblocksInto } from '../../toolblocks.support.ts'
import { damage, TWO_TURNS, useConversations } from '../conversations.support.ts'

const workspace = useConversations()
const run = async (format: string, ...args: string[]): Promise<Ran> => {
  const typed = ['conversations', 'export', 'lamps', '--output', format, ...args]
  return await toolblocks(workspace.folder, ...typed)
}

describe('toolblocks conversations export --output jsonl', () => {
  test('prints one event a line, with all of its stored data', async () => {
    const time = '2020-01-02T03:04:05.000Z'
    const event = {
      type: 'user_message',
      content: [{ type: 'text', text: 'a\nb\u2028\u001B[2J' }],
    } as const
    const original = new Uint8Array([0, 255, 10])
    await workspace.use(async (store) =>
      store.append('lamps', 0, [{ event, at: time, original }, event]),
    )
    const { code, stdout, stderr } = await run('jsonl')
    const lines = stdout.trimEnd().split('\n')
    expect(lines.map((line): unknown => JSON.parse(line))).toEqual([
      { seq: 1, at: time, event, original: 'AP8K' },
      { seq: 2, at: '2026-05-06T07:00:00.000Z', event },
    ])
    expect(stdout).not.toContain('\u001B')
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  })

  test('has every event, also undone ones, of more than one page', async () => {
    const events = Array.from({ length: 450 }, (_, turn) => ({ type: 'turn_start', turn }) as const)
    await workspace.use(async (store) =>
      store.append('lamps', 0, [...events, { type: 'rewind', to: 1 }]),
    )
    const lines = (await run('jsonl')).stdout.trimEnd().split('\n')
    const seqs = lines.map((line) => /^\{"seq":(\d+),/.exec(line)?.[1])
    expect(seqs).toEqual(Array.from({ length: 451 }, (_, index) => String(index + 1)))
  })
})

describe('toolblocks conversations export --output markdown', () => {
  test('prints the current history, each part under a heading, and quoted', async () => {
    await workspace.keep('lamps', ...TWO_TURNS)
    const { code, stdout, stderr } = await run('markdown')
    expect(stdout).toMatchInlineSnapshot(`
      "# Count the lamps, please.

      Conversation \`lamps\`

      ## Turn 1, 2026-05-06 07:00 UTC

      ### Person

      > Count the lamps, please.

      ### Call \`count_lamps\` \`hall\`

      > \`\`\`json
      > {
      >   "room": "hall",
      >   "list": [
      >     1,
      >     2
      >   ]
      > }
      > \`\`\`

      > question to user

      > Also the broken ones?

      > answer

      > \`\`\`json
      > {
      >   "value": true
      > }
      > \`\`\`

      > Seven lamps.

      ### Model

      > There are **seven**.

      ## Turn 2, 2026-05-06 07:07 UTC

      ### Person

      > And now mend them.

      ### Call \`mend_lamps\`

      > [The tool call was cancelled.]
      >
      > The call was interrupted: the program that ran it ended before it had a result. A part of the work may be done.
      "
    `)
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  })
})

describe('toolblocks conversations export --to', () => {
  test('writes a file that only its owner can read, and reports its path', async () => {
    await workspace.keep('lamps', ...TWO_TURNS)
    const path = join(workspace.folder, 'lamps.jsonl')
    const ran = await run('jsonl', '--to', 'lamps.jsonl')
    expect(ran).toEqual({ code: 0, stdout: `Wrote ${path}.\n`, stderr: '' })
    expect(await readFile(path, 'utf8')).toBe((await run('jsonl')).stdout)
    expect((await stat(path)).mode & 0o777).toBe(0o600)
  })

  test('an existing file is replaced only with --force', async () => {
    await workspace.keep('lamps', ...TWO_TURNS)
    const path = join(workspace.folder, 'notes.md')
    await writeFile(path, 'mine')
    expect(await run('markdown', '--to', 'notes.md')).toEqual({
      code: 2,
      stdout: '',
      stderr: `error: ${path} exists; --force replaces it\n`,
    })
    expect(await readFile(path, 'utf8')).toBe('mine')
    const redacted = await run('markdown', '--to', 'notes.md', '--redact')
    expect(redacted.stderr).toBe(`error: ${path} exists; --force replaces it\n`)
    const { stdout } = await run('markdown', '--to', 'notes.md', '--force')
    expect(stdout).toBe(`Wrote ${path}.\n`)
    expect(await readFile(path, 'utf8')).toContain('# Count the lamps, please.')
  })

  test('continues after damaged events, and reports what is missing', async () => {
    await workspace.keep('lamps', ...TWO_TURNS)
    damage(workspace.file, 'lamps')
    const { code, stderr } = await run('jsonl', '--to', 'lamps.jsonl')
    expect(code).toBe(1)
    expect(stderr).toContain('#2 is missing: Event 2 of conversation "lamps" is damaged')
    const text = await readFile(join(workspace.folder, 'lamps.jsonl'), 'utf8')
    const lines = text
      .trimEnd()
      .split('\n')
      .map((line): unknown => JSON.parse(line))
    expect(lines).toHaveLength(TWO_TURNS.length)
    expect(lines[1]).toMatchObject({ seq: 2, problem: { code: 'damaged-event' } })
    const markdown = await run('markdown')
    expect(markdown.code).toBe(1)
    expect(markdown.stdout).toContain('### Call `count_lamps`')
  })

  test('names the folder that is missing', async () => {
    await workspace.keep('lamps', ...TWO_TURNS)
    const { code, stderr } = await run('jsonl', '--to', 'no/lamps.jsonl')
    expect(code).toBe(2)
    expect(stderr).toContain(`there is no folder ${join(workspace.folder, 'no')}`)
  })
})

test('--output html writes one page, in which all content is text and cannot run', async () => {
  await workspace.keep('lamps <b>', ...TWO_TURNS)
  const args = ['conversations', 'export', 'lamps <b>', '--output', 'html', '--to', 'lamps.html']
  const { code } = await toolblocks(workspace.folder, ...args)
  expect(code).toBe(0)
  const page = await readFile(join(workspace.folder, 'lamps.html'), 'utf8')
  expect(page).toContain('<h1>Count the lamps, please.</h1>')
  expect(page).toContain('<strong>seven</strong>')
  expect(page).toContain('The call was interrupted')
  expect(page.match(/default-src &#39;none&#39;/g)).toHaveLength(1)
})

const NAMESPACES = 'unshare'
const IN_SMALL_DISK = [
  '-rm',
  'sh',
  '-c',
  'mount -t tmpfs -o size=1m tmpfs "$1" && cd "$1" && "$2" "$3" "$1"',
  'sh',
]

/** Exports to a disk of 1 MB, first to a new file and then to one that exists, and prints the results and the files. */
const exporter = `
  import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
  import { saveText } from ${JSON.stringify(new URL('../../../workspace/files/write-file.ts', import.meta.url).href)}
  const [, , folder] = process.argv
  const path = folder + '/export.jsonl'
  const pieces = (count) => Array.from({ length: count }, () => 'x'.repeat(1000))
  const results = [await saveText({ path }, pieces(2000), 'keep'), await saveText({ path }, pieces(700), 'keep')]
  const left = readdirSync(folder)
  writeFileSync(path, 'before')
  results.push(await saveText({ path }, pieces(2000), 'replace'))
  console.log(JSON.stringify({ results, left, kept: readFileSync(path, 'utf8'), files: readdirSync(folder) }))
`

function canMount(): boolean {
  return spawnSync(NAMESPACES, ['-rm', 'mount', '-t', 'tmpfs', 'none', tmpdir()]).status === 0
}

describe('toolblocks conversations export on a full disk', () => {
  // Only a process with its own namespaces can mount a small disk.
  test.skipIf(!canMount())(
    'reports it, leaves no part of a file, and keeps a file that was to be replaced',
    async () => {
      const script = join(workspace.folder, 'exporter.mjs')
      await writeFile(script, exporter)
      const disk = await mkdtemp(join(tmpdir(), 'toolblocks-disk-'))
      onTestFinished(async () => await rm(disk, { recursive: true }))
      const args = [...IN_SMALL_DISK, disk, process.execPath, script]
      const { stdout, stderr } = spawnSync(NAMESPACES, args, { encoding: 'utf8' })
      expect(stderr).toBe('')
      const full = {
        ok: false,
        message: expect.stringMatching(/^there is no space left for .*export\.jsonl$/),
      }
      expect(JSON.parse(stdout)).toEqual({
        results: [full, full, full],
        left: [],
        kept: 'before',
        files: ['export.jsonl'],
      })
    },
  )

  test.skipIf(process.platform !== 'linux')(
    'reports that its standard output cannot be written',
    async () => {
      await workspace.keep('lamps', ...TWO_TURNS)
      const args = ['conversations', 'export', 'lamps', '--output', 'jsonl']
      const { code, stderr } = await toolblocksInto('/dev/full', workspace.folder, ...args)
      expect(code).not.toBe(0)
      expect(stderr).toContain('no space left on device')
    },
  )
})
