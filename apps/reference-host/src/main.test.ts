import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { watch } from 'node:fs'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify, stripVTControlCharacters } from 'node:util'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { toolblocks, visit, type Ran } from './cli/toolblocks.support.ts'

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'toolblocks-host-'))
})
afterEach(async () => rm(folder, { recursive: true }))

/** A workspace with one tool, a shell script. */
async function workspace(
  script: string,
  settings = 'run = "unattended"\nparameters = {}',
): Promise<void> {
  await writeFile(join(folder, 'tool.sh'), script)
  await writeFile(
    join(folder, 'toolblocks.toml'),
    `[tools.tool]\nsource = "local"\ncommand = ["sh", "tool.sh"]\n${settings}\n`,
  )
}

const run = (...args: string[]): Promise<Ran> => toolblocks(folder, ...args)
const json = (ran: Ran): unknown => JSON.parse(ran.stdout)

const THREE_BLOCKS = `printf '%s' '{"content":[{"type":"text","text":"a"},{"type":"resource","resource":{"uri":"file:///x.rs","mimeType":"text/rust","text":"fn main() {}"}},{"type":"wat"}]}'`

describe('toolblocks call', () => {
  test('shows the blocks of an answer, and a warning for the one that cannot be read', async () => {
    await workspace(THREE_BLOCKS)
    const { code, stdout, stderr } = await run('call', 'tool')
    expect(code).toBe(0)
    expect(stdout).toContain('fn main() {}')
    expect(stderr).toContain('/content/2')
    expect(stderr).toContain('wat')
  })

  test('--output json prints the complete result', async () => {
    await workspace(THREE_BLOCKS)
    const result = json(await run('call', 'tool', '--output', 'json'))
    expect(result).toMatchObject({
      id: 'call-1',
      content: [{ type: 'text' }, { type: 'resource' }],
      isError: false,
      metadata: {
        outcome: 'completed',
        warnings: [{ path: '/content/2', code: 'unknown-block-type' }],
        resources: [null, { uri: 'file:///x.rs', bytes: 12 }],
      },
    })
  })

  test('--model-view shows what a model receives', async () => {
    await workspace(THREE_BLOCKS)
    const { stdout } = await run('call', 'tool', '--model-view')
    expect(stdout).toContain('```rs\nfn main() {}\n```')
  })

  test('arguments are accepted as --arg, as --arguments, or both', async () => {
    const settings =
      'run = "unattended"\n[tools.tool.parameters.n]\ntype = "integer"\n[tools.tool.parameters.list]\ntype = "array"'
    await workspace('cat', settings)
    const { stdout } = await run(
      'call',
      'tool',
      '--arg',
      'list=a',
      '--arguments',
      '{"n":"3"}',
      '--output',
      'json',
    )
    expect(stdout).toContain('\\"arguments\\":{\\"n\\":3,\\"list\\":[\\"a\\"]}')
    await writeFile(join(folder, 'values.json'), '{"n":7,"list":["b"]}')
    const read = await run('call', 'tool', '--arguments', '@values.json')
    expect(read.stdout).toContain('"arguments":{"n":7,"list":["b"]}')
  })

  test('a typed call needs no approval, and colour is written only to a terminal', async () => {
    await workspace("printf '\\033[31mred\\033[0m'", 'run = "ask"\nparameters = {}')
    const { code, stdout } = await run('call', 'tool')
    expect([code, stdout]).toEqual([0, expect.stringContaining('red')])
    // oxlint-disable-next-line no-control-regex -- the escape character is what must not be there
    expect(stdout).not.toMatch(/\u001b/)
  })

  const ASKING = `case "$(cat)" in
    *'"go":true'*) echo went ;;
    *'"go":false'*) echo stayed ;;
    *) echo '{"content":[{"type":"question","question":{"id":"go","text":"Go?","schema":{"type":"boolean"}}}]}' ;;
  esac`

  test('--answer answers a question of the tool; an invalid answer is wrong usage', async () => {
    await workspace(ASKING)
    expect((await run('call', 'tool', '--answer', 'go=true')).stdout).toContain('went')
    expect(await run('call', 'tool', '--answer', 'go=perhaps')).toMatchObject({
      code: 2,
      stderr: 'error: --answer go: expected boolean, got string "perhaps"\n',
    })
  })

  test('--output json contains the unanswered question and its schema', async () => {
    await workspace(ASKING)
    const ran = await run('call', 'tool', '--output', 'json', '--answer', 'goo=true')
    expect(ran).toMatchObject({ code: 5, stderr: expect.stringContaining('did you mean "go"?') })
    expect(json(ran)).toMatchObject({
      content: [{ type: 'question', question: { id: 'go', schema: { type: 'boolean' } } }],
      metadata: { outcome: 'unanswered' },
    })
  })

  test('the configuration can answer', async () => {
    await workspace(ASKING, 'run = "unattended"\nparameters = {}\nquestions.go.answer = true')
    expect((await run('call', 'tool')).stdout).toContain('went')
  })

  test('Ctrl-C cancels the call, reports this, and leaves no process', async () => {
    await workspace('echo $$ > pid; sleep 30')
    const main = new URL('main.ts', import.meta.url).pathname
    const child = spawn(process.execPath, [main, 'call', 'tool', '--output', 'json'], {
      cwd: folder,
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    let output = ''
    child.stdout.setEncoding('utf8').on('data', (text: string) => (output += text))
    const pid = await written('pid')
    child.kill('SIGINT')
    const [code] = (await once(child, 'close')) as [number]
    expect(code).toBe(130)
    expect(JSON.parse(output)).toMatchObject({ isError: true, metadata: { outcome: 'cancelled' } })
    expect(() => process.kill(Number(pid), 0)).toThrow('ESRCH')
  })

  test.for<[string, string[], string]>([
    ['an unknown tool', ['call', 'nope'], 'no tool "nope"'],
    ['no tool', ['call'], "missing required argument 'name'"],
    ['an argument without its option', ['call', 'tool', 'x=1'], 'write --arg x=1'],
    ['an unknown option', ['call', 'tool', '--wat'], "unknown option '--wat'"],
    [
      'an unknown form of output',
      ['call', 'tool', '--output', 'xml'],
      'Allowed choices are text, json',
    ],
    ['an unknown command', ['wat'], "unknown command 'wat'"],
    ['a configuration that is not there', ['call', 'tool', '--config', 'no.toml'], 'no such file'],
  ])('%s is wrong usage, reported on standard error', async ([, args, message]) => {
    await workspace('echo ran')
    const { code, stdout, stderr } = await run(...args)
    expect([code, stdout]).toEqual([2, ''])
    expect(stderr).toContain(message)
  })

  test('an invalid configuration is reported with file, line and key', async () => {
    await workspace('echo ran', 'run = "always"\nparameters = {}\ntimeout_sec = 1')
    const { code, stderr } = await run('call', 'tool')
    expect(code).toBe(2)
    expect(stderr).toContain('toolblocks.toml:4: tools.tool.run: expected "ask"')
    expect(stderr).toContain('; did you mean "timeout_secs"? Expected ')
  })
})

describe('toolblocks tools', () => {
  test('lists tools with their policy and arguments', async () => {
    await workspace(
      'echo',
      'summary = "Counts."\n[tools.tool.parameters.n]\ntype = "integer"\ndefault = 3',
    )
    const { code, stdout } = await run('tools')
    expect(code).toBe(0)
    expect(stdout).toContain('tool  run: ask')
    expect(stdout).toContain('Counts.')
    expect(stdout).toContain('--arg n= (integer, default 3)')
  })

  test('--output json prints the definitions, also with a configuration in a folder above', async () => {
    await workspace('echo')
    const inner = await mkdtemp(join(folder, 'inner-'))
    expect(json(await toolblocks(inner, 'tools', '--output', 'json'))).toMatchObject([
      { name: 'tool', policy: 'unattended', source: 'local', inputSchema: { type: 'object' } },
    ])
  })

  test('without a configuration it explains how to begin', async () => {
    const { code, stderr } = await run('tools')
    expect(code).toBe(2)
    expect(stderr).toContain('"toolblocks init" writes one')
  })
})

describe('toolblocks init', () => {
  test('writes a configuration and a tool that works', async () => {
    expect(await run('init')).toMatchObject({ code: 0 })
    const { code, stdout } = await run('call', 'count_words')
    expect(code).toBe(0)
    expect(stdout).toContain('toolblocks.toml')
  })

  test('does not overwrite files', async () => {
    await writeFile(join(folder, 'toolblocks.toml'), '# mine')
    expect(await run('init')).toMatchObject({ code: 2, stderr: expect.stringContaining('exists') })
    expect(await readFile(join(folder, 'toolblocks.toml'), 'utf8')).toBe('# mine')
  })
})

describe('toolblocks', () => {
  test('--help prints the commands, examples and exit codes', async () => {
    const { code, stdout } = await run('--help')
    expect(code).toBe(0)
    for (const term of ['call', 'tools', 'demo', 'init', 'Exit codes:', '130'])
      expect(stdout).toContain(term)
  })

  test.for([
    [['--help'], '  call\n      call a tool or a\n      program, and show its\n      result\n'],
    [['--help'], '  toolblocks call greet --arg\n  who=Ada\n      call it\n'],
    [['call', '--help'], '  --no-input\n      ask no questions; a\n      question without\n'],
    [['serve', '--help'], 'Without programs: serves every\ntool of the workspace that may\nrun. '],
  ] as const)(
    '%s in a narrow terminal has descriptions below their terms',
    async ([typed, expected]) => {
      const screen = await visit(folder, typed, [], { columns: 30 })
      const lines = stripVTControlCharacters(screen.written).split('\r\n')
      expect(lines.join('\n')).toContain(expected)
      // An address stays whole, so that it can be copied.
      expect(lines.filter((line) => line.length > 30 && !line.includes('https://'))).toEqual([])
    },
  )

  test('--version prints the version, and loads nothing else', async () => {
    const main = new URL('main.ts', import.meta.url).pathname
    const preload = `data:text/javascript,${encodeURIComponent(COUNT_MODULES)}`
    const { stdout, stderr } = await promisify(execFile)(process.execPath, [
      '--import',
      preload,
      main,
      '--version',
    ])
    expect(stdout).toMatch(/^\d+\.\d+\.\d+\n$/)
    expect(stderr.trim().split('\n')).toEqual(['main.ts', 'exit-codes.ts', 'own-package.ts'])
  })

  test('a reader that stops reading is not a failure', async () => {
    await workspace('seq 1 200000')
    const script = '{ "$0" "$1" call tool --output json; echo "code $?" >&2; } | head -n 1'
    const main = new URL('main.ts', import.meta.url).pathname
    const shell = promisify(execFile)('sh', ['-c', script, process.execPath, main], { cwd: folder })
    expect(await shell).toEqual({ stdout: '{\n', stderr: 'code 0\n' })
  })
})

/** Writes the name of every file of ours that is loaded to standard error. */
const COUNT_MODULES = `
import { registerHooks } from 'node:module'
registerHooks({ load: (url, context, next) => {
  if (url.startsWith('file:')) process._rawDebug(url.split('/').at(-1))
  return next(url, context)
} })
`

/** The text of a file in the folder, once a line of it was written. */
async function written(name: string): Promise<string> {
  const { promise, resolve } = Promise.withResolvers<string>()
  async function look(): Promise<void> {
    const text = await readFile(join(folder, name), 'utf8').catch(() => '')
    if (text.endsWith('\n')) resolve(text)
  }
  const watcher = watch(folder, () => void look())
  void look()
  const text = await promise
  watcher.close()
  return text
}
