import { execFileSync, spawn } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { NO_BROWSER, SKIPS_BROWSER } from '../stage/browser.ts'

const TOOLS = fileURLToPath(new URL('../../tools/', import.meta.url))
/** The hosts of the registry. Their models are on loopback, so none needs an account. */
const HOSTS = { claude: '@anthropic-ai/claude-code', codex: '@openai/codex' }

const folder = mkdtempSync(join(tmpdir(), 'toolblocks-installed-hosts-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

beforeAll(() => {
  for (const [id, library] of Object.entries(HOSTS)) {
    const cwd = join(folder, id)
    mkdirSync(cwd)
    writeFileSync(join(cwd, 'package.json'), '{"private":true}')
    execFileSync('npm', ['install', '--no-audit', '--no-fund', library], { cwd, stdio: 'ignore' })
  }
}, 300_000)

/** Runs a tool of this repository to its end. */
async function run(...args: readonly string[]): Promise<{ code: number | null; output: string }> {
  const child = spawn(process.execPath, args, { cwd: TOOLS, stdio: ['ignore', 'pipe', 'pipe'] })
  let output = ''
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk) => (output += String(chunk)))
  const code = await new Promise<number | null>((resolve) => child.once('close', resolve))
  return { code, output }
}

test('promise results for hosts: the models of the newest Claude Code and Codex receive everything of mixed results, and nothing that is for the user alone', async () => {
  const args = ['compare-gateway-hosts.mjs', '--only', 'claude,codex', '--mixed', folder]
  const { code, output } = await run(...args)
  expect(output.match(/ 0 through the gateway/g)).toHaveLength(2)
  expect(code).toBe(0)
}, 300_000)

test('promise yes without a host: Claude Code and Codex are killed while their question waits, and execute the call once after a yes on a phone', async ({
  skip,
}) => {
  skip(SKIPS_BROWSER, NO_BROWSER)
  const { code, output } = await run('continue-in-hosts.mjs', folder)
  expect(output.match(/executed once/g)).toHaveLength(2)
  expect(code).toBe(0)
}, 300_000)
