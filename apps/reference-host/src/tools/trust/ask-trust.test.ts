import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createTerminalStyle } from '@toolblocks/renderer'
import { describe, expect, onTestFinished, test } from 'vitest'
import type { CommandContext } from '../../commands/command-context.ts'
import { parseConfiguration } from '../../configuration/parse-configuration.ts'
import type { Configuration } from '../../configuration/configuration.ts'
import { describeCommands, isTrusted, remember, startedUnasked } from './ask-trust.ts'
import { openTrustStore } from './trust-store.ts'

const style = createTerminalStyle('none')

function makeFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'ask-trust-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  return folder
}

async function configured(text: string, folder: string): Promise<Configuration> {
  const parsed = await parseConfiguration(text, join(folder, 'toolblocks.toml'))
  if (!parsed.ok) throw new Error(JSON.stringify(parsed.problems))
  return parsed.configuration
}

/** A command's surroundings in which nobody can be asked; what is complained about is kept. */
function unattended(): { context: CommandContext; complaints: string[] } {
  const complaints: string[] = []
  const terminal = {
    isInteractive: false,
    style,
    complain: (kind: string, message: string) => void complaints.push(`${kind}: ${message}`),
  }
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- what is looked at where nobody is asked
  const context = { terminal, signal: new AbortController().signal } as unknown as CommandContext
  return { context, complaints }
}

describe('what a folder would have started unasked', () => {
  test('is each program that is asked what it is, and each server, once', async () => {
    const folder = makeFolder()
    writeFileSync(
      join(folder, '.mcp.json'),
      JSON.stringify({
        mcpServers: { web: { url: 'https://a.example' }, off: { command: 'x', disabled: true } },
      }),
    )
    const text = [
      '[tools.a]\nsource = "local"\ncommand = "./a --b"',
      '[tools.b]\nsource = "local"\ncommand = ["./a", "--b"]',
      '[tools.c]\nsource = "local"\ncommand = "./c"\nparameters = {}',
      '[tools.d]\nsource = "local"\ncommand = "./d"\ndescribe = true\nparameters = {}',
      '[tools.e]\nsource = "local"\ncommand = ["python3", "-c", "{{tool.arguments.code}}"]',
      '[tools.e.parameters]\ncode = { type = "string", code = true }\nplain = { code = false }',
      'cells = { type = "array", items = { type = "object", properties = { source = { code = true } } } }',
      '[mcp.servers.files]\ncommand = "serve"\nargs = ["a b"]',
    ].join('\n')
    expect(startedUnasked(await configured(text, folder))).toEqual({
      folder,
      commands: ['./a --b', './d', "serve 'a b'", 'connection to https://a.example'],
      code: ['e (code, cells.*.source): python3 -c {{tool.arguments.code}}'],
    })
  })

  test('is nothing where nothing is asked', async () => {
    const folder = makeFolder()
    expect(startedUnasked(await configured('', folder))).toEqual({ folder, commands: [], code: [] })
  })
})

describe('a folder', () => {
  const question = { folder: '/w', commands: ['a', 'b'], code: [] }

  test('is trusted that starts nothing, or only what somebody agreed to', async () => {
    const store = openTrustStore(join(makeFolder(), 'trust.json'))
    const { context } = unattended()
    expect(await isTrusted({ folder: '/w', commands: [], code: [] }, { context, store })).toBe(true)
    expect(await isTrusted(question, { context, store })).toBe(false)
    store.trust('/w', ['a'])
    expect(await isTrusted(question, { context, store })).toBe(false)
    store.trust('/w', ['b'])
    expect(await isTrusted(question, { context, store })).toBe(true)
    expect(await isTrusted({ ...question, code: ['c'] }, { context, store })).toBe(false)
    remember({ ...question, code: ['c'] }, { context, store })
    expect(await isTrusted({ ...question, code: ['c'] }, { context, store })).toBe(true)
    expect(await isTrusted({ ...question, folder: '/v' }, { context, store })).toBe(false)
  })

  test('is not trusted where the command has ended already', async () => {
    const store = openTrustStore(join(makeFolder(), 'trust.json'))
    const { context } = unattended()
    const signal = AbortSignal.abort()
    const terminal = { ...context.terminal, isInteractive: true }
    const ended = { ...context, terminal, signal }
    expect(await isTrusted(question, { context: ended, store })).toBe(false)
  })

  test('whose yes cannot be kept is warned about', () => {
    const file = join(makeFolder(), 'file')
    writeFileSync(file, '')
    const { context, complaints } = unattended()
    remember(question, { context, store: openTrustStore(join(file, 'trust.json')) })
    expect(complaints).toEqual([
      expect.stringMatching(/^warning: this yes cannot be remembered: \S/),
    ])
    remember(question, { context, store: openTrustStore(join(makeFolder(), 'deep/trust.json')) })
    expect(complaints).toHaveLength(1)
  })
})

describe('what is agreed to', () => {
  test('is shown whole, each command on its own line, and nothing in it hides', () => {
    const long = 'x'.repeat(3000)
    expect(
      describeCommands(
        { folder: '/w\u001B[2J', commands: [`a\nb\u202E`, long], code: [`c\nd`] },
        { style, columns: Infinity },
      ),
    ).toBe(
      `/w\\u{1B}[2J would start, to learn what they are:\n  a⏎b\\u{202E}\n  ${long}\n/w\\u{1B}[2J has tools that run what a model writes:\n  c⏎d`,
    )
  })

  test('wraps below itself', () => {
    const commands = ['one two three four']
    expect(describeCommands({ folder: '/w', commands, code: [] }, { style, columns: 20 })).toBe(
      '/w would start, to\nlearn what they are:\n  one two three four',
    )
    expect(
      describeCommands(
        { folder: '/w', commands: ['one two three four five'], code: [] },
        { style, columns: 20 },
      ),
    ).toBe('/w would start, to\nlearn what they are:\n  one two three four\n      five')
  })
})
