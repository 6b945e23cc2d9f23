import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { createTerminal } from '../../terminal/terminal.ts'
import { configuredEntry } from '../../workspace/tools/configured-entry.suite.ts'
import { makeCall } from './make-call.ts'

test('a live call ends with the command, also where showing its result fails', async () => {
  const root = await mkdtemp(join(tmpdir(), 'toolblocks-make-call-'))
  const file = `[tools.live]\nsource = "local"\ncommand = ["sh", "-c", "echo $$ > pid; echo ready; exec cat"]\npty = true\nparameters = {}\n`
  const entry = await configuredEntry(file, root)
  const made = makeCall({
    call: { id: 'call-1', name: 'live', arguments: {} },
    entry,
    steps: Array.from({ length: 100 }, () => ({ action: 'fetch' }) as const),
    context: { signal: new AbortController().signal, root, answers: {} },
    person: undefined,
    record: { record: async () => {}, close: async () => {} },
    terminal: createTerminal(process),
    shows: 'screen',
    output: 'text',
    prepare: async () => {},
    // Before, the program may not have begun.
    show: (result) => {
      if (JSON.stringify(result).includes('ready')) throw new Error('no terminal any more')
    },
  })
  await expect(made).rejects.toThrow('no terminal any more')
  const pid = Number(await readFile(join(root, 'pid'), 'utf8'))
  expect(() => process.kill(pid, 0)).toThrow('ESRCH')
  await rm(root, { recursive: true })
})
