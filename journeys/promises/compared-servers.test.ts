import { execFile } from 'node:child_process'
import { createRequire } from 'node:module'
import { fileURLToPath } from 'node:url'
import { expect, inject, test } from 'vitest'
import { makeFolder } from '../stage/folder.ts'
import { createServerProgram, SERVER_FILE } from '../stage/mcp-server.ts'

const own = (path: string): string => fileURLToPath(new URL(`../../${path}`, import.meta.url))
const FILES = createRequire(own('packages/mcp-bridge/package.json'))
  .resolve('@modelcontextprotocol/server-filesystem/package.json')
  .replace('package.json', 'dist/index.js')

/** Runs `tools/compare-servers.mjs` with the built command. */
async function compare(
  ...servers: readonly string[]
): Promise<{ code: unknown; lines: readonly string[] }> {
  const args = [own('tools/compare-servers.mjs'), ...servers]
  return await new Promise((resolve) =>
    execFile(
      process.execPath,
      [...args, '--runs=0', `--command=${inject('command')}`],
      { maxBuffer: 2 ** 26 },
      (error, stdout) => resolve({ code: error?.code ?? 0, lines: stdout.split('\n') }),
    ),
  )
}

test('promise gateway: a client receives the same of two servers bare and through it, except what a gateway must change', async () => {
  const marked = own('tools/load-service/marked-server.mjs')
  const { code, lines } = await compare(
    `files="${process.execPath}" "${FILES}" "${makeFolder({ 'a.txt': 'one' })}"`,
    `marked="${process.execPath}" "${marked}"`,
  )
  expect(lines.filter((line) => line.startsWith('UNEXPLAINED'))).toEqual([])
  expect(code).toBe(0)
  for (const name of ['files', 'marked'])
    expect(lines).toContainEqual(
      expect.stringMatching(RegExp(`^\\| ${name} \\|  \\| \\d+ \\| \\d+ \\| \\d+ \\|`)),
    )
}, 120_000)

test('promise gateway: the comparison finds a tool and a result that are not the same', async () => {
  const read = {
    name: 'read',
    description: 'NAME',
    inputSchema: { type: 'object' },
    annotations: { readOnlyHint: true },
  }
  // The gateway gives its programs this variable, so the server can tell the two ways apart.
  const program = createServerProgram(
    [read],
    'if (name !== "read") throw new Error(name)\nreturn { content: [{ type: "text", text: name }], structuredContent: { isRun: process.env.TOOL_RUN_ID !== undefined } }',
  ).replace('"NAME"', 'String(process.env.TOOL_RUN_ID !== undefined)')
  const folder = makeFolder({ [SERVER_FILE]: program })
  const { code, lines } = await compare(`odd="${process.execPath}" "${folder}/${SERVER_FILE}"`)
  expect(code).toBe(1)
  expect(lines.filter((line) => line.startsWith('UNEXPLAINED'))).toEqual([
    'UNEXPLAINED odd: tools/list read/description: bare "false", gateway "true"',
    'UNEXPLAINED odd: tools/call read {}/result/structuredContent/isRun: bare false, gateway true',
  ])
}, 120_000)
