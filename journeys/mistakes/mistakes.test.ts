import { chmodSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, onTestFinished, test } from 'vitest'
import { run, type Ran } from '../stage/command.ts'
import { makeFolder } from '../stage/folder.ts'
import { NOTES_TABLE } from '../stage/notes-server.ts'
import { type Mistake, createMistakeFolders, listMistakes } from './mistakes.ts'

const DOCUMENT = fileURLToPath(new URL('../../docs/mistakes.md', import.meta.url))
/** The number of commands that run at the same time. */
const SIDE_BY_SIDE = 4

/** A provider that refuses every key, on a port that is in use until the test ends. */
async function startProvider(): Promise<number> {
  const server = createServer((_, response) => {
    response.writeHead(401, { 'content-type': 'application/json' })
    response.end('{"error":{"message":"The key has expired.","code":"expired"}}')
  })
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  onTestFinished(() => void server.close())
  return (server.address() as AddressInfo).port
}

/** Formats one mistake: its name, the arguments, the output, and an exit code other than 2. */
function writeMistake({ mistake, typed }: Mistake, output: string, code: number | null): string {
  const quoted = output
    .trim()
    .split('\n')
    .map((line) => `\`${line.replaceAll('`', "'")}\``)
  const ended = code === 2 ? '' : ` (exit code ${code})`
  return `- **${mistake}**, \`${typed}\`${ended}:<br>${quoted.join('<br>')}`
}

const HEAD = `# Mistakes and their messages

Each mistake has the arguments of \`toolblocks\` and its complete output. The [exit code](exit-codes.md) is 2 unless another is named. A test runs each command and compares this page with the output;
\`pnpm exec vitest run journeys/mistakes/ -u\` writes it. Folders, and long lines of other programs, are shortened.

`

test(
  'promise mistakes: the output for each mistake is the text in docs/mistakes.md',
  { timeout: 60_000 },
  async () => {
    const port = await startProvider()
    const folder = makeFolder(
      createMistakeFolders({
        node: process.execPath,
        server: NOTES_TABLE,
        provider: `http://127.0.0.1:${port}/v1`,
      }),
    )
    for (const script of ['windows.sh', 'report.py'])
      chmodSync(join(folder, 'workspace', script), 0o755)
    const all = listMistakes(port)
    const answers = new Map<Mistake, Ran>()
    const left = [...all]
    const type = async (): Promise<void> => {
      for (let each = left.shift(); each; each = left.shift()) {
        const { typed, at = 'workspace', environment } = each
        answers.set(
          each,
          await run(join(folder, at), getWords(typed), { ...process.env, ...environment }),
        )
      }
    }
    await Promise.all(Array.from({ length: SIDE_BY_SIDE }, type))
    const lines = all.map((each) => {
      const { code, stdout = '', stderr = '' } = answers.get(each) ?? { code: null }
      expect(code, each.typed).not.toBe(0)
      const output = `${stdout}${stderr}`
        .replaceAll(folder, '')
        .replaceAll(process.execPath, 'node')
        .replaceAll(/node \S+\/main\.js/g, 'toolblocks')
        .replaceAll(String(port), '8080')
        .replaceAll(/\S*\/config\/toolblocks/g, '~/.config/toolblocks')
      return writeMistake(
        { ...each, typed: each.typed.replaceAll(String(port), '8080') },
        output,
        code,
      )
    })
    await expect(`${HEAD}${lines.join('\n')}\n`).toMatchFileSnapshot(DOCUMENT)
  },
)

/** Splits a command into words like a shell; words may be in single quotes. */
function getWords(typed: string): readonly string[] {
  return [...typed.matchAll(/'([^']*)'|(\S+)/g)].map(([, quoted, plain]) => quoted ?? plain ?? '')
}
